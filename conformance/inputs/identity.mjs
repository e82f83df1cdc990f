import { drawer } from './draw.mjs';

const random = drawer('identity/hashes');
const hex = () => Array.from({ length: 32 }, () => random.integer(16).toString(16)).join('');
const hashes = Array.from({ length: 16 }, hex);
const says = (role, text) => ({ role, text });
const booking = [says('user', 'I want to move my flight to Friday.'), says('agent', 'Which booking is it?')];
const EXACT = {
  absolute: 0,
  relative: 0,
  why: 'hashes are whole numbers, and orders are multiples of 2^-53',
};
const people = (rows) => ({ fields: ['hash', 'simulator', 'person'], rows });

export const IDENTITY = {
  file: 'identity',
  group: 'identity',
  title: 'Scenario and context identity, content hash, hash order, split of people',
  cases: [
    {
      id: 'scenario/spacing-and-case',
      about: 'Runs of white space become one space, the ends are cut, letters are lowered.',
      task: 'scenario',
      input: { text: '  You are Mia Lee.\n\tCancel  the ORDER\u00a0now. ' },
      theory: { normalised: ['you are mia lee. cancel the order now.', 'by the rule'] },
    },
    {
      id: 'scenario/compatibility-forms',
      about: 'NFKC: ligature, full-width letters, superscript, composed accent.',
      task: 'scenario',
      input: { text: '\ufb01nd \uff21\uff22 room\u00b2 at the Cafe\u0301' },
      theory: { normalised: ['find ab room2 at the caf\u00e9', 'by the rule'] },
    },
    {
      id: 'episode/scenario',
      about: 'Identity is benchmark / domain / first 16 digits of the SHA-256 of the normalised scenario.',
      task: 'episode',
      input: {
        benchmark: 'tau2',
        domain: 'airline',
        scenario: 'You want to fly on Friday.',
        contextLabel: '7',
        turns: booking,
      },
    },
    {
      id: 'episode/scenario-written-otherwise',
      about: 'Case and spacing of the scenario change neither the context nor the content hash.',
      task: 'episode',
      input: {
        benchmark: 'tau2',
        domain: 'airline',
        scenario: ' you want to FLY\non friday.',
        contextLabel: '9',
        turns: booking,
      },
    },
    {
      id: 'episode/same-task-number-elsewhere',
      about: 'Another benchmark, the same scenario: another context, the same content.',
      task: 'episode',
      input: {
        benchmark: 'tau1',
        domain: 'airline',
        scenario: 'You want to fly on Friday.',
        contextLabel: '7',
        turns: booking,
      },
    },
    {
      id: 'episode/label-only',
      about: 'No scenario text: the bare task id, and said so. A blank scenario is none.',
      task: 'episode',
      input: { benchmark: 'tau1', domain: null, scenario: '  ', contextLabel: '12', turns: booking },
      theory: { context: ['tau1/-/label:12', 'by the rule'], contextFrom: ['label', 'by the rule'] },
    },
    {
      id: 'episode/nothing-known',
      about: 'Neither scenario nor label: the content hash stands in, and such contexts never repeat.',
      task: 'episode',
      input: { benchmark: null, domain: null, scenario: null, contextLabel: null, turns: booking },
      theory: { contextFrom: ['none', 'by the rule'] },
    },
    {
      id: 'episode/tool-calls',
      about:
        'Tool calls enter with name and arguments as compact JSON, keys in the order of the file; a turn without text enters as empty text.',
      task: 'episode',
      input: {
        benchmark: 'b',
        domain: 'd',
        scenario: 'Refund it.',
        contextLabel: null,
        turns: [
          ...booking,
          {
            role: 'agent',
            text: null,
            toolCalls: [
              { name: 'find', arguments: { order: '#12', limit: 2.5, tags: ['a', null, true] } },
              { name: 'wait', arguments: 'soon' },
              { name: 'none', arguments: null },
            ],
          },
          says('tool', '{"found": false}'),
          says('user', 'Gr\u00fc\u00dfe \ud83d\ude42'),
        ],
      },
    },
    {
      id: 'episode/what-does-not-enter',
      about:
        'Acts, ids of calls, probabilities and who asked a tool do not enter: the same content hash as above.',
      task: 'episode',
      input: {
        benchmark: 'b',
        domain: 'd',
        scenario: 'refund it.',
        contextLabel: 'x',
        turns: [
          { ...booking[0], acts: ['request'], probability: 0.5, probeProbability: 0.25 },
          booking[1],
          {
            role: 'agent',
            text: null,
            toolCalls: [
              { id: 'c1', name: 'find', arguments: { order: '#12', limit: 2.5, tags: ['a', null, true] } },
              { id: 'c2', name: 'wait', arguments: 'soon' },
              { id: 'c3', name: 'none', arguments: null },
            ],
          },
          { role: 'tool', text: '{"found": false}', requestor: 'agent' },
          says('user', 'Gr\u00fc\u00dfe \ud83d\ude42'),
        ],
      },
    },
    {
      id: 'order/hex',
      about:
        'MurmurHash3 (32 bit, two UTF-16 units a block) of a content hash, and the 53-bit number made of two of them.',
      task: 'order',
      input: { seed: 1, hashes: hashes.slice(0, 5) },
      tolerance: EXACT,
    },
    {
      id: 'order/other-seed',
      about: 'The same hashes with another seed.',
      task: 'order',
      input: { seed: 20_260, hashes: hashes.slice(0, 5) },
      tolerance: EXACT,
    },
    {
      id: 'order/any-text',
      about: 'Empty text, odd length, letters outside ASCII, a pair of surrogates.',
      task: 'order',
      input: { seed: 0, hashes: ['', 'a', 'ab', 'abc', 'na\u00efve', '\ud83d\ude42'] },
      tolerance: EXACT,
    },
    {
      id: 'order/published-vectors',
      about:
        'Over UTF-16 units in little-endian bytes the hash is MurmurHash3_x86_32: texts whose bytes spell aaaa, abcd, ab, aa and nothing.',
      task: 'order',
      input: { seed: 0x9747b28c, hashes: ['\u6161\u6161', '\u6261\u6463', '\u6261', '\u6161', ''] },
      theory: {
        'hash32.0': [0x5a97808a, 'MurmurHash3_x86_32 of aaaa'],
        'hash32.1': [0xf0478627, 'MurmurHash3_x86_32 of abcd'],
        'hash32.2': [0x74875592, 'MurmurHash3_x86_32 of ab'],
        'hash32.3': [0x5d211726, 'MurmurHash3_x86_32 of aa'],
        'hash32.4': [0xebb6c228, 'MurmurHash3_x86_32 of no bytes'],
      },
      tolerance: EXACT,
    },
    {
      id: 'split/persons',
      about:
        'Nine persons (one with two episodes, one who shares an episode with another, two unnamed): whole persons go to a part.',
      task: 'reference-split',
      input: {
        seed: 1,
        table: people([
          [hashes[0], 'people', 'p1'],
          [hashes[1], 'people', 'p1'],
          [hashes[2], 'people', 'p2'],
          [hashes[3], 'people', 'p3'],
          [hashes[3], 'people', 'p4'],
          [hashes[4], 'people', 'p4'],
          [hashes[5], 'people', 'p5'],
          [hashes[6], 'people', null],
          [hashes[7], 'people', null],
          [hashes[8], 'people', 'p6'],
          [hashes[9], 'people', 'p7'],
          [hashes[10], 'others', 'p7'],
        ]),
      },
    },
    {
      id: 'split/renamed',
      about: 'Other names for the same persons, rows in another order: the same parts.',
      task: 'reference-split',
      input: {
        seed: 1,
        table: people([
          [hashes[10], 'o', 'x'],
          [hashes[9], 'q', 'a'],
          [hashes[8], 'q', 'z'],
          [hashes[7], 'q', null],
          [hashes[6], 'q', null],
          [hashes[5], 'q', 'c'],
          [hashes[4], 'q', 'd'],
          [hashes[3], 'q', 'd'],
          [hashes[3], 'q', 'e'],
          [hashes[2], 'q', 'f'],
          [hashes[1], 'q', 'b'],
          [hashes[0], 'q', 'b'],
        ]),
      },
    },
    {
      id: 'split/frozen-space',
      about: 'A frozen space: known people keep their part, new ones are shared between mass and ceiling.',
      task: 'reference-split',
      input: {
        seed: 1,
        known: { [hashes[0]]: 'fit', [hashes[2]]: 'mass' },
        table: people([
          [hashes[0], 'people', 'p1'],
          [hashes[11], 'people', 'p1'],
          [hashes[2], 'people', 'p2'],
          [hashes[12], 'people', 'p8'],
          [hashes[13], 'people', 'p9'],
          [hashes[14], 'people', null],
          [hashes[15], 'people', null],
        ]),
      },
    },
  ],
};

