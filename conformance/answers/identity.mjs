import { recordsOf } from './figure.mjs';

export function scenario(input, { trajectory }) {
  return { normalised: trajectory.normaliseScenario(input.text) };
}

/** Identity of the context, and hash of what happened. */
export function episode(input, { trajectory }) {
  const { turns, benchmark = null, domain = null, scenario: text = null, contextLabel = null } = input;
  const contentHash = trajectory.contentHash(turns, text);
  const { context, contextFrom } = trajectory.contextIdentity(
    { benchmark, domain, scenario: text, contextLabel },
    contentHash,
  );
  return { contentHash, context, contextFrom };
}

/** The number in [0, 1) by which samples are cut and splits are made, and the 32-bit hash behind it. */
export function order(input, { math }) {
  const answers = {};
  input.hashes.forEach((hash, i) => {
    answers[`hash32.${i}`] = math.hash32(hash, input.seed);
    answers[`order.${i}`] = math.hashOrder(hash, input.seed);
  });
  return answers;
}

/** Parts of people by content hash; `known` = parts of a frozen space. */
export function referenceSplit(input, { space }) {
  const people = recordsOf(input.table);
  const parts =
    input.known === undefined
      ? space.splitReference(people, input.seed)
      : space.placeReference(people, new Map(Object.entries(input.known)), input.seed);
  return Object.fromEntries([...parts].sort().map(([hash, part]) => [`part.${hash}`, part]));
}

const BLANK = {
  contextFrom: 'scenario',
  contextLabel: null,
  person: null,
  kind: 'llm',
  checkpoint: null,
  epoch: null,
  group: null,
  split: null,
  reward: null,
  part: null,
  cell: 0,
  interactionCell: 0,
  outside: false,
  interactionOutside: false,
  semanticOutside: false,
  actClass: null,
};

function profileOf({ spaceId, seed, reservoirSize, table }, space) {
  const builder = new space.ProfileBuilder(spaceId, { seed, reservoirSize });
  for (const row of recordsOf(table)) {
    builder.add({ ...BLANK, ...row, turnCells: new Uint8Array(), policyCells: new Uint8Array() });
    builder.addReservoir({
      hash: row.hash,
      simulator: row.simulator,
      context: row.context,
      part: row.part ?? null,
      z: null,
      interaction: new Float32Array(1),
      features: new Float32Array(1),
      excerpt: '',
    });
  }
  return builder.build();
}

/** Profiles of shards merged: rows in canonical order, duplicates folded, reservoir by hash order. */
export function merge(input, { space }) {
  const merged = space.mergeProfiles(input.shards.map((shard) => profileOf({ ...input, ...shard }, space)));
  const rows = Array.from({ length: merged.size }, (_, at) => merged.row(at));
  const answers = { size: merged.size };
  for (const field of [
    'hash',
    'simulator',
    'policy',
    'checkpoint',
    'epoch',
    'context',
    'reward',
    'part',
    'group',
  ])
    answers[field] = rows.map((row) => row[field]);
  answers.ids = rows.map(({ ids }) => ids.join(' '));
  answers.reservoir = merged.reservoir.map(({ hash, simulator }) => `${simulator} ${hash}`);
  return answers;
}
