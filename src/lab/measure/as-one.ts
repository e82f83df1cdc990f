import { type Profile, ProfileBuilder } from '../../space/index.ts';

/** What a population is called where its members are not told apart. */
export const MIXTURE = 'population';

/**
 * The same rows as those of one simulator under audit (people of a reference too). Coverage is stated at the size of the smallest simulator: with the members
 * apart, a population of many would be held to fewer dialogues than a population of one.
 */
export function asOne(profile: Profile): Profile {
  const builder = new ProfileBuilder(profile.space, profile);
  for (let at = 0; at < profile.size; at++)
    builder.add({ ...profile.row(at), simulator: MIXTURE, part: null });
  for (const row of profile.reservoir) builder.addReservoir({ ...row, simulator: MIXTURE, part: null });
  return builder.build();
}
