import { contentHash, hashText } from '../../../trajectory/identity.ts';
import type { Trajectory } from '../../../trajectory/trajectory.ts';
import type { Check } from '../check.ts';
import { finding } from '../evidence.ts';
import { type Pair, RowKeys } from '../row-keys.ts';

const NAME = 'duplicate';

/**
 * The same episode twice: equal content, context, simulator, policy and checkpoint, epoch, run, reward, ending and
 * group. Inside a group two rollouts with ids of their own may well be equal (a policy can be deterministic) and both
 * stay. Of equal rows the one with the lowest hash of its id stays, so that the order of rows decides nothing, where
 * all were observed first; else the first one met.
 */
export function duplicate(): Check {
  const keys = new RowKeys();
  const passed = new WeakSet<Trajectory>();
  return {
    name: NAME,
    blame: 'data',
    title: 'another row has the same content, simulator, policy, epoch, reward and group',
    observe(episode) {
      const { key, order } = identityOf(episode);
      keys.note(key, order);
    },
    inspect(episode) {
      const { key, order, content } = identityOf(episode);
      const seen = keys.look(key, order);
      if (seen === 'first') return null;
      if (seen === 'passes') {
        passed.add(episode);
        return null;
      }
      if (seen === 'copy' && passed.has(episode)) return null;
      return finding(NAME, 'data', 'another row is the same', `content ${content}`, null);
    },
  };
}

function identityOf(episode: Trajectory): { key: Pair; order: Pair; content: string } {
  const { group, simulator, policy, epoch, run, reward, termination, outcome, source, id } = episode;
  const content = contentHash(episode.turns, episode.scenario);
  // An id that was derived from the content does not tell rollouts apart: then their place in the file does.
  const rollout = group === null ? null : id === content ? [source.file, source.line] : id;
  const identity = [
    content,
    episode.context,
    simulator.id,
    policy.id,
    policy.checkpoint,
    epoch,
    group === null ? null : run,
    `${reward}`,
    termination,
    outcome,
    group,
  ];
  return {
    key: pairOf(hashText(JSON.stringify([...identity, rollout]))),
    order: [pairOf(hashText(id))[0], pairOf(hashText(JSON.stringify([source.file, source.line])))[0]],
    content,
  };
}

function pairOf(hex: string): Pair {
  return [Number.parseInt(hex.slice(0, 8), 16), Number.parseInt(hex.slice(8, 16), 16)];
}
