import type { GatewaySettings } from './settings.ts';

/**
 * What a gateway will do, one line a fact: printed at its start and by `--dry-run`. Holds no secret.
 * `order`: ids in the order of the file, in which its reader looks for them.
 */
export function describeSettings(settings: GatewaySettings, order: readonly string[] = []): string[] {
  const { population, upstreams, probes, live, breaker, keys, recorder, webhooks } = settings;
  const place = new Map(order.map((id, i) => [id, i]));
  const { panels } = population;
  const lines: string[] = [];
  for (const panel of ['seen', 'selection', 'test'] as const) {
    const members = [...panels[panel]].sort(
      (a, b) => (place.get(a.id) ?? order.length) - (place.get(b.id) ?? order.length),
    );
    if (members.length === 0) continue;
    const model = panel === 'seen' ? 'population' : `panel/${panel}`;
    lines.push(`${model}: ${members.map(({ id, recipe }) => `${id} (${recipe.kind})`).join(', ')}`);
  }
  for (const [name, target] of Object.entries(population.aliases)) lines.push(`alias ${name}: ${target}`);
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
  // A path may be the secret of whoever may post there.
  for (const { url, headerEnv } of webhooks)
    lines.push(
      `webhook: ${new URL(url).origin}${headerEnv === null ? '' : `, authorization of ${headerEnv}`}`,
    );
  if (keys.clientEnv === null) lines.push('clients need no key');
  return lines;
}

/** Ids of a written file's panels, in its order. Empty where it has none. */
export function writtenOrder(written: unknown): string[] {
  const { population } = (written ?? {}) as { population?: Record<string, unknown> };
  return ['seen', 'selection', 'test']
    .flatMap((panel) => population?.[panel] ?? [])
    .filter((id) => typeof id === 'string');
}

/** A query may hold a token. */
const shownUrl = (url: string): string => url.replace(/[?#].*$/, '');

const DRAWS: Readonly<Record<GatewaySettings['population']['draw'], string>> = {
  group: 'one member a group of rollouts, by weight',
  uniform: 'a member a session, each alike',
  weighted: 'a member a session, by weight',
  'least-covered': 'one member a group, who adds most of what is uncovered',
};
