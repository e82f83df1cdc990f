import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mappingReader, readMapping } from '../../src/formats/mapping.ts';
import { parsePath } from '../../src/formats/mapping-path.ts';
import { parseMapping } from '../../src/formats/mapping-schema.ts';
import { collect, DATA, hasData, temporary } from './fixture.ts';

const MAPS = join(import.meta.dirname, '../../docs/examples/maps');
const reader = (yaml: string) => mappingReader(parseMapping(yaml, 'map.yaml'));
const fault = (yaml: string): string => {
  try {
    parseMapping(yaml, 'map.yaml');
    return 'none';
  } catch (error) {
    return (error as { line: string }).line;
  }
};

const rounds = [
  {
    topic: 'A',
    ok: true,
    who: { model: 'm1' },
    score: '0.5',
    log: [
      { by: 'bot', say: 'Hi' },
      { by: 'person', say: 'No' },
    ],
  },
  { topic: 'B', ok: false, who: { model: 'm2' }, score: null, log: [{ by: 'person', say: 'x' }] },
  { topic: 'C', ok: true, who: { model: null }, score: 'n/a', log: [{ by: 'person', say: 'x' }] },
  { topic: 'D', ok: true, who: {}, log: [{ by: 'narrator', say: 'x' }] },
  { topic: 'E', ok: true, who: {}, log: [] },
  { topic: 'F', ok: true, who: {}, log: 'none' },
];

const map = `
name: rounds
where: { ok: true }
fields:
  scenario: topic
  simulator: [who.model, { file: '^(.+?)-' }]
  group: { template: 'g-{topic}' }
  epoch: { const: 3 }
  reward: score
  split: { const: test }
turns: { path: log, role: by, text: say, roles: { bot: agent, person: user } }
`;

describe('mappingReader', () => {
  it('reads rows as the mapping says, and gives a reason for each it cannot use', async () => {
    const path = temporary('file7-x.jsonl', rounds.map((round) => JSON.stringify(round)).join('\n'));
    const { trajectories, file } = await collect(path, { reader: reader(map) });
    expect(trajectories).toHaveLength(1);
    expect(trajectories[0]).toMatchObject({
      scenario: 'A',
      contextFrom: 'scenario',
      group: 'g-A',
      epoch: 3,
      reward: 0.5,
      split: 'test',
      simulator: { id: 'm1' },
      turns: [
        { role: 'agent', text: 'Hi' },
        { role: 'user', text: 'No' },
      ],
      source: { line: 1 },
    });
    expect(file.rows).toBe(5);
    expect(file.droppedRows.map((row) => [row.line, row.reason])).toEqual([
      [3, "reward: expected a number, found 'n/a'"],
      [4, "turn 1: 'narrator' is no known role: add it to turns.roles"],
      [5, 'log is empty'],
      [6, 'log: expected an array, found a string'],
    ]);
  });

  it('reads the same rows from lines of arrays, one array and a list inside a document', async () => {
    const good = rounds.slice(0, 1);
    const nested = `rows: data.rounds[*]${map}`;
    const spread = `rows: $[*]${map}`;
    for (const [yaml, text] of [
      [map, JSON.stringify([good])],
      [spread, JSON.stringify(good)],
      [spread, JSON.stringify(good, null, 2)],
      [nested, JSON.stringify({ data: { rounds: [good] } }, null, 2)],
    ] as const) {
      const { trajectories } = await collect(temporary('laid-out.json', text), { reader: reader(yaml) });
      expect(trajectories.map((trajectory) => trajectory.scenario)).toEqual(['A']);
    }
  });

  it('falls back to the file name where a field is empty', async () => {
    const text = JSON.stringify({ ...rounds[0], who: { model: null } });
    const { trajectories } = await collect(temporary('file8-x.jsonl', text), { reader: reader(map) });
    expect(trajectories[0]?.simulator.id).toBe('file8');
  });

  it('lets --simulator-role win over the roles of the mapping', async () => {
    const { trajectories } = await collect(temporary('r.jsonl', JSON.stringify(rounds[0])), {
      reader: reader(map),
      simulatorRole: 'bot',
    });
    expect(trajectories[0]?.turns.map((turn) => turn.role)).toEqual(['user', 'agent']);
  });

  it('puts a table of one turn a row together, wherever its rows stand', async () => {
    const csv =
      'conv,speaker,words,label.x\n1,seller,"Hi, you",greet\n2,buyer,Lone,\n1,buyer,Too dear,haggle\n,buyer,stray,\n';
    const yaml = `
groupBy: conv
fields: { id: conv, simulator: { const: people }, simulatorKind: { const: human } }
turns: { role: speaker, text: words, acts: label.x, roles: { seller: agent, buyer: user } }
`;
    const { trajectories, codes } = await collect(temporary('flat.csv', csv), { reader: reader(yaml) });
    expect(trajectories.map((trajectory) => trajectory.id)).toEqual(['1', '2']);
    expect(trajectories[0]?.turns).toEqual([
      { role: 'agent', text: 'Hi, you', acts: ['greet'] },
      { role: 'user', text: 'Too dear', acts: ['haggle'] },
    ]);
    expect(trajectories[0]?.simulator.kind).toBe('human');
    expect(codes).toEqual(['CA_ROW_INVALID']);
  });

  it('filters by in and not', async () => {
    const text = ['a', 'b', 'c', null]
      .map((k) => JSON.stringify({ k, t: [{ role: 'user', content: 'x' }] }))
      .join('\n');
    const kept = async (where: string) =>
      (
        await collect(temporary('w.jsonl', text), {
          reader: reader(`where: { k: ${where} }\nturns: { path: t }`),
        })
      ).file.rows;
    expect(await kept('{ in: [a, b] }')).toBe(2);
    expect(await kept('{ not: a }')).toBe(3);
    expect(await kept('{ not: [a, null] }')).toBe(2);
    expect(await kept('null')).toBe(1);
  });

  it('warns where nothing names the simulator', async () => {
    const text = JSON.stringify({ t: [{ role: 'user', content: 'x' }] });
    const { trajectories, file } = await collect(temporary('who.jsonl', text), {
      reader: reader('turns: { path: t }'),
    });
    expect(trajectories[0]?.simulator.id).toBe('unknown (file who.jsonl)');
    expect(file.warnings[0]).toContain('does not name the simulator');
  });
});

