import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderLab } from '../../src/report/index.ts';
import { Desk, LOW_CONTRAST, type Opened, pagesReady, phoneWidths, UNFOLD } from './browser.ts';
import { HOSTILE } from './dialogues.ts';
import { type LabOptions, sampleLab } from './lab-fixture.ts';

const ready = pagesReady();
const WORLDS = ['persuasion-10', 'service-30', 'pair-coding-50'];
const PAGES: readonly (readonly [string, LabOptions])[] = [
  ['three worlds, 17 methods', { worlds: WORLDS }],
  ['one world, two methods, two seeds', { methods: 2, seeds: 2 }],
  ['no run made', { hollow: true, methods: 3 }],
  ['nothing to compare with', { alone: true, methods: 4 }],
  ['hostile text', { texts: HOSTILE }],
];

describe.skipIf(!ready)('the page of a table of the lab in a browser', () => {
  const desk = new Desk();
  beforeAll(() => desk.start());
  afterAll(() => desk.stop());
  const open = async (options: LabOptions = {}) => {
    const opened = await desk.open(renderLab(sampleLab(options), 'for readers without scripts'));
    await opened.page.waitForSelector('#method');
    return opened;
  };

  describe.each(PAGES)('%s', (_, options) => {
    let opened: Opened;
    beforeAll(async () => {
      opened = await open(options);
    });
    afterAll(() => opened.page.context().close());

    test('the first screen of a desk or a phone holds the sentence and what it says of the first world', async () => {
      for (const [width, height] of [
        [1280, 800],
        [390, 844],
      ] as const) {
        await opened.page.setViewportSize({ width, height });
        for (const selector of ['h1', '.lab-worlds-list > li:first-child .level']) {
          const box = await opened.page.locator(selector).first().boundingBox();
          expect((box?.y ?? 1e9) + (box?.height ?? 0), selector).toBeLessThanOrEqual(height);
        }
      }
    });

    test('does not scroll sideways on a phone of 360 px, folded or unfolded', async () => {
      expect(await phoneWidths(opened.page)).toEqual([360, 360]);
    });

    test('every part could be shown, every drawing has words; it asks for nothing and logs nothing', async () => {
      expect(await opened.page.getByText('could not be shown').count()).toBe(0);
      expect(opened.requests).toHaveLength(1);
      expect(opened.faults).toEqual([]);
      const silent = await opened.page.evaluate(
        "[...document.querySelectorAll('svg')].filter((s) => s.getAttribute('aria-hidden') !== 'true' && !s.getAttribute('aria-label')).length",
      );
      expect(silent).toBe(0);
      const without = await opened.page.evaluate(
        "[...document.querySelectorAll('.figure')].filter((f) => f.querySelector('table, .absent') === null).length",
      );
      expect(without).toBe(0);
    });
  });

  test.each(['light', 'dark'] as const)('texts keep their contrast in %s colours', async (colorScheme) => {
    const { page: tab } = await desk.open(renderLab(sampleLab({ worlds: WORLDS }), ''), { colorScheme });
    await tab.waitForSelector('.plot');
    for (const name of ['Base', 'Co-Training']) await tab.getByLabel(name, { exact: true }).check();
    await tab.evaluate(UNFOLD);
    await tab.waitForTimeout(100);
    const { checked, low } = (await tab.evaluate(LOW_CONTRAST)) as { checked: number; low: string[] };
    expect(checked).toBeGreaterThan(1000);
    expect(low).toEqual([]);
    await tab.context().close();
  });

  test('each phenomenon has a word and its interval in each world', async () => {
    const { page: tab } = await open({ worlds: WORLDS });
    const row = tab.locator('#signs tbody tr').filter({ hasText: 'pool-3-over-1' });
    expect(await row.locator('.lab-tag').allTextContents()).toEqual(['opposite', 'opposite', 'opposite']);
    expect(await row.textContent()).toContain('−0.05 [−0.08, −0.02]');
    await tab.context().close();
  });

  test('a published figure is drawn only where the reward is the same', async () => {
    const { page: tab } = await open({ worlds: ['persuasion-10', 'service-30'] });
    const figures = tab.locator('#standing .figure');
    expect(await figures.nth(0).locator('.legend').textContent()).toContain('published');
    expect(await figures.nth(1).locator('.legend').textContent()).not.toContain('published');
    expect(await figures.nth(1).textContent()).toContain('No published figure is drawn');
    await tab.context().close();
  });

  test('methods are highlighted by keyboard, six at most, and keep their letters', async () => {
    const { page: tab } = await open();
    const picker = tab.locator('.lab-picker');
    const letters = () => picker.locator('.lab-chip-on').allTextContents();
    expect(await letters()).toHaveLength(4);
    for (const name of ['Base', 'Persona prompt']) {
      await picker.getByLabel(name, { exact: true }).focus();
      await tab.keyboard.press('Space');
    }
    expect(await letters()).toContain('FPersona prompt');
    expect(await picker.getByLabel('Co-Training', { exact: true }).isDisabled()).toBe(true);
    await picker.getByLabel('One frozen simulator').uncheck();
    await picker.getByLabel('Co-Training', { exact: true }).check();
    expect(await letters()).toEqual(expect.arrayContaining(['ACo-Training', 'FPersona prompt']));
    expect(await tab.locator('#curves svg.plot').first().getAttribute('aria-label')).toContain(
      'Co-Training from',
    );
    await tab.evaluate(UNFOLD);
    expect(await tab.locator('#curves .as-table tbody tr').count()).toBe(6 * 50);
    await tab.context().close();
  });

  test('one choice of world serves all its sections', async () => {
    const { page: tab } = await open({ worlds: WORLDS });
    await tab.locator('#curves').getByText('service-30').first().click();
    for (const [id, part] of [
      ['curves', 'Training in service-30'],
      ['figures', 'Outcome, service-30'],
      ['differences', 'Held-out, service-30'],
      ['collapse', 'BDI, service-30'],
    ])
      expect(await tab.locator(`#${id}`).textContent()).toContain(part);
    await tab.context().close();
  });

  test('every figure stands in a table that sorts, those of no group too', async () => {
    const { page: tab } = await open();
    const figures = tab.locator('#figures');
    await figures.getByLabel('All', { exact: true }).check({ force: true });
    expect(await figures.locator('thead th').count()).toBe(1 + sampleLab().table.figures.length);
    await figures.getByRole('button', { name: 'Held-out' }).click();
    expect(await figures.locator('tbody th').first().textContent()).toBe('Simulator fitted to people');
    expect(await figures.locator('.notes').textContent()).toContain('it has no text to look at');
    await tab.context().close();
  });

  test('differences have a word only where Holm leaves it, for any figure', async () => {
    const { page: tab } = await open();
    const row = (name: string) => tab.locator('#differences tbody tr').filter({ hasText: name });
    expect(await row('One frozen simulator').textContent()).toContain('worse');
    expect(await row('K = 10').textContent()).toContain('not told apart');
    await tab.locator('#differences select').selectOption('bdi');
    expect(await row('One frozen simulator').textContent()).toContain('not told apart');
    await tab.context().close();
  });

  test('guesses are named guesses, and a diverged run is named with its reason', async () => {
    const { page: tab } = await open();
    expect(await tab.locator('#collapse .lead').first().textContent()).toContain('guesses, not measurements');
    expect(await tab.locator('#collapse .plot').first().textContent()).toContain('guess: below 0.5');
    expect(await tab.locator('#method').textContent()).toContain('policy, step 131: NaN in the loss');
    expect(await tab.locator('#verdict').textContent()).toContain('1 run diverged and is not averaged');
    await tab.context().close();
  });

  test('a table without runs shows reasons and never 0', async () => {
    const { page: tab } = await open({ hollow: true, methods: 3 });
    const text = String(await tab.evaluate("document.querySelector('main').innerText"));
    expect(text).toContain('no seed has a value');
    expect(text).toContain('60 not made');
    expect(text).not.toMatch(/0\.00/);
    await tab.context().close();
  });

  test('Tab reaches every kind of control in reading order, each with a visible focus', async () => {
    const { page: tab } = await open({ worlds: WORLDS });
    const seen: string[] = [];
    for (let step = 0; step < 200; step++) {
      await tab.keyboard.press('Tab');
      const { kind, visible } = (await tab.evaluate(`(() => {
        const on = document.activeElement;
        const shown = on.type === 'radio' ? on.nextElementSibling : on;
        return { kind: on.className || on.type || on.localName, visible: getComputedStyle(shown).outlineStyle !== 'none' };
      })()`)) as { kind: string; visible: boolean };
      if (kind === 'body') break;
      expect(visible, kind).toBe(true);
      seen.push(kind);
    }
    const order = [
      'skip',
      'button theme',
      'a',
      'summary',
      'table-scroll',
      'radio',
      'checkbox',
      'sort',
      'select-one',
      'recipe',
    ];
    const places = order.map((kind) => seen.indexOf(kind));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    await tab.context().close();
  });

  test('has landmarks, one h1, and headings that skip no level', async () => {
    const { page: tab } = await open({ worlds: WORLDS });
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

  test('hostile text is read, not run', async () => {
    const { page: tab } = await open({ texts: HOSTILE });
    expect(await tab.evaluate('window.__hit')).toBeUndefined();
    expect(await tab.locator('main img, main script, main style, main base, main iframe').count()).toBe(0);
    await tab.context().close();
  });

  test('readers without scripts get the text', async () => {
    const html = renderLab(sampleLab(), 'for readers without scripts');
    const { page: tab } = await desk.open(html, { javaScriptEnabled: false });
    expect(await tab.evaluate('document.body.innerText')).toContain('for readers without scripts');
    await tab.context().close();
  });

  test('prints everything folded, and of the choices only what was chosen', async () => {
    const { page: tab } = await open();
    await tab.emulateMedia({ media: 'print' });
    await tab.evaluate("dispatchEvent(new Event('beforeprint'))");
    expect(await tab.locator('details:not([open])').count()).toBe(0);
    expect(await tab.locator('.lab-chip:visible').count()).toBe(4);
    await tab.context().close();
  });
});
