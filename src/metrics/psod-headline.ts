import type { Figure } from './figure.ts';
import { NO_CONTEXT, type OverfittingOptions, type PanelDesign } from './panel-gaps.ts';

/** The crossed estimate wherever it has an interval, or the drawn one has none either; else the drawn one, named. */
export interface DesignedFigure {
  readonly design: PanelDesign;
  readonly figure: Figure;
}

/**
 * Which of two named estimators of PSOD is shown. The crossed one needs contexts that every simulator of both panels
 * played: where members are drawn there may be none, or too few for an interval. The figure then says so in `method`
 * and, in words, in `reason`.
 */
export function headlineGap(
  estimate: (options: OverfittingOptions) => Figure,
  options: OverfittingOptions = {},
): DesignedFigure {
  const crossed = estimate({ ...options, design: 'crossed' });
  if (crossed.low !== null) return { design: 'crossed', figure: crossed };
  const drawn = estimate({ ...options, design: 'drawn' });
  const better = drawn.low !== null || (crossed.value === null && drawn.value !== null);
  if (!better) return { design: 'crossed', figure: crossed };
  const lacks = crossed.value === null ? 'is not known' : 'has no interval';
  const reason = `of members as they were drawn; over every simulator it ${lacks}: ${crossed.reason ?? NO_CONTEXT.crossed}`;
  return {
    design: 'drawn',
    figure: { ...drawn, reason: drawn.reason === undefined ? reason : `${drawn.reason}; ${reason}` },
  };
}

/** Whether a figure of PSOD is of the members as they were drawn. */
export function isDrawn({ method }: Figure): boolean {
  return method.includes('drawn members');
}
