import { nearestName } from '../../curation/recipe-fault.ts';
import type { Member, PanelName } from '../../population/index.ts';
import { PROBE_MODEL } from '../recorder/purpose.ts';
import type { PopulationSettings } from '../settings/settings.ts';
import { ApiError } from '../wire/api-error.ts';

/** Whom a model name asks for: any member of a panel, or one of them. */
export interface Route {
  readonly panel: PanelName;
  /** Null: one is drawn. */
  readonly pinned: Member | null;
}

/** Names that a client may give as `model`, in the order in which they are listed. */
export function routeNames({ panels, aliases }: PopulationSettings): string[] {
  return [
    'population',
    ...panels.seen.map(({ id }) => `population/${id}`),
    ...(['selection', 'test'] as const).flatMap((panel) =>
      panels[panel].length === 0
        ? []
        : [`panel/${panel}`, ...panels[panel].map(({ id }) => `panel/${panel}/${id}`)],
    ),
    PROBE_MODEL,
    ...Object.keys(aliases),
  ];
}

/** @throws ApiError 404 `model_not_found`. */
export function routeOf(population: PopulationSettings, model: string): Route {
  // litellm and others put the provider before the name, and some leave it there.
  const asked = model.replace(/^openai\//, '');
  const name = Object.hasOwn(population.aliases, asked) ? population.aliases[asked]! : asked;
  const route = plainRoute(population, name);
  if (route !== null) return route;
  const names = routeNames(population);
  const near = nearestName(asked, names);
  throw new ApiError(
    404,
    `there is no model '${model.slice(0, 200)}'${near === null ? '' : `; did you mean '${near}'?`} GET /v1/models lists them`,
    { param: 'model', code: 'model_not_found' },
  );
}

function plainRoute({ panels }: PopulationSettings, name: string): Route | null {
  if (name === 'population' || name === PROBE_MODEL) return { panel: 'seen', pinned: null };
  const [, seen, rest] = /^(?:(population)|panel\/(?:selection|test))(?:\/(.+))?$/s.exec(name) ?? [];
  const of: PanelName | null =
    seen !== undefined
      ? 'seen'
      : name.startsWith('panel/selection')
        ? 'selection'
        : name.startsWith('panel/test')
          ? 'test'
          : null;
  if (of === null || panels[of].length === 0) return null;
  if (rest === undefined) return name === `panel/${of}` ? { panel: of, pinned: null } : null;
  const pinned = panels[of].find(({ id }) => id === rest);
  return pinned === undefined ? null : { panel: of, pinned };
}
