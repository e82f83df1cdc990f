import type { MonitorRow } from '../audit/index.ts';
import type { Figure } from '../metrics/index.ts';

/** One step as a line for people. Every number has its name beside it, so that a line can be read alone. */
export function watchLine(row: MonitorRow): string {
  const { simulator, figure } = row.mci;
  const parts = [
    `step ${row.step}`,
    `n ${row.n}`,
    `SCD2 ${withInterval(row.scd2)}`,
    `SCD ${digits(row.scd.value)}`,
    `MCI ${digits(figure.value)}${simulator === null || figure.value === null ? '' : ` ${simulator}`}`,
    `zero-variance ${row.zeroVariance.value === null ? '-' : `${Math.round(100 * row.zeroVariance.value)} %`}`,
    `PSOD ${withInterval(row.psod)}`,
    row.level === row.rules ? row.level : `${row.level} (set by hand; rules: ${row.rules})`,
  ];
  if (row.dropped > 0) parts.push(`dropped ${row.dropped}`);
  return parts.join('  ');
}

function withInterval({ value, low, high }: Figure): string {
  if (value === null) return '-';
  return low === null || high === null
    ? `${digits(value)} [no interval]`
    : `${digits(value)} [${digits(low)}, ${digits(high)}]`;
}

function digits(value: number | null): string {
  return value === null ? '-' : value.toFixed(2).replace(/^-0\.00$/, '0.00');
}
