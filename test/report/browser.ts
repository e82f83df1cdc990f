import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { requirement } from '../require.ts';

/** `$CHROMIUM`, else Debian's. */
export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

export function hasChromium(): boolean {
  return existsSync(CHROMIUM);
}

/** The page of all reports as it was built. */
export const BUILT = resolve(import.meta.dirname, '..', '..', 'web', 'dist', 'report.html');

/** Whether pages can be opened here at all; says what is missing. @param built the page that is to be opened */
export function pagesReady(built = BUILT, what = 'the built page'): boolean {
  return (
    requirement(
      'a Chromium browser',
      hasChromium(),
      'apt-get install chromium, or set CHROMIUM to its path',
    ) && requirement(what, statSync(built, { throwIfNoEntry: false }) !== undefined, 'npm run build:web')
  );
}

/** Runs in the page: opens whatever is folded. */
export const UNFOLD = "document.querySelectorAll('details').forEach((d) => { d.open = true; })";

/** Widths of a phone's page of 360 px, folded and unfolded: more than 360 scrolls sideways. */
export async function phoneWidths(page: Page): Promise<readonly unknown[]> {
  const width = () => page.evaluate('document.documentElement.scrollWidth');
  await page.setViewportSize({ width: 360, height: 740 });
  const folded = await width();
  await page.evaluate(UNFOLD);
  await page.waitForTimeout(50);
  return [folded, await width()];
}

export interface Opened {
  readonly page: Page;
  /** Addresses asked for, the page's own first. */
  readonly requests: string[];
  /** Console errors and warnings, uncaught errors, dialogs. */
  readonly faults: string[];
}

/** A real browser for one test file, and a folder its pages are opened from. */
export class Desk {
  #browser: Browser | null = null;
  readonly #folder = mkdtempSync(join(tmpdir(), 'report-page-'));
  #files = 0;

  async start(): Promise<void> {
    this.#browser = await chromium.launch({
      executablePath: CHROMIUM,
      headless: true,
      args: [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    });
  }

  /** Opens a page from a file, as a reader of a report does. */
  open(html: string, options: BrowserContextOptions = {}): Promise<Opened> {
    const path = join(this.#folder, `page-${this.#files++}.html`);
    writeFileSync(path, html);
    return this.visit(pathToFileURL(path).href, options);
  }

  /** Opens a page at an address. */
  async visit(url: string, options: BrowserContextOptions = {}): Promise<Opened> {
    if (this.#browser === null) throw new Error('the browser was not started');
    const context = await this.#browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    const page = await context.newPage();
    const requests: string[] = [];
    const faults: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
    });
    page.on('dialog', async (dialog) => {
      faults.push(`dialog: ${dialog.message()}`);
      await dialog.dismiss();
    });
    await page.goto(url);
    return { page, requests, faults };
  }

  async stop(): Promise<void> {
    await this.#browser?.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/**
 * Runs in the page: texts whose contrast with what lies behind them is too low (WCAG 2.2 AA: 4.5, large 3).
 * A string, because these tests are compiled without the DOM's types.
 */
export const LOW_CONTRAST = `(() => {
  const parse = (text) => {
    const numbers = (text.match(/-?[\\d.]+(e-?\\d+)?/g) ?? []).map(Number);
    const scale = text.startsWith('color(') ? 255 : 1;
    return { r: numbers[0] * scale, g: numbers[1] * scale, b: numbers[2] * scale, a: numbers[3] ?? 1 };
  };
  const over = (top, below) => ({
    r: top.r * top.a + below.r * (1 - top.a),
    g: top.g * top.a + below.g * (1 - top.a),
    b: top.b * top.a + below.b * (1 - top.a),
    a: 1,
  });
  const light = ({ r, g, b }) => {
    const [x, y, z] = [r, g, b].map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = (element) => {
    const layers = [];
    for (let at = element; at !== null; at = at.parentElement) layers.push(parse(getComputedStyle(at).backgroundColor));
    return layers.reverse().reduce((below, layer) => over(layer, below), { r: 255, g: 255, b: 255, a: 1 });
  };
  const low = [];
  let checked = 0;
  for (const element of document.querySelectorAll('body *')) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
    if (!own || element.closest('script, noscript, option, title, .unseen, .skip') || element.getClientRects().length === 0) continue;
    const style = getComputedStyle(element);
    const back = behind(element);
    const svg = element.namespaceURI.endsWith('svg');
    const front = over(parse(svg ? style.fill : style.color), back);
    const [high, below] = [light(front), light(back)].sort((a, b) => b - a);
    const ratio = (high + 0.05) / (below + 0.05);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    checked++;
    if (ratio < (large ? 3 : 4.5)) low.push(element.textContent.slice(0, 40) + ' ' + ratio.toFixed(2));
  }
  return { checked, low };
})()`;
