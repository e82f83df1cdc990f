import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Figure } from '../../src/metrics/figure.ts';
import { type EvolvePage, renderEvolvePage } from '../../src/report/index.ts';
import { figureText, number } from '../../web/src/format.ts';
import { Desk, LOW_CONTRAST, type Opened, pagesReady, phoneWidths, UNFOLD } from './browser.ts';
import { HOSTILE } from './dialogues.ts';
import { type EvolveOptions, sampleEvolve } from './evolve-fixture.ts';

const ready = pagesReady();
const LARGE: EvolveOptions = { rounds: 40, members: 200, candidates: 12, modes: 64 };
/** Of the page of 40 rounds and 200 members in service, in bytes (docs/run-page.md). */
const LIMIT = 1_500_000;
const PAGES: readonly (readonly [string, EvolveOptions])[] = [
  ['eight rounds', {}],
  ['under way', { rounds: 4, underWay: true }],
  ['no round', { rounds: 0, underWay: true }],
  ['one round', { rounds: 1 }],
  ['all refused', { refused: true }],
  ['no people', { people: false }],
  ['nothing measured', { hollow: true }],
  ['40 rounds, 200 members', LARGE],
  ['hostile text', { texts: HOSTILE }],
  ['ids of 500 characters', { longId: 'organisation/very-long-name-'.repeat(18) }],
];

