// Real dialogues that errors are planted into, read through the package's own readers.
import { join } from 'node:path';

const SETS = [
  { name: 'P4G people', files: ['p4g/full_dialog.csv.gz'] },
  {
    name: 'persuasiontrace people',
    files: ['persuasiontrace/human_rounds.jsonl.gz'],
    map: 'persuasiontrace-people.yaml',
  },
  {
    name: 'persuasiontrace simulators',
    files: ['persuasiontrace/sim__*'],
    map: 'persuasiontrace-simulators.yaml',
  },
  { name: 'tau1', files: ['tau1/*'] },
  { name: 'tau2', files: ['tau2/*'] },
  { name: 'tau2 factorial', files: ['tau2_factorial/*'] },
  { name: 'cooperbench', files: ['cooperbench/coop_runs_200.jsonl.gz'] },
];

/** @returns {name, episodes} of every data set; `formats` is the package's module, `maps` the folder of mappings. */
export async function readSets({ data, formats, maps }) {
  const sets = [];
  for (const { name, files, map } of SETS) {
    const options = map === undefined ? {} : { reader: await formats.readMapping(join(maps, map)) };
    const episodes = [];
    for await (const row of formats.readFiles(
      files.map((file) => join(data, file)),
      options,
    ))
      if (row.kind === 'trajectory') episodes.push(row.trajectory);
    sets.push({ name, episodes });
  }
  return sets;
}