describe('parseMapping', () => {
  it('says what is wrong and where', () => {
    expect(fault('turns: { path: "a[x]" }')).toMatch(/CA_CONFIG_INVALID.*turns.path: 'a\[x\]' is no path/);
    expect(fault('fields: { colour: x }\nturns: { path: t }')).toMatch(/colour/);
    expect(fault('turns: {}')).toMatch(/turns.path/);
    expect(fault('groupBy: a\nturns: { path: t }')).toMatch(/exclude each other/);
    expect(fault('a: [')).toMatch(/map.yaml:\d+: not YAML/);
    expect(fault('fields: { simulator: { file: "(" } }\nturns: { path: t }')).toMatch(/CA_CONFIG_INVALID/);
    expect(fault('')).toMatch(/CA_CONFIG_INVALID/);
  });

  it('says that a mapping file is missing', async () => {
    await expect(readMapping('/nowhere.yaml')).rejects.toMatchObject({ code: 'CA_FILE_NOT_FOUND' });
  });

  it('reads paths with names, indices and every element', () => {
    expect(parsePath('$.a.b[0][*].c d')).toEqual(['a', 'b', 0, '*each*', 'c d']);
    expect(parsePath('$')).toEqual([]);
  });
});

describe('the shipped mappings', () => {
  it('are valid', async () => {
    for (const name of ['people', 'simulators'])
      expect((await readMapping(join(MAPS, `persuasiontrace-${name}.yaml`))).name).toBe(
        `persuasiontrace-${name}`,
      );
  });

  it.skipIf(!hasData('persuasiontrace'))(
    'read people and four simulators over shared propositions (../shared/data)',
    async () => {
      const people = await collect(join(DATA, 'persuasiontrace/human_rounds.jsonl.gz'), {
        reader: await readMapping(join(MAPS, 'persuasiontrace-people.yaml')),
      });
      expect(people.file).toMatchObject({ rows: 253, kept: 252, droppedBy: { CA_ROW_EMPTY: 1 } });
      expect(people.trajectories.every(({ simulator }) => simulator.kind === 'human')).toBe(true);
      const simulators = await collect(join(DATA, 'persuasiontrace/sim__*.gz'), {
        reader: await readMapping(join(MAPS, 'persuasiontrace-simulators.yaml')),
      });
      expect(simulators.trajectories).toHaveLength(810);
      expect(new Set(simulators.trajectories.map(({ simulator }) => simulator.id))).toEqual(
        new Set([
          'gpt54mini-bayes',
          'gpt54mini-prompted',
          'gpt54mini-bn-authoritarian',
          'gpt54mini-bn-emotional',
        ]),
      );
      expect(new Set(simulators.trajectories.map(({ policy }) => policy.id))).toEqual(
        new Set(['gpt-5-2025-08-07', 'naive']),
      );
      const contexts = new Set(simulators.trajectories.map(({ context }) => context));
      expect(contexts.size).toBe(27);
      const shared = new Set(
        people.trajectories.map(({ context }) => context).filter((context) => contexts.has(context)),
      );
      expect(shared.size).toBe(20);
    },
  );
});
