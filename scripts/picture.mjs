// Makes docs/images/{report,curation}-{light,dark}.webp: the first screens of the demo's report and of the demo's
// rollouts curated, in a real browser. `node scripts/picture.mjs curation` makes only those that are named. With
// `--table table.html` (of `lab table --html`) also lab-{light,dark}.webp: methods by success in every world. With
// `--run run.html` (of `renderEvolvePage`) also evolve-{light,dark}.webp: what a run came to, and its figures. With
// `--gateway` also gateway-{light,dark}.webp: the dashboard of a gateway whose population collapses, played in a minute.
// Needs the built package (npm run build) and a Chromium ($CHROMIUM, default /usr/bin/chromium).
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';

const root = resolve(import.meta.dirname, '..');
const target = join(root, 'docs', 'images');
const folder = mkdtempSync(join(tmpdir(), 'collapse-aware-picture-'));
/** Tall enough that nothing has to be scrolled; a picture has SCALE times as many pixels each way. */
const SIZE = { width: 1280, height: 1600 };
const SCALE = 1.6;
const MARGIN = 24;
const LIMIT = 250_000;
const { values: given, positionals: named } = parseArgs({
  options: {
    table: { type: 'string' },
    run: { type: 'string' },
    gateway: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const PICTURES = {
  report: { file: 'report.html', prepare: chooseSimulator, crop: cropReport },
  curation: { file: 'curated/curation.html', prepare: async () => {}, crop: cropCuration },
  ...(given.table === undefined
    ? {}
    : {
        lab: { file: resolve(given.table), prepare: async () => {}, crop: cropLab, height: 3200, scale: 1.4 },
      }),
};
if (given.run !== undefined)
  PICTURES.evolve = {
    file: resolve(given.run),
    prepare: async () => {},
    crop: cropEvolve,
    height: 2400,
    scale: 1.4,
  };
if (given.gateway)
  PICTURES.gateway = { file: null, prepare: async () => {}, crop: cropGateway, height: 2400, scale: 1.4 };
const unknown = named.filter((name) => !(name in PICTURES));
if (unknown.length > 0) throw new Error(`no picture is called ${unknown.join(', ')}`);
const wanted = named.length > 0 ? named : Object.keys(PICTURES);

let browser;
let scene = null;
try {
  if (wanted.includes('gateway')) scene = await (await import('./gateway-scene.mjs')).gatewayScene();
  if (wanted.some((what) => !['lab', 'evolve', 'gateway'].includes(what))) run('demo', '-q', '-o', folder);
  if (wanted.includes('curation'))
    run(
      ...['curate', join(folder, 'rollouts.jsonl'), '--reference', join(folder, 'people.jsonl'), '-q'],
      ...['--title', 'The demo, curated', '-o', join(folder, 'curated')],
    );
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
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
  mkdirSync(target, { recursive: true });
  for (const what of wanted)
    for (const colorScheme of ['light', 'dark']) {
      const bytes = await picture(PICTURES[what], colorScheme);
      const name = `${what}-${colorScheme}.webp`;
      if (bytes.length > LIMIT) throw new Error(`${name} has ${bytes.length} bytes, over ${LIMIT}`);
      writeFileSync(join(target, name), bytes);
      console.log(`docs/images/${name}: ${bytes.length} bytes`);
    }
} finally {
  await browser?.close();
  await scene?.stop();
  rmSync(folder, { recursive: true, force: true });
}

function run(...args) {
  execFileSync(process.execPath, [join(root, 'dist/cli/main.js'), ...args], { stdio: 'ignore' });
}

async function picture({ file, prepare, crop, height = SIZE.height, scale = SCALE }, colorScheme) {
  const viewport = { ...SIZE, height };
  const context = await browser.newContext({ viewport, colorScheme, deviceScaleFactor: scale });
  const page = await context.newPage();
  await page.goto(file === null ? scene.url : pathToFileURL(resolve(folder, file)).href);
  await page.locator('#verdict h1').waitFor();
  await prepare(page);
  await page.evaluate(() => {
    document.activeElement?.blur();
    scrollTo(0, 0);
  });
  const png = await page.screenshot({ clip: await crop(page) });
  const webp = await toWebp(await context.newPage(), png);
  await context.close();
  return webp;
}

/** The simulator that the headline names, and one of its dialogues. */
async function chooseSimulator(page) {
  await page.locator('#map .explorer-map svg').waitFor();
  await page.locator('#map select').selectOption({ label: 'one-note' });
  await page.getByRole('button', { name: 'Next dialogue' }).click();
}

/** The charts of methods by success, one a world. */
async function cropLab(page) {
  const { x, y, width, height } = await page.locator('#standing').boundingBox();
  return { x: x - MARGIN, y, width: width + 2 * MARGIN, height };
}

/** The verdict and the first four figures over rounds. */
async function cropEvolve(page) {
  await page.locator('#rounds .plot').nth(3).waitFor();
  const { x, y, width } = await page.locator('#verdict').boundingBox();
  const figure = await page.locator('#rounds .multiple').nth(3).boundingBox();
  return { x: x - MARGIN, y, width: width + 2 * MARGIN, height: figure.y + figure.height - y + MARGIN / 2 };
}

/** The verdict, the figures and the curves, below the page's own bar. */
async function cropGateway(page) {
  await page.locator('#curves canvas').first().waitFor();
  await page.waitForTimeout(1000);
  const { x, y, width } = await page.locator('#verdict').boundingBox();
  const curves = await page.locator('#curves').boundingBox();
  const height = curves.y + curves.height - y + MARGIN;
  return { x: x - MARGIN, y, width: width + 2 * MARGIN, height };
}

/** The verdict, the four figures and the rows. */
async function cropCuration(page) {
  const { x, y, width, height } = await page.locator('#verdict').boundingBox();
  return { x: x - MARGIN, y, width: width + 2 * MARGIN, height: height + MARGIN / 2 };
}

/** From the headline to the line below the map. */
async function cropReport(page) {
  const headline = await page.locator('#verdict h1').boundingBox();
  const map = await page.getByText('distances are only partly seen').boundingBox();
  const main = await page.locator('#verdict').boundingBox();
  const top = headline.y - MARGIN;
  return {
    x: main.x - MARGIN,
    y: top,
    width: main.width + 2 * MARGIN,
    height: map.y + map.height + MARGIN / 2 - top,
  };
}

/** On an empty page, since the report forbids itself to load pictures. Playwright writes PNG and JPEG; a canvas of the same browser writes WebP, a third of the size. */
async function toWebp(page, png) {
  const url = await page.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.width;
    canvas.height = image.height;
    canvas.getContext('2d').drawImage(image, 0, 0);
    return canvas.toDataURL('image/webp', 0.8);
  }, png.toString('base64'));
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}
