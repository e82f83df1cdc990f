import type { GatewaySettings } from './settings.ts';

/** What a gateway will do, one line a fact: printed at its start and by `--dry-run`. Holds no secret. */
export function describeSettings(settings: GatewaySettings): string[] {
  const { population, upstreams, probes, live, breaker, keys, recorder } = settings;
  const { panels } = population;
  const lines: string[] = [];
  for (const panel of ['seen', 'selection', 'test'] as const) {
    const members = panels[panel];
    if (members.length === 0) continue;
    const model = panel === 'seen' ? 'population' : `panel/${panel}`;
    lines.push(`${model}: ${members.map(({ id, recipe }) => `${id} (${recipe.kind})`).join(', ')}`);
  }
  lines.push(`draw: ${DRAWS[population.draw]}`);
  for (const { name, baseUrl, apiKeyEnv } of upstreams)
    lines.push(
      `upstream ${name}: ${shownUrl(baseUrl)}${apiKeyEnv === null ? ', no key' : `, key of ${apiKeyEnv}`}`,
    );
  lines.push(
    `store: ${settings.store} (${recorder.durability === 'power' ? 'every reply on disk first' : 'survives the death of the process'})`,
  );
  lines.push(
    probes.share === 0
      ? 'probes: off (epsilon is not measured; probes.share turns them on)'
      : `probes: ${probes.share} of visited histories, ${probes.resamples} replies more of each law (${probes.laws.join(', ')})`,
  );
  lines.push(
    `epochs: ${live.epochs.by === 'trainer' ? 'as the trainer says' : `of ${live.epochs.every} closed sessions`}; space: ${live.space ?? `fitted on the first ${live.warmUp} sessions`}`,
  );
  lines.push(
    breaker.enabled ? `breaker: on, at red new sessions wait ${breaker.holdSeconds} s` : 'breaker: off',
  );
  if (keys.clientEnv === null) lines.push('clients need no key');
  return lines;
}

/** A query may hold a token. */
const shownUrl = (url: string): string => url.replace(/[?#].*$/, '');

const DRAWS: Readonly<Record<GatewaySettings['population']['draw'], string>> = {
  group: 'one member a group of rollouts, by weight',
  uniform: 'a member a session, each alike',
  weighted: 'a member a session, by weight',
  'least-covered': 'one member a group, who adds most of what is uncovered',
};
