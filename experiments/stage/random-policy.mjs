import { playOverChat, worldOf } from '../../dist/lab/index.js';
import { seeded } from '../../dist/math/random.js';

/** What the policy of a dry run is called on record: `--measured` refuses exports that hold it. */
export const DRY_POLICY = 'random-policy-of-a-dry-run';

/**
 * A policy that learns nothing: every allowed act of the world is equally likely, and is said in the world's words. It
 * stands where the policy under training stands, so that what is exercised is everything around it.
 */
export function randomPolicy(worldId) {
  const world = worldOf(worldId);
  const uniform = Object.assign(Object.create(world), {
    demonstrate(encounter, into) {
      const allowed = new Uint8Array(world.agentActs.length);
      encounter.allowed(allowed, 0);
      const count = allowed.reduce((sum, one) => sum + one, 0);
      allowed.forEach((one, act) => {
        into[act] = one / count;
      });
    },
  });
  return {
    /** One dialogue, a request to the gateway a turn; `session` names its luck too. */
    play({ session, setting, turns, ask }) {
      return playOverChat({
        ask,
        world: uniform,
        settingNumber: setting,
        random: seeded(`stage-zero/${session}`),
        turns,
      });
    },
    label: (setting) => world.setting(setting, 0).label ?? `setting ${setting}`,
  };
}
