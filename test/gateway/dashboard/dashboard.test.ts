import { readFileSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { missing } from '../../../src/metrics/index.ts';
import { dashboardPage } from '../../../src/report/index.ts';
import { BUILT, dashboardDesk, dashboardReady } from './dashboard-desk.ts';
import { fakeData } from './fake-data.ts';

test('the dashboard says what to do where it was not built', async () => {
  await expect(dashboardPage(['/nowhere/dashboard.html'])).rejects.toMatchObject({
    code: 'CA_PAGE_NOT_BUILT',
    todo: expect.stringContaining('npm run build'),
  });
});

describe.skipIf(!dashboardReady())('the dashboard in a browser', () => {
  const { open } = dashboardDesk();

  test('is one file of less than 450 kB that may ask the gateway alone', () => {
    expect(statSync(BUILT).size).toBeLessThan(450_000);
    const html = readFileSync(BUILT, 'utf8');
    const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html) ?? [];
    expect(policy).toMatch(/default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'/);
    expect(policy).toContain("connect-src 'self'");
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).toContain('Leon Sorokin');
  });

  test('the first screen says the level, why, since when, and what to do', async () => {
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 400, height: 800 },
    ]) {
      const { page } = await open({ sessions: 30 }, { viewport });
      const facts = page.locator('.standing-facts');
      const box = await facts.boundingBox();
      expect((box?.y ?? 1e9) + (box?.height ?? 0)).toBeLessThanOrEqual(800);
      expect(await page.locator('.standing').textContent()).toContain('redStop:');
      const text = await facts.textContent();
      expect(text).toContain('above 0.85');
      expect(text).toContain('New sessions are held');
      expect(text).toContain('Panel sessions are due');
      expect(await page.title()).toBe('red: collapse-aware gateway');
    }
  });

  test('figures stand with interval, n and bars; what is missing stands with its reason', async () => {
    const { page } = await open({ sessions: 30 });
    const tile = (name: string) =>
      page.locator('.live-tiles > li').filter({ has: page.locator('h3', { hasText: name }) });
    expect(await tile('SCD2').textContent()).toMatch(
      /0\.\d\d\[0\.\d\d, \d\.\d\d\]n 256.*training members.*yellow above 0\.7, red above 0\.85/,
    );
    expect(await tile('ε, population').textContent()).toContain('chance 0.53');
    const psod = page.locator('.curve').filter({ hasText: 'PSOD, rise' });
    expect(await psod.locator('.curve-read').textContent()).toBe('epoch 12: 0.24 [0.18, 0.30], n 128; red');
    await psod.locator('summary').click();
    expect(await psod.locator('tbody tr').count()).toBe(14);
  });

  test('curves follow new looks without a new drawing, and nothing below them moves', async () => {
    const { page, fake } = await open({ sessions: 300, epochs: 12 });
    await page.evaluate(`(() => {
      document.querySelector('.curve canvas').dataset.first = 'yes';
      window.__shift = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) window.__shift += entry.value;
      }).observe({ type: 'layout-shift', buffered: false });
    })()`);
    fake.change(fakeData({ sessions: 301, epochs: 13 }));
    await page.locator('.curve-read').first().filter({ hasText: 'epoch 12:' }).waitFor();
    await page.waitForTimeout(150);
    expect(await page.evaluate("document.querySelector('.curve canvas').dataset.first")).toBe('yes');
    expect(await page.evaluate('window.__shift')).toBeLessThan(0.01);
  });

  test('the breaker lists what happened with its evidence, and apart from it what could not be judged', async () => {
    const { page } = await open({ sessions: 30 });
    const events = page.locator('#breaker .event');
    expect(await events.first().textContent()).toContain('look 14, above 0.85');
    expect(await events.filter({ hasText: 'probe round' }).count()).toBe(1);
    expect(await events.filter({ hasText: 'Ada set green' }).textContent()).toMatch(/^greenset, 2026/);
    expect(await events.filter({ hasText: '→' }).count()).toBeGreaterThan(1);
    await page.getByText('1 look judged SCD2 without PSOD').click();
    expect(await page.locator('#breaker tbody').textContent()).toContain('no panel session in this epoch');
  });

  test('green over figures without a value is not called good news', async () => {
    const { page, fake } = await open({ sessions: 30, level: 'green' });
    expect(await page.locator('h1').textContent()).toContain('no rule of the breaker has tripped');
    const data = fakeData({ sessions: 30, level: 'green' });
    const none = missing('no pair of rows from different contexts', 40);
    const figures = { scd2: none, scd: none, mci: none, zeroVariance: none, psod: none, psodRise: none };
    fake.change({ ...data, gate: { ...data.gate, figures } });
    await page.getByText('nothing that the rules watch could be measured').waitFor();
    expect(await page.locator('.standing-facts').textContent()).toContain('green says nothing');
    expect(await page.locator('.standing').textContent()).toContain('not judgedNot judged yet');
  });

  test('an override has its own time and words, and looks that found nothing say what they saw', async () => {
    const { page, fake } = await open({ sessions: 30, level: 'green' });
    const data = fakeData({ sessions: 30, level: 'green' });
    const { scd2, scd, psod, psodRise, zeroVariance } = data.looks.looks.at(-1)!;
    const gate = {
      ...data.gate,
      reasons: [],
      figures: { scd2, scd, mci: scd2, zeroVariance, psod, psodRise },
    };
    fake.change({ ...data, gate });
    await page.getByText('changed no level: SCD2 0.').waitFor();
    const override = {
      level: 'red',
      by: 'Ada',
      reason: 'looking',
      until: '2027-01-01T00:00:00.000Z',
    } as const;
    const reasons = ['Ada set red: looking'];
    fake.change({
      ...data,
      gate: { ...gate, level: 'red', training: 'hold', reasons, override, revision: 3 },
    });
    await page.getByText('An operator holds training').waitFor();
    const text = await page.locator('.standing-facts').textContent();
    expect(text).toMatch(/set red.*: looking\. It lapses at/);
    expect(text?.split('looking')).toHaveLength(2);
    expect(text).toContain('Release the breaker');
    expect(text).not.toContain('Change the population');
  });

  test('the map is drawn, and its dialogues can be stepped through', async () => {
    const { page } = await open({ sessions: 30 });
    expect(await page.locator('#map svg.plot circle').count()).toBeGreaterThan(500);
    await page.getByRole('button', { name: 'Next dialogue' }).click();
    expect(await page.locator('.explorer-text .quote').count()).toBe(1);
  });

  test('members show share, state and what marks them', async () => {
    const { page } = await open({ sessions: 3600 });
    const row = (name: string) => page.locator('#members tbody tr').filter({ hasText: name });
    expect(await row('qwen-2.5-72b').textContent()).toContain('anti-collapse');
    expect(await row('qwen-2.5-72b').textContent()).toContain('35 %');
    expect(await row('llama-3.1-70b').textContent()).toContain('resting after failures');
    expect(await page.locator('#members .notes').textContent()).toContain('fewer than 2 contexts');
    await page.locator('#members').getByRole('button', { name: 'Failures' }).click();
    expect(await page.locator('#members tbody th').first().textContent()).toContain('llama-3.1-70b');
  });

  test('an empty gateway says how to send the first request to this very host', async () => {
    const { page, fake } = await open({ sessions: 0, epochs: 0 });
    const command = await page.locator('.command').textContent();
    expect(command).toContain(`curl ${fake.url}v1/chat/completions`);
    const [, body = ''] = /-d '(.*)'$/s.exec(command ?? '') ?? [];
    expect(JSON.parse(body)).toMatchObject({
      model: 'population',
      messages: [{ role: 'system' }, { role: 'user' }],
    });
    expect(await page.locator('.standing').textContent()).toContain('no epoch has been measured yet');
    const main = String(await page.evaluate("document.querySelector('main').innerText"));
    expect(main).toContain('0 of the 60 sessions');
    expect(fake.asked.some((path) => path.startsWith('GET /api/map'))).toBe(false);
  });
});