const FIELDS = [
  'hash',
  'ids',
  'simulator',
  'policy',
  'checkpoint',
  'epoch',
  'context',
  'reward',
  'part',
  'group',
];
const [a, b, c, d] = [...hashes].sort();
const rows = [
  [c, [7], 'llm', 'p', '100', 2, 'ctx2', 1, null, 'g2'],
  [a, [3], 'llm', 'p', '100', 1, 'ctx1', 0, null, 'g1'],
  [a, [9], 'llm', 'p', '20', 1, 'ctx1', 0, null, 'g1'],
  [b, [4], 'llm', 'p', null, null, 'ctx1', null, null, null],
  [b, [5], 'llm', 'p', null, null, 'ctx1', 0.5, null, null],
  [d, [6], 'People', 'p', null, null, 'ctx1', null, 'mass', null],
  [b, [2], 'people', 'p', null, null, 'ctx1', null, 'ceiling', null],
  [b, [1], 'Llm', 'p', null, 10, 'ctx1', 0.5, null, null],
  [b, [8], 'Llm', 'p', null, 9, 'ctx1', 0.5, null, null],
  [c, [11], 'llm', 'p', '100', 2, 'ctx0', 1, null, 'g2'],
  [d, [12], 'llm', 'p', '100', 2, 'ctx2', 1, null, 'g3'],
];
const again = [c, [2], 'llm', 'p', '100', 2, 'ctx2', 1, null, 'g9'];
const shard = (list) => ({ table: { fields: FIELDS, rows: list } });
const space = { spaceId: 'space-1', seed: 1, reservoirSize: 2 };

