import { describe, expect, test } from 'vitest';
import { LOW_CONTRAST, UNFOLD } from '../../report/browser.ts';
import { HOSTILE } from '../../report/dialogues.ts';
import { dashboardDesk, dashboardReady } from './dashboard-desk.ts';

const MARKUP = 'main img, main script, main style, main base, main iframe, dialog img, dialog script';

describe.skipIf(!dashboardReady())('the whole dashboard', () => {
  const { open } = dashboardDesk();

  describe.each([
    ['a morning of training', {}],
    ['10,000 sessions', { sessions: 10_000, epochs: 120 }],
    ['nothing asked yet', { sessions: 0, epochs: 0 }],
    ['hostile text', { texts: HOSTILE }],
  ] as const)('%s', (_, options) => {
    test('shows every part, logs nothing, asks nobody else, and fits a phone of 360 px', async () => {
      const { page, faults, requests, fake } = await open(options);
      await page.waitForTimeout(200);
      expect(await page.getByText('could not be shown').count()).toBe(0);
      expect(faults).toEqual([]);
      expect(requests.filter((url) => !url.startsWith(fake.url) && !url.startsWith('data:'))).toEqual([]);
      await page.setViewportSize({ width: 360, height: 740 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
      await page.evaluate(UNFOLD);
      await page.waitForTimeout(100);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
      const silent = await page.evaluate(
        "[...document.querySelectorAll('svg, canvas')].filter((s) => s.getAttribute('aria-hidden') !== 'true' && !s.closest('[aria-label][role=img]')).length",
      );
      expect(silent).toBe(0);
    });
  });

  test.each(['light', 'dark'] as const)('texts keep their contrast in %s colours', async (colorScheme) => {
    const { page } = await open({ sessions: 60 }, { colorScheme });
    await page.evaluate(UNFOLD);
    await page.waitForTimeout(100);
    const check = async () => (await page.evaluate(LOW_CONTRAST)) as { checked: number; low: string[] };
    const { checked, low } = await check();
    expect(checked).toBeGreaterThan(500);
    expect(low).toEqual([]);
    await page.locator('.session-id').nth(1).click();
    await page.waitForSelector('.dialogue');
    expect((await check()).low).toEqual([]);
  });

  test('hostile text stays text, in lists and dialogues', async () => {
    const { page } = await open({ sessions: 60, texts: HOSTILE });
    await page.evaluate(UNFOLD);
    await page.locator('.session-id').nth(1).click();
    await page.waitForSelector('.dialogue');
    await page.evaluate(UNFOLD);
    expect(await page.evaluate('window.__hit')).toBeUndefined();
    expect(await page.locator(MARKUP).count()).toBe(0);
    expect(await page.locator('dialog h2').textContent()).toContain('<img src=x onerror=');
  });

  test('Tab reaches every kind of control, each with a visible focus', async () => {
    const { page } = await open({ sessions: 4 });
    const seen = new Set<string>();
    for (let step = 0; step < 160; step++) {
      await page.keyboard.press('Tab');
      const { kind, visible } = (await page.evaluate(`(() => {
        const on = document.activeElement;
        return { kind: on.className || on.type || on.localName, visible: getComputedStyle(on).outlineStyle !== 'none' };
      })()`)) as { kind: string; visible: boolean };
      if (kind === 'body') break;
      expect(visible, kind).toBe(true);
      seen.add(kind);
    }
    for (const kind of [
      'skip',
      'button theme',
      'a',
      'sort',
      'button at-red',
      'input-short',
      'link session-id',
      'summary',
    ])
      expect([...seen], kind).toContain(kind);
  });
});
