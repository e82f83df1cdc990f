import { useMemo } from 'preact/hooks';
import type { RoundCost } from '../../../src/loop/round-record.ts';
import type { EvolveView } from '../../../src/report/evolve-payload.ts';
import { count } from '../format.ts';
import { Missing } from '../number.tsx';
import { Section } from '../shell.tsx';
import { type Column, Table } from '../table.tsx';
import { Tiles } from '../tiles.tsx';

interface CostRow {
  readonly what: string;
  readonly cost: RoundCost;
  /** Turns of the round's auditions; null where nobody was auditioned. */
  readonly auditions: number | null;
}

const COLUMNS: readonly Column<CostRow>[] = [
  { id: 'what', header: 'Round', text: ({ what }) => what },
  { id: 'probe', header: 'Probe episodes', number: ({ cost }) => cost.probeEpisodes },
  { id: 'train', header: 'Training episodes', number: ({ cost }) => cost.trainEpisodes },
  { id: 'turns', header: 'Turns of both sides', number: ({ cost }) => cost.turns },
  {
    id: 'auditions',
    header: 'Turns of auditions',
    hint: 'Of the candidates made in the round',
    number: ({ auditions }) => auditions,
  },
];

/** What was played, and for what. */
export function EvolveCostSection({ view }: { view: EvolveView }) {
  const rows = useMemo(() => costRows(view), [view]);
  const total = rows.at(-1)?.cost;
  return (
    <Section
      id="cost"
      title="Cost"
      lead="Episodes and turns that were played; probes are measured and never trained on."
    >
      {total === undefined ? (
        <Missing>No round is over yet.</Missing>
      ) : (
        <>
          <Tiles
            tiles={[
              {
                name: 'Probe episodes',
                value: count(total.probeEpisodes),
                meaning: 'auditions, looks, comparisons, exams',
              },
              {
                name: 'Training episodes',
                value: count(total.trainEpisodes),
                meaning: 'what the policy learned from',
              },
              { name: 'Turns', value: count(total.turns), meaning: 'of both sides together' },
            ]}
          />
          <details class="as-table">
            <summary>Show as a table</summary>
            <Table
              caption="Cost by round"
              columns={COLUMNS}
              rows={rows}
              tone={({ what }) => (what.startsWith('all') ? 'row-marked' : undefined)}
            />
          </details>
        </>
      )}
    </Section>
  );
}

function costRows({ rounds, members, cost, finished }: EvolveView): CostRow[] {
  if (rounds.length === 0 && cost === null) return [];
  const auditions = (round: number | null): number | null => {
    const turns = members.flatMap((member) =>
      (round === null || member.round === round) && member.audition !== null ? [member.audition.turns] : [],
    );
    return turns.length === 0 ? null : turns.reduce((sum, one) => sum + one, 0);
  };
  const sum = (of: (cost: RoundCost) => number) => rounds.reduce((total, round) => total + of(round.cost), 0);
  const rest = cost ?? {
    probeEpisodes: sum(({ probeEpisodes }) => probeEpisodes),
    trainEpisodes: sum(({ trainEpisodes }) => trainEpisodes),
    turns: sum(({ turns }) => turns),
  };
  return [
    ...rounds.map((round) => ({
      what: String(round.round),
      cost: round.cost,
      auditions: auditions(round.round),
    })),
    {
      what: finished ? 'all, the last examination included' : 'all so far',
      cost: rest,
      auditions: auditions(null),
    },
  ];
}
