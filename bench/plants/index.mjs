// All kinds of planted errors and controls, and how they are put into real dialogues.
import { candidateList } from './candidate-list.mjs';
import { contradiction, contradictionInWords } from './contradiction.mjs';
import { controls } from './control.mjs';
import { degenerate, degenerateAgent } from './degenerate.mjs';
import { duplicate, duplicateElsewhere, duplicateInGroup } from './duplicate.mjs';
import { hostOf } from './host.mjs';
import { infrastructure } from './infrastructure.mjs';
import { leakedInstructions } from './leaked-instructions.mjs';
import { leakedScenario, leakedScenarioEdited } from './leaked-scenario.mjs';
import { prematureStop } from './premature-stop.mjs';
import { rawJson } from './raw-json.mjs';
import { repetition } from './repetition.mjs';
import { invalidReward, missingReward } from './reward.mjs';
import { roleReversal, roleReversalInWords } from './role-reversal.mjs';

export { hostOf };

/**
 * `expect`: `drop` = an error the gate is there for; `keep` = a control; `judge` = an error that only a model can
 * see; `told` = neither, reported. `beside`: rows that must stand beside a planted one for it to be an error.
 */
export const KINDS = [
  infrastructure,
  roleReversal,
  leakedInstructions,
  leakedScenario,
  leakedScenarioEdited,
  rawJson,
  candidateList,
  prematureStop,
  repetition,
  contradiction,
  contradictionInWords,
  roleReversalInWords,
  degenerate,
  invalidReward,
  missingReward,
  duplicate,
  duplicateElsewhere,
  degenerateAgent,
  duplicateInGroup,
  ...controls,
];

/**
 * Hosts in the order they are taken: each corpus the same share, drawn by content and seed alone.
 * @param corpora lists of hosts; @param hash content hash of an episode; @param seeded maker of seeded randomness
 */
export function hostOrder(corpora, kind, { hash, seeded, seed }) {
  const lists = corpora.map((hosts, corpus) => {
    const sorted = hosts
      .map((host) => ({ host, key: hash(host.episode) }))
      .sort((a, b) => (a.key < b.key ? -1 : 1));
    return seeded(`${seed}/${kind}/${corpus}`).shuffle(sorted.map((entry) => entry.host));
  });
  const order = [];
  for (let at = 0; at < Math.max(...lists.map((list) => list.length)); at++)
    for (const list of lists) if (at < list.length) order.push(list[at]);
  return order;
}

/**
 * `count` planted rows of one kind, its forms in turn, each host once while there are fresh ones.
 * @returns rows {form, host, episode, original}; `episode` is the planted one, `original` its host as it must stand
 *   beside it, or null; fewer than `count` only where no host fits any form
 */
export function plant(kind, corpora, count, drawing) {
  const order = hostOrder(corpora, kind.kind, drawing);
  /** Forms that each host has had. */
  const used = new Map(order.map((host) => [host, []]));
  const rows = [];
  for (let n = 0; rows.length < count && n < 4 * count; n++) {
    // A few rows still take forms from everywhere in the list.
    const at = count < kind.forms.length ? Math.floor((n * kind.forms.length) / count) : n;
    const form = kind.forms[at % kind.forms.length];
    let host = null;
    for (const next of order)
      if (
        !used.get(next).includes(form.name) &&
        (host === null || used.get(next).length < used.get(host).length) &&
        form.fits(next)
      )
        host = next;
    if (host === null) continue;
    used.get(host).push(form.name);
    const random = drawing.seeded(`${drawing.seed}/${kind.kind}/${form.name}/${drawing.hash(host.episode)}`);
    const planted = form.plant(host, random);
    rows.push({
      form: form.name,
      host,
      episode:
        planted.id === host.episode.id ? { ...planted, id: `${planted.id}/planted-${rows.length}` } : planted,
      original: form.original?.(host) ?? null,
    });
  }
  return rows;
}
