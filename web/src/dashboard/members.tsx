import { useMemo } from 'preact/hooks';
import type { MemberView, PopulationView } from '../../../src/gateway/api/control.ts';
import { count, number, percent, plural, setting } from '../format.ts';
import { Name } from '../number.tsx';
import { Section } from '../shell.tsx';
import { type Column, Table } from '../table.tsx';
import { Waiting } from './verdict.tsx';

const STATES: Readonly<Record<MemberView['state'], string>> = {
  up: 'up',
  resting: 'resting after failures',
  probing: 'tried again',
};

const COLUMNS: readonly Column<MemberView>[] = [
  {
    id: 'id',
    header: 'Member',
    text: ({ id }) => id,
    node: ({ id, model, recipe, antiCollapse }) => (
      <span class="member-name">
        <Name>{id}</Name>
        <span class="fine member-recipe">
          {recipe}
          {model === null ? '' : `, ${model}`}
        </span>
        {antiCollapse && <span class="tag tag-anti">anti-collapse</span>}
      </span>
    ),
  },
  { id: 'panel', header: 'Panel', text: ({ panel }) => panel },
  {
    id: 'share',
    header: 'Share now',
    hint: 'Of new sessions of its panel at the present level',
    node: ({ share }) => <Share share={share} />,
  },
  {
    id: 'state',
    header: 'State',
    node: ({ state }) => (
      <span class={`member-state state-${state}`}>
        <i aria-hidden="true" />
        {STATES[state]}
      </span>
    ),
    text: ({ state }) => state,
  },
  { id: 'weight', header: 'Weight', number: ({ weight }) => weight, format: setting },
  { id: 'sessions', header: 'Sessions', number: ({ sessions }) => sessions },
  { id: 'turns', header: 'Turns', number: ({ turns }) => turns },
  {
    id: 'failures',
    header: 'Failures',
    hint: 'Requests to it that failed',
    number: ({ failures }) => failures,
  },
  {
    id: 'fallbacks',
    header: 'Fallbacks',
    hint: 'Turns in which its recipe could not be kept',
    number: ({ fallbacks }) => fallbacks,
  },
  {
    id: 'mci',
    header: 'MCI',
    hint: 'Chance that two of its sessions share a mode',
    figure: ({ mci }) => mci,
  },
  { id: 'prompt', header: 'Tokens in', number: ({ promptTokens }) => promptTokens },
  { id: 'completion', header: 'Tokens out', number: ({ completionTokens }) => completionTokens },
  {
    id: 'probe-prompt',
    header: 'Probes in',
    hint: 'Tokens of probes, beside those of clients',
    number: ({ probeTokens }) => probeTokens.prompt,
  },
  { id: 'probe-completion', header: 'Probes out', number: ({ probeTokens }) => probeTokens.completion },
  {
    id: 'unmetered',
    header: 'Unmetered',
    hint: 'Replies whose upstream gave no account of tokens: they are in no sum',
    number: ({ unmetered }) => unmetered,
  },
  {
    id: 'cost',
    header: 'Cost',
    hint: 'Of all tokens, by the prices in the settings; – where there are none, ≥ where replies are unmetered',
    number: ({ cost }) => cost,
    format: (value, { costIsLow }) => `${costIsLow ? '≥ ' : ''}${number(value, 2)}`,
  },
  { id: 'family', header: 'Family', text: ({ family }) => family },
  { id: 'upstream', header: 'Upstream', text: ({ upstream }) => upstream ?? 'none' },
  {
    id: 'fingerprint',
    header: 'Fingerprint',
    text: ({ fingerprint }) => fingerprint,
    node: ({ fingerprint }) => (
      <code class="fingerprint" title={fingerprint}>
        {fingerprint.length > 12 ? `${fingerprint.slice(0, 12)}…` : fingerprint}
      </code>
    ),
  },
];

const DRAWS: Readonly<Record<string, string>> = {
  uniform: 'each member as often as the next',
  weighted: 'by weight',
  group: 'one member for each group',
  'least-covered': 'the least covered first',
};

/** Who speaks, how often, and how it went. */
export function MembersSection({
  population,
  fault,
}: {
  population: PopulationView | null;
  fault: string | undefined;
}) {
  const members = population?.members ?? [];
  const shares = useMemo(() => members.filter(({ panel }) => panel === 'seen').length, [members]);
  return (
    <Section
      id="members"
      title="Members"
      lead={
        population === null
          ? 'The simulated users in service.'
          : `${plural(shares, 'member')} of the seen panel ${shares === 1 ? 'is' : 'are'} drawn for training: ${DRAWS[population.draw] ?? population.draw}. The panels selection and test are held out.`
      }
    >
      {population === null ? (
        <Waiting fault={fault} what="members" />
      ) : (
        <Table
          caption={`${count(members.length)} members at level ${population.level}`}
          columns={COLUMNS}
          rows={members}
          sortable
          empty="The population has no member."
        />
      )}
    </Section>
  );
}

function Share({ share }: { share: number }) {
  return (
    <span class="share tone-simulator">
      <svg viewBox="0 0 10 4" preserveAspectRatio="none" aria-hidden="true">
        <rect class="share-rest" width="10" height="4" />
        <rect width={10 * Math.min(1, Math.max(0, share))} height="4" fill="currentColor" />
      </svg>
      {share === 0 ? <span class="zero">0</span> : percent(share)}
    </span>
  );
}
