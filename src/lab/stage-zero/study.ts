import { hashText } from '../../trajectory/identity.ts';
import { VERSION } from '../../version.ts';
import type { TrainingSettings } from '../trainer/index.ts';
import { orderedPanels, type Panels } from './panels.ts';

export const STUDY_SCHEMA = 'collapse-aware/lab-study@1';

/** What all cells of a table share. Worlds, methods and seeds are not part of it: a table may grow. */
export interface Study {
  readonly schema: typeof STUDY_SCHEMA;
  /** Of this package: another one may have other worlds. */
  readonly version: string;
  readonly settings: TrainingSettings;
  readonly panels: Panels;
  /** Of all of the above. */
  readonly hash: string;
}

export function studyOf(settings: TrainingSettings, panels: Panels): Study {
  const { seen, selection, test } = orderedPanels(panels);
  const facts = {
    schema: STUDY_SCHEMA,
    version: VERSION,
    settings: sorted(settings) as TrainingSettings,
    panels: sorted({ seen, selection, test }) as Panels,
  } as const;
  return { ...facts, hash: hashText(JSON.stringify(facts)) };
}

/** Keys in one order throughout: equal studies are equal bytes, whoever wrote their files. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, sorted(one)]),
  );
}

/** The first settings or panels, by path, in which two studies differ; null where they are one. */
export function differenceOf(one: Study, other: Study): string | null {
  if (one.hash === other.hash) return null;
  return (
    firstDifference(one.version, other.version, 'version') ??
    firstDifference(one.settings, other.settings, 'settings') ??
    firstDifference(one.panels, other.panels, 'panels') ??
    'the hash does not fit the settings'
  );
}

function firstDifference(one: unknown, other: unknown, path: string): string | null {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return one === other ? null : `${path} is ${JSON.stringify(one)} there and ${JSON.stringify(other)} here`;
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const found = firstDifference(
      (one as Record<string, unknown>)[key],
      (other as Record<string, unknown>)[key],
      `${path}.${key}`,
    );
    if (found !== null) return found;
  }
  return null;
}
