import { describe, expect, it } from 'vitest';
import { type AuditReport, audit } from '../../src/audit/index.ts';
import { episodes, hasData, recordsOf } from '../data.ts';

describe.runIf(hasData('persuasiontrace'))(
  'people and LLM simulators under the same persuaders',
  async () => {
    const here = hasData('persuasiontrace');
    const people = here
      ? (await episodes(['persuasiontrace/human_rounds.jsonl.gz'], 'persuasiontrace-people.yaml')).map(
          (row) => ({
            ...row,
            simulator: { ...row.simulator, kind: 'human' as const },
          }),
        )
      : [];
    const rollouts = here
      ? await episodes(['persuasiontrace/sim__*.gz'], 'persuasiontrace-simulators.yaml')
      : [];
    const run = async (k?: number): Promise<AuditReport> =>
      (
        await audit(
          { records: recordsOf(rollouts), people: recordsOf(people) },
          { seed: 0, ...(k === undefined ? {} : { k }) },
        )
      ).report;
    const atRule = here ? await run() : null;

    it('compares by interaction, because the simulators do not write like people', () => {
      expect(atRule!.space.control).toBe('interaction');
      expect(atRule!.space.controlReason).toMatch(/^style/);
      for (const { style } of atRule!.simulators) expect(style.value).toBeGreaterThan(0.5);
      expect(atRule!.confounds.map(({ kind }) => kind)).toContain('style');
    });

    it('uses fresh people for every figure of the reference', () => {
      const { parts, mci, ceiling } = atRule!.reference!;
      expect(parts.fit + parts.mass + parts.ceiling).toBe(people.length);
      expect(mci.n).toBe(parts.ceiling);
      expect(ceiling.mass.value).toBeGreaterThan(0.5);
    });

    const claims = (report: AuditReport) => {
      expect(report.simulators).toHaveLength(4);
      let judged = 0;
      for (const { id, outside, versusReference, mci, verdict } of report.simulators) {
        const { mci: difference, bdiMass } = versusReference!;
        expect(bdiMass.high, `${id}: BDI mass below people's`).toBeLessThan(0);
        if (outside.value! > 0.5) {
          expect(verdict).toBe('off support');
          expect(mci.reason).toBe('off support');
          expect(difference.reason).toBe('off support');
          continue;
        }
        judged += 1;
        expect(difference.low, `${id}: MCI above people's`).toBeGreaterThan(0);
      }
      return judged;
    };

    it('shows each covering less than fresh people and, unless off support, more concentrated, at K by the rule', () => {
      expect(claims(atRule!)).toBeGreaterThanOrEqual(2);
    });

    it('shows the same at half and at twice as many modes, or says which simulator is off support', async () => {
      const { k, nFit } = atRule!.space;
      expect(claims(await run(Math.max(2, Math.round(k / 2))))).toBeGreaterThanOrEqual(1);
      expect(claims(await run(Math.min(2 * k, Math.floor(nFit / 10))))).toBeGreaterThanOrEqual(1);
    });
  },
);
