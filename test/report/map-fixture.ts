import type { AuditPage, AuditReport } from '../../src/audit/report-data.ts';
import { seeded } from '../../src/math/index.ts';
import { WAYS } from './dialogues.ts';

/** Points scattered about one centre a mode, drawn from each simulator's own shares. */
export function mapAndModes(
  report: AuditReport,
  points: number,
  text: (way: number, at: number) => string,
  texts: readonly string[] | undefined,
): Pick<AuditPage, 'map' | 'modes'> {
  const random = seeded('map');
  const { k } = report.space;
  const centroids = Array.from({ length: k }, (_, mode) => ({
    x: 3.2 * Math.cos(mode * 2.4) * Math.sqrt((mode + 0.6) / k),
    y: 2.4 * Math.sin(mode * 2.4) * Math.sqrt((mode + 0.6) / k),
    mode,
  }));
  const groups = [
    ...(report.reference === null
      ? []
      : [{ id: report.reference.id, shares: report.reference.shares, human: true, outside: 0.05 }]),
    ...report.simulators.map((s) => ({
      id: s.id,
      shares: s.shares,
      human: false,
      outside: s.outside.value ?? 0,
    })),
  ];
  return {
    map: {
      points: Array.from({ length: points }, (_, at) => {
        const group = groups[at % groups.length]!;
        let left = random.next();
        const found = group.shares.findIndex((share) => {
          left -= share;
          return left <= 0;
        });
        const mode = Math.max(0, found);
        const outside = random.next() < group.outside;
        const reach = outside ? 1.1 : 0.32;
        return {
          x: (centroids[mode]?.x ?? 0) + random.normal() * reach,
          y: (centroids[mode]?.y ?? 0) + random.normal() * reach,
          simulator: group.id,
          human: group.human,
          mode,
          outside,
          excerpt: `user: ${text(mode, at)}\nagent: Even a small amount helps. Would you consider it?\nuser: ${text(mode, at + 1)}`,
        };
      }),
      centroids,
      explained: 0.34,
      sampled: { shown: points, of: Math.max(points, 2454), seed: 7 },
    },
    modes: Array.from({ length: k }, (_, mode) => ({
      mode,
      label: texts?.[mode % texts.length] ?? WAYS[mode % WAYS.length]?.label ?? '',
      people: report.reference?.shares[mode] ?? null,
      exemplars: [text(mode, 0), text(mode, 1)],
    })),
  };
}
