import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderCuration } from '../../src/report/index.ts';
import { Desk, LOW_CONTRAST, type Opened, pagesReady, phoneWidths, UNFOLD } from './browser.ts';
import { type CurationOptions, sampleCuration } from './curation-fixture.ts';
import { HOSTILE } from './dialogues.ts';

const ready = pagesReady();
const PAGES: readonly (readonly [string, CurationOptions])[] = [
  ['all stages, a judge', { judge: true, selection: true }],
  ['limited by the data, 200 modes', { modes: 200, verdict: 'limited-by-data' }],
  ['256 modes, no people, no weights', { modes: 256, people: false, weights: false }],
  ['nothing measured', { hollow: true, people: false, weights: false, batches: false }],
  ['hostile text', { texts: HOSTILE, judge: true, selection: true, verdict: 'limited-by-data' }],
];

describe.skipIf(!ready)('the page of a curation in a browser', () => {
  const desk = new Desk();
  beforeAll(() => desk.start());
  afterAll(() => desk.stop());
  const open = (options: CurationOptions = {}) => desk.open(renderCuration(sampleCuration(options)));

  describe.each(PAGES)('%s', (_, options) => {
    let opened: Opened;
    beforeAll(async () => {
      opened = await open(options);
      await opened.page.waitForSelector('#method');
    });
    afterAll(() => opened.page.context().close());

    test.each([
      [1280, 800],
      [390, 844],
    ])('the first screen of %i x %i holds verdict, four figures and the rows', async (width, height) => {
      await opened.page.setViewportSize({ width, height });
      for (const selector of ['h1', '.verdict-level', '.change:nth-child(4)', '.row-steps']) {
        const box = await opened.page.locator(selector).first().boundingBox();
        expect(box, selector).not.toBeNull();
        expect((box?.y ?? 0) + (box?.height ?? 1e9), selector).toBeLessThanOrEqual(height);
      }
    });

    test('does not scroll sideways on a phone of 360 px, folded or unfolded', async () => {
      expect(await phoneWidths(opened.page)).toEqual([360, 360]);
    });

    test('every part could be shown; it asks for nothing and logs nothing', async () => {
      expect(await opened.page.getByText('could not be shown').count()).toBe(0);
      expect(opened.requests).toHaveLength(1);
      expect(opened.faults).toEqual([]);
    });
  });

  test.each(['light', 'dark'] as const)('texts keep their contrast in %s colours', async (colorScheme) => {
    const html = renderCuration(sampleCuration({ judge: true, selection: true, verdict: 'limited-by-data' }));
    const { page: tab } = await desk.open(html, { colorScheme });
    await tab.waitForSelector('.plot');
    await tab.evaluate(UNFOLD);
    await tab.waitForTimeout(100);
    const { checked, low } = (await tab.evaluate(LOW_CONTRAST)) as { checked: number; low: string[] };
    expect(checked).toBeGreaterThan(300);
    expect(low).toEqual([]);
    await tab.context().close();
  });

  test('a simulator error and a policy failure stand in panels of their own', async () => {
    const { page: tab } = await open();
    const panel = (blame: string) => tab.locator(`.blame.blame-${blame}`);
    expect(await panel('simulator').locator('.blame-sum').textContent()).toBe('191 dropped');
    expect(await panel('simulator').textContent()).not.toContain('invalid-tool-call');
    expect(await panel('policy').locator('.blame-sum').textContent()).toBe('0 dropped, 221 only noted');
    const colour = (blame: string) =>
      tab.evaluate(`getComputedStyle(document.querySelector('.blame.blame-${blame}')).borderTopColor`);
    expect(await colour('simulator')).not.toBe(await colour('policy'));
    await tab.context().close();
  });

  test('the result of the search stands on the first screen where the data are the limit', async () => {
    const { page: tab } = await open({ verdict: 'limited-by-data' });
    const box = await tab.locator('#search-title').boundingBox();
    expect((box?.y ?? 1e9) + (box?.height ?? 0)).toBeLessThan(800);
    expect(await tab.locator('.search').textContent()).toContain('subset with the lowest SCD20.4680.570');
    const { page: other } = await open();
    expect(await other.locator('.search').count()).toBe(0);
    await tab.context().close();
    await other.context().close();
  });

  test('modes have the numbers of the data, which tell equal labels apart', async () => {
    const { page: tab } = await open({ modes: 30 });
    await tab.evaluate(UNFOLD);
    for (const caption of ['Share of each mode', 'Rows of each mode in the batches']) {
      const names = await tab.locator(`section[aria-label="${caption}"] tbody th`).allTextContents();
      expect(names).toHaveLength(30);
      expect(new Set(names).size).toBe(30);
      expect(names.some((name) => /^0 /.test(name))).toBe(true);
      expect(names.some((name) => /^30 /.test(name))).toBe(false);
    }
    await tab.context().close();
  });

  test('rows that are only left out are nobody’s fault, and each step of rows has its own word', async () => {
    const { page: tab } = await open({ selection: true });
    expect(await tab.locator('.row-steps li').allTextContents()).toEqual([
      '4,820 rows in the files',
      '4,808 read',
      '4,512 passed the gate',
      '3,901 selected',
      '2,944 trained on, in batches, by weight',
    ]);
    const reasons = tab.locator('section[aria-label^="Why rows were dropped"] tbody tr');
    expect(await reasons.filter({ hasText: 'not drawn' }).locator('.blame-tag').textContent()).toBe(
      'left out',
    );
    expect(await tab.evaluate("document.querySelector('main').innerText")).not.toMatch(/\bkept\b/i);
    await tab.context().close();
  });

  test('warns on the first screen of modes that hang on the seed, and of files that were not whole', async () => {
    const page = sampleCuration();
    const { manifest } = page;
    const shaky = {
      ...page,
      manifest: {
        ...manifest,
        space: { ...manifest.space, stability: 0.44 },
        inputs: manifest.inputs.map((file) => ({ ...file, error: { code: 'CA_X', message: 'cut' } })),
      },
    };
    const { page: tab } = await desk.open(renderCuration(shaky));
    const text = await tab.locator('.confounds').textContent();
    expect(text).toContain('other seeds cut the modes differently (agreement 0.44)');
    expect(text).toContain('epoch-12/rollouts-0.jsonl was read up to an error only, and 1 more file of 2');
    const box = await tab.locator('#caveats-title').boundingBox();
    expect((box?.y ?? 1e9) + (box?.height ?? 0)).toBeLessThan(800);
    expect(await tab.locator('#files').textContent()).toContain('CA_X: cut');
    await tab.context().close();
  });

  test('24 modes are drawn and all stand in the table', async () => {
    const { page: tab } = await open({ modes: 256 });
    await tab.evaluate(UNFOLD);
    const table = tab.locator('section[aria-label="Share of each mode"]');
    expect(await table.locator('tbody tr').count()).toBe(256);
    expect(await tab.locator('#modes .figure').textContent()).toContain('232 more modes together');
    await tab.context().close();
  });

  test('dropped rows are filtered by check, by keyboard too', async () => {
    const { page: tab } = await open();
    const names = () => tab.locator('.dropped h3').allTextContents();
    expect(new Set(await names()).size).toBe(7);
    expect(await names()).toHaveLength(12);
    await tab.locator('#dropped select').focus();
    await tab.keyboard.type('raw');
    expect(await names()).toEqual(Array.from({ length: 5 }, () => 'raw-json'));
    await tab.locator('#dropped select').selectOption('-1');
    await tab.getByRole('button', { name: 'Show all 35' }).press('Enter');
    expect(await names()).toHaveLength(35);
    await tab.context().close();
  });

  test('hostile text is read, not run', async () => {
    const { page: tab } = await open({ texts: HOSTILE });
    await tab.waitForSelector('#method');
    expect(await tab.evaluate('window.__hit')).toBeUndefined();
    expect(await tab.locator('main img, main script, main style, main base, main iframe').count()).toBe(0);
    expect(await tab.locator('h1').textContent()).toContain('<img src=x onerror="window.__hit = 2">');
    await tab.context().close();
  });

  test('Tab reaches every kind of control in reading order, each with a visible focus', async () => {
    const { page: tab } = await open();
    const seen: string[] = [];
    for (let step = 0; step < 150; step++) {
      await tab.keyboard.press('Tab');
      const { kind, visible } = (await tab.evaluate(`(() => {
        const on = document.activeElement;
        return { kind: on.className || on.localName, visible: getComputedStyle(on).outlineStyle !== 'none' };
      })()`)) as { kind: string; visible: boolean };
      if (kind === 'body') break;
      expect(visible, kind).toBe(true);
      seen.push(kind);
    }
    const order = [
      'skip',
      'button theme',
      'a',
      'table-scroll',
      'sort',
      'summary',
      'select',
      'button',
      'recipe',
    ];
    const places = order.map((kind) => seen.indexOf(kind));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    await tab.context().close();
  });

  test('has landmarks, one h1, and headings that skip no level', async () => {
    const { page: tab } = await open({ judge: true, selection: true, verdict: 'limited-by-data' });
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

  test('every drawing has its numbers as a table and its words', async () => {
    const { page: tab } = await open({ judge: true, selection: true });
    const captions = (await tab.evaluate(
      "[...document.querySelectorAll('caption')].map((c) => c.textContent)",
    )) as string[];
    for (const part of [
      'Figures before and after',
      'Checks of the quality gate',
      'Why rows were dropped or left out',
      'Share of each mode',
      'Rows by weight',
      'Rows of each mode in the batches',
      'Every simulator in this curation',
      'Read as people',
      'Written',
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

  test('a missing figure shows its reason and never 0', async () => {
    const { page: tab } = await open({ hollow: true, people: false, weights: false, batches: false });
    const text = String(await tab.evaluate("document.getElementById('verdict').innerText"));
    expect(text).toContain('one context: at least 2 are needed');
    expect(text).not.toMatch(/0\.00/);
    await tab.context().close();
  });

  test('readers without scripts get the terminal summary', async () => {
    const { page: tab } = await desk.open(renderCuration(sampleCuration()), { javaScriptEnabled: false });
    expect(await tab.evaluate('document.body.innerText')).toContain('SCD2      0.47 [0.42, 0.52]');
    await tab.context().close();
  });

  test('prints everything folded, and nothing that only a screen can use', async () => {
    const { page: tab } = await open();
    await tab.emulateMedia({ media: 'print' });
    await tab.evaluate("dispatchEvent(new Event('beforeprint'))");
    expect(await tab.locator('details:not([open])').count()).toBe(0);
    for (const selector of ['.contents', '.theme', '.dropped-controls'])
      expect(await tab.locator(selector).isVisible()).toBe(false);
    await tab.context().close();
  });
});