export const PROFILE = {
  file: 'profile',
  group: 'profile',
  title: 'Merge of profiles: canonical order, folded duplicates, reservoir',
  cases: [
    {
      id: 'merge/whole',
      about:
        'One shard. Order: content hash, simulator, policy, checkpoint, epoch, context, reward, part; text by code units, numbers by size, null first. One row comes twice: ids are united, of other fields the smaller stays.',
      task: 'merge',
      input: { ...space, shards: [shard([...rows, again])] },
    },
    {
      id: 'merge/overlapping-shards',
      about: 'The same rows in three shards that overlap, in another order: the same profile.',
      task: 'merge',
      input: {
        ...space,
        shards: [
          shard([again, ...rows.slice(6)].reverse()),
          shard(rows.slice(3, 9)),
          shard(rows.slice(0, 5)),
        ],
      },
    },
    {
      id: 'merge/smallest-reservoir',
      about: 'Of unequal reservoir sizes the smallest counts.',
      task: 'merge',
      input: {
        ...space,
        shards: [
          { ...shard(rows.slice(0, 6)), reservoirSize: 3 },
          { ...shard(rows.slice(6)), reservoirSize: 1 },
        ],
      },
    },
    {
      id: 'merge/two-spaces',
      about: 'Rows that were placed in different spaces are never merged.',
      task: 'merge',
      input: {
        ...space,
        shards: [shard(rows.slice(0, 2)), { ...shard(rows.slice(2, 4)), spaceId: 'space-2' }],
      },
      theory: { error: ['CA_SPACE_MISMATCH', 'numbers of two spaces are never compared'] },
    },
    {
      id: 'merge/nothing',
      about: 'No profile at all.',
      task: 'merge',
      input: { ...space, shards: [] },
      theory: { error: ['CA_INPUT_EMPTY', 'there is nothing to merge'] },
    },
  ],
};
