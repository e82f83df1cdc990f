import type { LabSign, LabTable } from '../../../src/report/lab-payload.ts';
import { count } from '../format.ts';
import { Missing, Name } from '../number.tsx';
import { Section } from '../shell.tsx';
import { type Column, Table } from '../table.tsx';
import { differenceText } from './lab-figure-text.ts';

interface Phenomenon extends Pick<LabSign, 'id' | 'statement' | 'expected' | 'source'> {
  /** By name of the world. */
  readonly found: ReadonlyMap<string, LabSign>;
}

const WORDS = ['seen', 'not seen', 'opposite', 'no interval'] as const;
type Word = (typeof WORDS)[number];
const MEANINGS: Readonly<Record<Word, string>> = {
  seen: 'the interval lies on the expected side',
  'not seen': 'the interval holds 0; where no gain was expected: it does not rule one out',
  opposite: 'the interval lies on the other side',
  'no interval': 'nothing can be said, for the reason given',
};

/** What was published, and whether it happened here. */
export function LabSignsSection({ table }: { table: LabTable }) {
  const phenomena = phenomenaOf(table);
  const sources = [...new Set(phenomena.map(({ source }) => source))];
  const columns: Column<Phenomenon>[] = [
    {
      id: 'statement',
      header: 'Phenomenon',
      node: ({ statement, id }) => (
        <>
          <Name>{statement}</Name>
          <span class="fine lab-id">{id}</span>
        </>
      ),
    },
    {
      id: 'expected',
      header: 'Expected',
      text: ({ expected }) => (expected === 'not above' ? 'not above 0' : expected),
    },
    ...table.worlds.map(
      ({ name }): Column<Phenomenon> => ({
        id: name,
        header: name,
        node: ({ found }) => <Found sign={found.get(name)} />,
      }),
    ),
  ];
  return (
    <Section
      id="signs"
      title="Expected and seen"
      lead="The sign of each published phenomenon was written down before the first table was made. What is found is a mean over seeds with its 95 % interval, each phenomenon by itself: of many, one in twenty misleads by chance."
    >
      {phenomena.length === 0 ? (
        <Missing>No phenomenon was looked for.</Missing>
      ) : (
        <>
          <ul class="lab-words">
            {WORDS.map((word) => (
              <li key={word}>
                <Tag word={word} /> {MEANINGS[word]}
              </li>
            ))}
          </ul>
          <ul class="lab-tally">
            {table.worlds.map((world) => (
              <li key={world.name}>
                <b>{world.name}</b>{' '}
                {WORDS.map((word) => ({
                  word,
                  n: world.signs.filter((sign) => wordOf(sign) === word).length,
                }))
                  .filter(({ n }) => n > 0)
                  .map(({ word, n }) => `${count(n)} ${word}`)
                  .join(', ')}
              </li>
            ))}
          </ul>
          <Table caption="Published phenomena in each world" columns={columns} rows={phenomena} />
          <p class="notes">
            Source: <Name>{sources.join('; ')}</Name>
          </p>
        </>
      )}
    </Section>
  );
}

function phenomenaOf(table: LabTable): Phenomenon[] {
  const byId = new Map<string, Phenomenon & { found: Map<string, LabSign> }>();
  for (const { name, signs } of table.worlds)
    for (const sign of signs) {
      const { id, statement, expected, source } = sign;
      const own = byId.get(id) ?? { id, statement, expected, source, found: new Map<string, LabSign>() };
      own.found.set(name, sign);
      byId.set(id, own);
    }
  return [...byId.values()];
}

const wordOf = ({ verdict }: LabSign): Word => verdict ?? 'no interval';

function Found({ sign }: { sign: LabSign | undefined }) {
  if (sign === undefined) return <span class="fine">not asked of this world</span>;
  const { figure } = sign;
  return (
    <span class="lab-found">
      <Tag word={wordOf(sign)} />
      {figure.value === null ? (
        <span class="fine">{figure.reason ?? 'no reason given'}</span>
      ) : (
        <span class="value">
          {differenceText(figure)} <span class="value-n">n {count(figure.n)}</span>
        </span>
      )}
    </span>
  );
}

function Tag({ word }: { word: Word }) {
  return (
    <span class={`lab-tag lab-${word.replace(' ', '-')}`}>
      <svg viewBox="0 0 14 14" width="12" height="12" aria-hidden="true">
        {word === 'seen' && <circle cx="7" cy="7" r="5.5" fill="currentColor" />}
        {word === 'not seen' && (
          <circle cx="7" cy="7" r="4.8" fill="none" stroke="currentColor" stroke-width="1.8" />
        )}
        {word === 'opposite' && <path d="M2.5 2.5l9 9m0-9l-9 9" stroke="currentColor" stroke-width="2.2" />}
        {word === 'no interval' && <path d="M2 7h10" stroke="currentColor" stroke-width="2" />}
      </svg>
      {word}
    </span>
  );
}
