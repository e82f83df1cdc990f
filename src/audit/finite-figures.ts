import type { Figure } from '../metrics/index.ts';

const TOO_LARGE = 'the numbers are too large to compute with';

/**
 * The same data with every figure finite, or null with the reason: JSON would print an overflow as a null that says
 * nothing. Rewards of 1e200 are numbers, and their squares are not. Figures may stand at any depth.
 */
export function finiteFigures<T>(data: T): T {
  return walked(data) as T;
}

function walked(data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return data;
  if (Array.isArray(data)) {
    const items = data.map(walked);
    return items.some((item, i) => item !== data[i]) ? items : data;
  }
  let changed: Record<string, unknown> | null = null;
  for (const [key, value] of Object.entries(data)) {
    const sound = walked(value);
    if (sound === value) continue;
    changed ??= { ...data };
    changed[key] = sound;
  }
  const found = changed ?? data;
  return isFigure(found) ? finite(found) : found;
}

function isFigure(data: object): data is Figure {
  return 'value' in data && 'low' in data && 'high' in data && 'method' in data;
}

/** Other figures may stand inside one: they stay. */
function finite(figure: Figure): Figure {
  const { value, low, high, se, df, detectable, ...rest } = figure;
  const whole = [value, low, high, se ?? null, df ?? null, detectable ?? null].every(
    (number) => number === null || Number.isFinite(number),
  );
  if (whole) return figure;
  const known = value !== null && Number.isFinite(value) ? value : null;
  return { ...rest, value: known, low: null, high: null, reason: figure.reason ?? TOO_LARGE };
}
