import { statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuditPage } from '../../src/audit/report-data.ts';
import { compareReports, renderComparison, renderPage } from '../../src/report/index.ts';
import { BUILT, Desk, LOW_CONTRAST, type Opened, pagesReady, phoneWidths, UNFOLD } from './browser.ts';
import { samplePage } from './page-fixture.ts';
import { hostilePage, largePage, nullPage } from './page-variants.ts';

const ready = pagesReady();
const PAGES: readonly (readonly [string, () => AuditPage])[] = [
  ['people, seven simulators, epochs', () => samplePage({ epochs: 8 })],
  ['no reference', () => samplePage({ people: false })],
  ['one trajectory, nothing measured', nullPage],
  ['hostile text', hostilePage],
  ['thirty simulators, 64 modes, 5,000 points', largePage],
];

function comparison(): string {
  const a = samplePage({ epochs: 3 }).report;
  const b = samplePage({ names: ['gpt-4.1 / persona', 'a new one'] }).report;
  const better = {
    ...b,
    scd: { ...b.scd, pooled2: { ...b.scd.pooled2, value: 0.2, low: 0.15, high: 0.25 } },
  };
  return renderComparison(compareReports(a, better, { a: 'before', b: 'after' }), { created: '2026-01-15' });
}

describe.skipIf(!ready)('the page in a browser', () => {
  const desk = new Desk();
  beforeAll(() => desk.start());
  afterAll(() => desk.stop());

  test('is smaller than 500 kB before data goes in', () => {
    expect(statSync(BUILT).size).toBeLessThan(500_000);
  });

  // One page of each kind serves all these: opening is most of the time.
  describe.each(PAGES)('%s', (_, make) => {
    let opened: Opened;
    beforeAll(async () => {
      opened = await desk.open(renderPage(make()));
      await opened.page.waitForSelector('#method');
    });
    afterAll(() => opened.page.context().close());

    test.each([
      [1280, 800],
      [390, 844],
    ])('the first screen of %i x %i holds verdict, four levels and confounds', async (width, height) => {
      await opened.page.setViewportSize({ width, height });
      for (const selector of ['h1', '.diagnosis:nth-child(4) .level', '#confounds-title', '.confounds']) {
        const box = await opened.page.locator(selector).first().boundingBox();
        expect(box, selector).not.toBeNull();
        expect((box?.y ?? 0) + (box?.height ?? 1e9), selector).toBeLessThanOrEqual(height);
      }
    });

    test('does not scroll sideways on a phone of 360 px, folded or unfolded', async () => {
      expect(await phoneWidths(opened.page)).toEqual([360, 360]);
    });

    test('asks for nothing and logs nothing', () => {
      expect(opened.requests).toHaveLength(1);
      expect(opened.faults).toEqual([]);
    });
  });

  test.each(['light', 'dark'] as const)('texts keep their contrast in %s colours', async (colorScheme) => {
    const { page: tab } = await desk.open(renderPage(samplePage({ epochs: 8 })), { colorScheme });
    await tab.waitForSelector('.plot');
    await tab.evaluate(UNFOLD);
    await tab.waitForTimeout(100);
    const { checked, low } = (await tab.evaluate(LOW_CONTRAST)) as { checked: number; low: string[] };
    expect(checked).toBeGreaterThan(300);
    expect(low).toEqual([]);
    const paper = await tab.evaluate('getComputedStyle(document.documentElement).backgroundColor');
    expect(paper).toBe(colorScheme === 'dark' ? 'rgb(20, 23, 26)' : 'rgb(247, 246, 243)');
    await tab.context().close();
  });

  test('the theme button goes from the system to light and dark', async () => {
    const { page: tab } = await desk.open(renderPage(samplePage({ points: 10 })), { colorScheme: 'dark' });
    const paper = () => tab.evaluate('getComputedStyle(document.documentElement).backgroundColor');
    expect(await paper()).toBe('rgb(20, 23, 26)');
    await tab.locator('.theme').click();
    expect(await paper()).toBe('rgb(247, 246, 243)');
    await tab.locator('.theme').click();
    expect(await paper()).toBe('rgb(20, 23, 26)');
    expect(await tab.locator('.theme').getAttribute('aria-label')).toContain('Dark');
    await tab.context().close();
  });

  test('Tab reaches every kind of control in reading order, each with a visible focus', async () => {
    const { page: tab } = await desk.open(renderPage(samplePage({ points: 60 })));
    const seen: string[] = [];
    for (let step = 0; step < 200; step++) {
      await tab.keyboard.press('Tab');
      const { kind, visible } = (await tab.evaluate(`(() => {
        const on = document.activeElement;
        const shown = on.type === 'radio' ? on.nextElementSibling : on;
        const kind = on.className || on.type || on.localName;
        return { kind: on.closest('#map') && on.localName === 'select' ? 'map select' : kind, visible: getComputedStyle(shown).outlineStyle !== 'none' };
      })()`)) as { kind: string; visible: boolean };
      if (kind === 'body') break;
      expect(visible, kind).toBe(true);
      seen.push(kind);
    }
    expect(seen[0]).toBe('skip');
    expect(seen.length).toBeGreaterThan(60);
    const order = [
      'skip',
      'button theme',
      'a',
      'diagnosis-summary',
      'map select',
      'checkbox',
      'button',
      'radio',
      'table-scroll',
      'sort',
    ];
    const places = order.map((kind) => seen.indexOf(kind));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    await tab.context().close();
  });

  test('the skip link leads into the main part', async () => {
    const { page: tab } = await desk.open(renderPage(samplePage({ points: 10 })));
    await tab.keyboard.press('Tab');
    await tab.keyboard.press('Enter');
    expect(await tab.evaluate('document.activeElement.id')).toBe('main');
    await tab.context().close();
  });

  test('has landmarks, one h1, and headings that skip no level', async () => {
    const { page: tab } = await desk.open(renderPage(samplePage({ epochs: 3 })));
    for (const selector of ['header', 'nav[aria-label]', 'main', 'footer'])
      expect(await tab.locator(selector).count()).toBe(1);
    const levels = (await tab.evaluate(
      "[...document.querySelectorAll('h1, h2, h3, h4')].map((h) => Number(h.localName[1]))",
    )) as number[];
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    levels.reduce((before, level) => {
      expect(level - before).toBeLessThanOrEqual(1);
      return level;
    }, 0);
    await tab.context().close();
  });

  test('every figure has its numbers as a table, and every drawing its words', async () => {
    const { page: tab } = await desk.open(renderPage(samplePage({ epochs: 8 })));
    const without = await tab.evaluate(
      "[...document.querySelectorAll('.figure')].filter((f) => f.querySelector('table') === null).map((f) => f.textContent.slice(0, 60))",
    );
    expect(without).toEqual([]);
    const captions = (await tab.evaluate(
      "[...document.querySelectorAll('caption')].map((c) => c.textContent)",
    )) as string[];
    for (const part of [
      'Marks on the map',
      'Dialogues on the map',
      'Share of episodes in each mode',
      'SCD:',
      'BDI:',
      'PSOD:',
      'MCI of each simulator',
      'Every figure of every simulator',
      'Reward of episodes',
      'Modes of people that are missing',
      'Standardised differences',
      'Figures by epoch',
      'Trend',
      'Figures by user turn',
      'Training health',
      'Mean reward by checkpoint',
      'pass^k',
      'Files',
      'Dropped rows',
      'adjusted mutual information',
    ])
      expect(
        captions.some((caption) => caption.includes(part)),
        part,
      ).toBe(true);
    const silent = await tab.evaluate(
      "[...document.querySelectorAll('svg')].filter((s) => s.getAttribute('aria-hidden') !== 'true' && !s.getAttribute('aria-label')).length",
    );
    expect(silent).toBe(0);
    await tab.context().close();
  });

  test('hostile text is read, not run', async () => {
    const { page: tab } = await desk.open(renderPage(hostilePage()));
    await tab.waitForSelector('#method');
    expect(await tab.evaluate('window.__hit')).toBeUndefined();
    expect(await tab.locator('main img, main script, main style, main base, main iframe').count()).toBe(0);
    expect(await tab.locator('.strip-name').nth(1).textContent()).toContain(
      '</script><script>window.__hit = 1</script>',
    );
    await tab.context().close();
  });

  test('its policy refuses any script but its own', async () => {
    const { page: tab, faults } = await desk.open(renderPage(samplePage({ points: 5 })));
    await tab.evaluate(
      "const s = document.createElement('script'); s.textContent = 'window.__hit = 3'; document.head.append(s)",
    );
    expect(await tab.evaluate('window.__hit')).toBeUndefined();
    expect(faults.join()).toContain('Content Security Policy');
    await tab.context().close();
  });

  test('a missing figure shows its reason and never 0', async () => {
    const { page: tab } = await desk.open(renderPage(nullPage()));
    const text = String(await tab.evaluate("document.getElementById('population').innerText"));
    expect(text).toContain('one episode: at least 2 contexts are needed');
    expect(text).not.toMatch(/0\.00/);
    await tab.context().close();
  });

  test('a column sorts both ways and says so', async () => {
    const { page: tab } = await desk.open(renderPage(samplePage({ points: 10 })));
    const table = tab.locator('section[aria-label="Every figure of every simulator"]');
    const first = () => table.locator('tbody th').first().textContent();
    await table.getByRole('button', { name: 'Spread' }).click();
    expect(await first()).toContain('population v3');
    await table.getByRole('button', { name: 'Spread' }).click();
    expect(await first()).toContain('gpt-4.1-mini');
    expect(await table.locator('th[aria-sort="ascending"]').textContent()).toContain('Spread');
    await tab.context().close();
  });

  test('the map shows the dialogue under the pointer and by its buttons, for the chosen simulator', async () => {
    const { page: tab } = await desk.open(renderPage(samplePage()));
    const panel = tab.locator('.explorer-text');
    await tab.getByRole('button', { name: 'Next dialogue' }).click();
    expect(await panel.textContent()).toContain('Even a small amount helps');
    await tab.locator('#map select').selectOption({ label: 'gpt-4.1-mini / direct' });
    await tab.getByRole('checkbox', { name: 'People' }).uncheck();
    await tab.getByRole('button', { name: 'Next dialogue' }).click();
    expect(await panel.textContent()).toContain('gpt-4.1-mini / direct');
    expect(await tab.locator('.ring').count()).toBe(1);
    const before = await panel.textContent();
    const box = await tab.locator('.explorer-map svg').boundingBox();
    for (let step = 1; step < 40; step++)
      await tab.mouse.move(
        (box?.x ?? 0) + ((box?.width ?? 0) * step) / 40,
        (box?.y ?? 0) + (box?.height ?? 0) / 2,
      );
    expect(await panel.textContent()).not.toBe(before);
    await tab.context().close();
  });

  test('readers without scripts get the terminal summary', async () => {
    const { page: tab } = await desk.open(renderPage(samplePage()), { javaScriptEnabled: false });
    expect(await tab.evaluate('document.body.innerText')).toContain('SCD2      0.47 [0.41, 0.53]');
    await tab.context().close();
  });

  test('prints everything folded, and nothing that only a screen can use', async () => {
    const { page: tab } = await desk.open(renderPage(samplePage({ points: 50 })));
    await tab.emulateMedia({ media: 'print' });
    await tab.evaluate("dispatchEvent(new Event('beforeprint'))");
    expect(await tab.locator('details:not([open])').count()).toBe(0);
    expect(await tab.locator('.contents').isVisible()).toBe(false);
    await tab.context().close();
  });

  test('a comparison shows both verdicts and what differs surely', async () => {
    const { page: tab, faults, requests } = await desk.open(comparison());
    expect(await tab.locator('h1').textContent()).toMatch(
      /^after differs from before: SCD2 lower \(better\)/,
    );
    expect(await tab.locator('.side').count()).toBe(2);
    expect(await tab.locator('table').count()).toBe(2);
    expect(faults).toEqual([]);
    expect(requests).toHaveLength(1);
    await tab.setViewportSize({ width: 360, height: 740 });
    expect(await tab.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await tab.context().close();
  });
});