describe.skipIf(!ready)('the page of a run in a browser', () => {
  const desk = new Desk();
  beforeAll(() => desk.start());
  afterAll(() => desk.stop());
  const open = async (options: EvolveOptions = {}, context: Parameters<Desk['open']>[1] = {}) => {
    const opened = await desk.open(renderEvolvePage(sampleEvolve(options)), context);
    await opened.page.waitForSelector('#method');
    return opened;
  };

  describe.each(PAGES)('%s', (name, options) => {
    let opened: Opened;
    beforeAll(async () => {
      opened = await open(options);
    });
    afterAll(() => opened.page.context().close());

    test('the first screen of a desk holds the sentence and the four cards', async () => {
      await opened.page.setViewportSize({ width: 1280, height: 800 });
      expect(await opened.page.locator('.evolve-cards > li').count()).toBe(4);
      for (const selector of ['h1', '.evolve-cards > li:nth-child(4)']) {
        const box = await opened.page.locator(selector).first().boundingBox();
        expect((box?.y ?? 1e9) + (box?.height ?? 0), selector).toBeLessThanOrEqual(800);
      }
    });

    test('does not scroll sideways on a phone of 360 px, folded or unfolded', async () => {
      expect(await phoneWidths(opened.page)).toEqual([360, 360]);
    });

    test('every part could be shown, every drawing has words and a table; it asks for nothing and logs nothing', async () => {
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
      expect(without, name).toBe(0);
    });

    test('has one h1, headings that skip no level, and no id twice', async () => {
      const levels = (await opened.page.evaluate(
        "[...document.querySelectorAll('h1, h2, h3, h4')].map((h) => Number(h.localName[1]))",
      )) as number[];
      expect(levels.filter((level) => level === 1)).toHaveLength(1);
      levels.reduce((before, level) => {
        expect(level - before).toBeLessThanOrEqual(1);
        return level;
      }, 0);
      const ids = (await opened.page.evaluate(
        "[...document.querySelectorAll('[id]')].map(({ id }) => id)",
      )) as string[];
      expect(new Set(ids).size).toBe(ids.length);
    });
  });

  test.each(['light', 'dark'] as const)('texts keep their contrast in %s colours', async (colorScheme) => {
    const { page: tab } = await open({}, { colorScheme });
    await tab.waitForSelector('.plot');
    await tab.evaluate(UNFOLD);
    await tab.waitForTimeout(100);
    const { checked, low } = (await tab.evaluate(LOW_CONTRAST)) as { checked: number; low: string[] };
    expect(checked).toBeGreaterThan(1000);
    expect(low).toEqual([]);
    await tab.context().close();
  });

  test('numbers in the tables are those of the records', async () => {
    const page = sampleEvolve();
    const { page: tab } = await open();
    await tab.evaluate(UNFOLD);
    const rows = (caption: string) =>
      tab
        .locator(`section[aria-label="${caption}"] tbody tr`)
        .evaluateAll((found) =>
          (found as unknown as { children: Iterable<{ textContent: string }> }[]).map((row) =>
            [...row.children].map(({ textContent }) => textContent.replace(/\s+/g, ' ').trim()),
          ),
        );
    const shown = (figure: Figure) =>
      figure.value === null
        ? /^–\w not measured, note/
        : new RegExp(escaped(figureText(figure)).replace(' \\[', '\\s*\\['));
    const figures = await rows('Figures by round');
    expect(figures).toHaveLength(8);
    page.run.rounds.forEach(({ look, breaker }, at) => {
      const cells = figures[at]!;
      expect(cells.slice(0, 2)).toEqual([String(at + 1), breaker.after]);
      [look.scd2, look.bdi, look.realism, look.psodRise, look.psod, look.epsilon].forEach((figure, place) => {
        expect(cells[3 + place]).toMatch(shown(figure));
      });
    });
    const proposals = await rows('Proposed populations');
    const judged = page.run.rounds.filter(({ acceptance }) => acceptance !== null);
    expect(proposals).toHaveLength(judged.length);
    judged.forEach(({ acceptance }, at) => {
      expect(proposals[at]![1]).toBe(acceptance!.accepted ? 'accepted' : 'rolled back');
      expect(proposals[at]![3]).toMatch(shown(acceptance!.scd2.proposed));
      expect(proposals[at]![6]).toBe(number(acceptance!.scd2.bound!, 3));
    });
    const cost = await rows('Cost by round');
    expect(cost.at(-1)!.slice(0, 4)).toEqual([
      'all, the last examination included',
      '12,000',
      '25,600',
      '376,000',
    ]);
    expect(await rows('Everybody the run met')).toHaveLength(page.run.members.length);
    await tab.context().close();
  });

  test('a figure without a value is a dash with its reason, in no cell a 0', async () => {
    const { page: tab } = await open({ hollow: true });
    await tab.evaluate(UNFOLD);
    const section = tab.locator('#rounds');
    expect(await section.locator('.plot').count()).toBe(0);
    expect(await section.textContent()).toContain('Not measured: fewer than 2 contexts with episodes');
    const cells = await section.locator('tbody td.numeric').allTextContents();
    expect(cells).toHaveLength(8 * 6);
    for (const cell of cells) expect(cell).toMatch(/^–/);
    await tab.context().close();
  });

  test('bars are drawn where they are known, and their absence is said', async () => {
    const { page: tab } = await open();
    const drawn = tab.locator('#rounds .plot').first();
    expect(await drawn.textContent()).toContain('red 0.85');
    expect(await drawn.getAttribute('aria-label')).toContain('yellow 0.7, red 0.85');
    await tab.context().close();
    const page = sampleEvolve();
    // As records of earlier versions are, which tell none.
    const rounds = page.run.rounds.map(({ breaker: { bars: _, ...breaker }, ...round }) => ({
      ...round,
      breaker,
    }));
    const settings = { ...page.run.settings, bars: 'people' as const };
    const run = { ...page.run, settings, rounds } as unknown as EvolvePage['run'];
    const other = await desk.open(renderEvolvePage({ ...page, run }));
    await other.page.waitForSelector('#method');
    expect(await other.page.locator('#rounds .plot').first().textContent()).not.toContain('red');
    expect(await other.page.locator('#rounds').textContent()).toContain('are not in these records');
    await other.page.context().close();
  });

  test('levels and decisions are told by words and letters, not by colour alone', async () => {
    const { page: tab } = await open();
    const words = await tab.locator('#rounds .plot').first().locator('text').allTextContents();
    expect(words.join(' ')).toMatch(/Y.*R.*H/);
    expect(await tab.locator('#breaker .evolve-strip').getAttribute('aria-label')).toContain(
      'red in rounds 4 to 5',
    );
    expect(await tab.locator('#breaker .evolve-event').nth(1).textContent()).toContain(
      'is above 0.85 in its lower bound',
    );
    await tab.context().close();
  });

  test('the tree shows who served, on request everybody, each with what it was made from and why', async () => {
    const { page: tab } = await open();
    const rows = tab.locator('.evolve-tree > li');
    const served = await rows.count();
    expect(await rows.filter({ hasText: 'refused' }).count()).toBe(0);
    expect(await rows.first().locator('.evolve-bars').getAttribute('aria-label')).toMatch(
      /^33 % at the start, .*; in service \d times? of 9$/,
    );
    await tab.getByLabel(/All that were met/).check({ force: true });
    expect(await rows.count()).toBeGreaterThan(served);
    const refused = rows.filter({ hasText: 'refused: realism may be 0.47' });
    expect(await refused.count()).toBeGreaterThan(5);
    expect(await rows.filter({ hasText: /between .* and .*, λ 0.5, by prompt/ }).count()).toBeGreaterThan(3);
    expect(await rows.filter({ hasText: /for mode \d+ \(8 % of people\), from/ }).count()).toBeGreaterThan(3);
    await tab.context().close();
  });

  test('gaps of the whole run or of any round, missing modes by name', async () => {
    const { page: tab } = await open();
    const gaps = tab.locator('#gaps');
    expect(await gaps.locator('.evolve-gap-count').textContent()).toMatch(
      /^7 modes of 12 missing before \(31 % of people\), 3 after \(10 % of people\)\. Its shares fall short of people’s by \d+ % in all before, \d+ % after\.$/,
    );
    expect(await gaps.locator('.plot').textContent()).toContain('mode 5, was missing');
    await gaps.locator('select').selectOption({ label: 'before and after round 6' });
    // That round proposed nothing.
    expect(await gaps.locator('.plot').textContent()).not.toContain('→');
    await tab.context().close();
  });

  test('a paused round leaves a gap in the curves of the policy', async () => {
    const { page: tab } = await open();
    const lines = await tab
      .locator('#policy .plot')
      .nth(1)
      .locator('g[aria-label="line"] path')
      .evaluateAll((paths) =>
        (paths as unknown as { getAttribute: (name: string) => string }[]).map((path) =>
          path.getAttribute('d'),
        ),
      );
    // Two strokes: rounds 1 to 3, and 7 to 8.
    expect(lines[0]!.match(/M/g)).toHaveLength(2);
    await tab.context().close();
  });

  test('the page of 40 rounds and 200 members stays below its size and answers', async () => {
    const html = renderEvolvePage(sampleEvolve(LARGE));
    expect(Buffer.byteLength(html)).toBeLessThan(LIMIT);
    const { page: tab } = await desk.open(html);
    await tab.waitForSelector('#method');
    expect(await tab.locator('.evolve-tree > li').count()).toBe(40);
    await tab.getByRole('button', { name: 'Show all 368' }).click();
    expect(await tab.locator('.evolve-tree > li').count()).toBe(368);
    await tab.context().close();
  });

  test('Tab reaches every kind of control in reading order, each with a visible focus', async () => {
    const { page: tab } = await open(LARGE);
    const seen: string[] = [];
    for (let step = 0; step < 120; step++) {
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
    const order = ['skip', 'button theme', 'a', 'summary', 'radio', 'button', 'select-one', 'recipe'];
    const places = order.map((kind) => seen.indexOf(kind));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    await tab.context().close();
  });

  test('has landmarks', async () => {
    const { page: tab } = await open();
    for (const selector of ['header', 'nav[aria-label]', 'main', 'footer'])
      expect(await tab.locator(selector).count()).toBe(1);
    await tab.context().close();
  });

  test('hostile text is read, not run', async () => {
    const { page: tab } = await open({ texts: HOSTILE });
    await tab.getByLabel(/All that were met/).check({ force: true });
    await tab.evaluate(UNFOLD);
    expect(await tab.evaluate('window.__hit')).toBeUndefined();
    expect(await tab.locator('main img, main script, main style, main base, main iframe').count()).toBe(0);
    await tab.context().close();
  });

  test('readers without scripts get the words', async () => {
    const { page: tab } = await desk.open(renderEvolvePage(sampleEvolve()), { javaScriptEnabled: false });
    const text = String(await tab.evaluate('document.body.innerText'));
    expect(text).toContain('The policy of round 7 of 8 was selected');
    expect(text).toContain('Populations: 4 accepted, 3 rolled back');
    await tab.context().close();
  });

  test('prints everything folded', async () => {
    const { page: tab } = await open();
    await tab.emulateMedia({ media: 'print' });
    await tab.evaluate("dispatchEvent(new Event('beforeprint'))");
    expect(await tab.locator('details:not([open])').count()).toBe(0);
    await tab.context().close();
  });
});

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
