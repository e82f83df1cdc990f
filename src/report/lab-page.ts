import { LAB_CURVES, type LabCurvePoint, type LabMethod, type LabPage } from './lab-payload.ts';
import { fill } from './page.ts';
import { readTemplate } from './template.ts';

/** Digits of a point of a curve: it is drawn, and its table shows fewer. */
const DIGITS = 4;

/**
 * One self-contained HTML page of a table of the lab: the same prebuilt page, content security policy and inert data
 * as an audit's. It holds no time, so equal tables give equal bytes. Readers without scripts get `plain`.
 * @throws CA_PAGE_NOT_BUILT
 */
export function renderLab(page: LabPage, plain: string, template: string = readTemplate()): string {
  const { table } = page;
  const worlds = table.worlds.map((world) => ({ ...world, methods: world.methods.map(rounded) }));
  return fill(template, { kind: 'lab', page: { ...page, table: { ...table, worlds } } }, plain);
}

function rounded(method: LabMethod): LabMethod {
  const curves = { ...method.curves };
  for (const curve of LAB_CURVES) curves[curve] = method.curves[curve].map(shortPoint);
  return { ...method, curves };
}

function shortPoint({ step, value, low, high, n }: LabCurvePoint): LabCurvePoint {
  return { step, value: short(value), low: short(low), high: short(high), n };
}

function short(x: number | null): number | null {
  return x === null ? null : Number(x.toPrecision(DIGITS));
}
