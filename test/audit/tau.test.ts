import { describe, expect, it } from 'vitest';
import { audit, fit as fitTo, scan } from '../../src/audit/index.ts';
import { adjustedMutualInformation } from '../../src/math/index.ts';
import { modeInformationRows } from '../../src/space/index.ts';
import { episodes, hasData, recordsOf } from '../data.ts';

describe.runIf(hasData('tau2') && hasData('tau1'))('tau2 and tau-bench airline together', async () => {
  const here = hasData('tau2') && hasData('tau1');
  const rows = here ? await episodes(['tau2/airline*.gz', 'tau1/airline*.gz']) : [];
  const report = here ? (await audit({ records: recordsOf(rows) }, { seed: 0 })).report : null;

  it('tells 219 contexts of 60 task numbers apart, and seven simulators', () => {
    expect(new Set(rows.map((row) => row.contextLabel)).size).toBe(60);
    // 169 scenarios, and 50 labels of the file that carries other tasks than were run.
    expect(report!.space.contexts).toBe(219);
    expect(report!.simulators).toHaveLength(7);
  });

  it('keeps modes from telling the task: less than 0.15, and less than the simulator, on left-out rows', () => {
    const { after, n } = report!.space.modeInformation;
    expect(n).toBeGreaterThan(200);
    expect(after.context).toBeLessThanOrEqual(0.15);
    expect(after.context!).toBeLessThan(after.simulator!);
  });

  it('compares by the interaction block: too few of the contexts were met by two simulators', () => {
    expect(report!.space.control).toBe('interaction');
    const labels = report!.confounds.find(({ kind }) => kind === 'label-contexts');
    expect(labels?.text).toMatch(/^9 % of the rows/);
  });

  it('names the six simulators that met one policy only', () => {
    const tied = report!.confounds
      .filter(({ kind }) => kind === 'one-policy')
      .map(({ simulator }) => simulator);
    expect(tied).toHaveLength(6);
    expect(tied).not.toContain('gpt-4o');
  });

  it('accounts for every row', () => {
    const { rows: read, kept, dropped } = report!.input;
    expect(read).toBe(kept + dropped.reduce((sum, { count }) => sum + count, 0));
    expect(report!.simulators.reduce((sum, { n }) => sum + n, 0) + report!.input.duplicates).toBe(kept);
  });

  it('finds the trait-steered user narrow', () => {
    expect(report!.simulators.find(({ id }) => id.startsWith('steer'))!.verdict).toBe('narrow');
  });
});

describe.runIf(hasData('tau2_factorial'))('tau2 retail, where simulators met the same tasks', async () => {
  const here = hasData('tau2_factorial');
  const rows = here ? await episodes(['tau2_factorial/*.gz']) : [];

  it('takes the context out of the full codebook where it can be estimated', async () => {
    const scanned = await scan(recordsOf(rows), { seed: 0 });
    const { space, evidence } = await fitTo(scanned.sample, [], { seed: 0 });
    const { before, after, context, simulator } = modeInformationRows(space, evidence.behaviours, 'context');
    const left = adjustedMutualInformation(after, context);
    expect(left).toBeLessThan(0.05);
    expect(adjustedMutualInformation(before, context)).toBeGreaterThan(left + 0.04);
    expect(adjustedMutualInformation(after, simulator)).toBeGreaterThan(0.2);
  });
});
