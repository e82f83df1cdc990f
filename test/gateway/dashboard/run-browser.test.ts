import { describe, expect, test } from 'vitest';
import { LOW_CONTRAST, UNFOLD } from '../../report/browser.ts';
import { HOSTILE } from '../../report/dialogues.ts';
import { sampleEvolve } from '../../report/evolve-fixture.ts';
import { dashboardDesk, dashboardReady } from './dashboard-desk.ts';
import { fakeData } from './fake-data.ts';

describe.skipIf(!dashboardReady())('the run of the loop in the dashboard', () => {
  const { open } = dashboardDesk();
  const show = (page: Awaited<ReturnType<typeof open>>['page']) =>
    page.getByLabel('Run of the loop', { exact: true }).check({ force: true });

  test('is offered where one was sent, and nowhere else', async () => {
    const { page } = await open({ sessions: 4 });
    expect(await page.locator('.view-switch').count()).toBe(0);
    const { page: other } = await open({ sessions: 4, run: sampleEvolve({ underWay: true }) });
    await other.waitForSelector('.view-switch');
    expect(await other.locator('#sessions').count()).toBe(1);
  });

  test.each(['light', 'dark'] as const)(
    'has every part of the static page, logs nothing, keeps its contrast in %s colours and fits a phone',
    async (colorScheme) => {
      const { page, faults, requests, fake } = await open(
        { sessions: 4, run: sampleEvolve() },
        { colorScheme },
      );
      await show(page);
      await page.waitForSelector('#method');
      expect(await page.locator('h1').textContent()).toContain('The policy of round 7 of 8 was selected');
      expect(await page.locator('#rounds .plot').count()).toBe(6);
      expect(await page.locator('#tree .plot').count()).toBe(1);
      expect(await page.locator('#gaps .plot').count()).toBe(1);
      expect(await page.locator('.run-age').textContent()).toMatch(/^Persuasion, seed 1: sent .* ago$/);
      expect(await page.getByText('could not be shown').count()).toBe(0);
      await page.evaluate(UNFOLD);
      await page.waitForTimeout(100);
      const { checked, low } = (await page.evaluate(LOW_CONTRAST)) as { checked: number; low: string[] };
      expect(checked).toBeGreaterThan(1000);
      expect(low).toEqual([]);
      await page.setViewportSize({ width: 360, height: 740 });
      await page.waitForTimeout(100);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
      expect(faults).toEqual([]);
      expect(requests.filter((url) => !url.startsWith(fake.url) && !url.startsWith('data:'))).toEqual([]);
    },
  );

  test('follows the rounds as they are sent, and asks for no run that it has', async () => {
    const run = (rounds: number) => sampleEvolve({ rounds, underWay: true });
    const { page, fake } = await open({ sessions: 4, run: run(2) });
    await show(page);
    expect(await page.locator('h1').textContent()).toContain('2 of 8 rounds are over');
    const next = fakeData({ sessions: 4, run: run(3) });
    fake.change({ ...next, evolve: { ...next.evolve, updatedAt: next.evolve.updatedAt! + 1 } });
    await page.getByText('3 of 8 rounds are over').waitFor();
    const asked = fake.asked.filter((path) => path.includes('/api/evolve'));
    expect(asked.slice(1).every((path) => path.includes('?after='))).toBe(true);
    // The gateway's own parts are one choice away.
    await page.getByLabel('Gateway', { exact: true }).check({ force: true });
    expect(await page.locator('#sessions').count()).toBe(1);
  });

  test('hostile text stays text', async () => {
    const { page } = await open({ sessions: 4, run: sampleEvolve({ texts: HOSTILE }) });
    await show(page);
    await page.waitForSelector('#method');
    await page.evaluate(UNFOLD);
    expect(await page.evaluate('window.__hit')).toBeUndefined();
    expect(await page.locator('main img, main script, main style, main base, main iframe').count()).toBe(0);
  });
});
