import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { Desk, type Opened, pagesReady } from '../../report/browser.ts';
import { type FakeControl, fakeControl, KEY } from './fake-control.ts';
import { type FakeOptions, fakeData } from './fake-data.ts';

export const BUILT = resolve(
  import.meta.dirname,
  '..',
  '..',
  '..',
  'web',
  'dist',
  'dashboard',
  'dashboard.html',
);

export const dashboardReady = (): boolean => pagesReady(BUILT, 'the built dashboard');

export interface DashboardDesk {
  /** A gateway with made-up numbers. */
  serve(options?: FakeOptions): Promise<FakeControl>;
  /** The dashboard as it is served, at once. */
  visit(fake: FakeControl, hash: string, context?: BrowserContextOptions): Promise<Opened>;
  /** The dashboard under its key, once every part has its numbers. */
  open(options?: FakeOptions, context?: BrowserContextOptions): Promise<Opened & { fake: FakeControl }>;
}

/** A browser for the tests of one `describe`; closes after each test what it opened. */
export function dashboardDesk(): DashboardDesk {
  const desk = new Desk();
  const fakes: FakeControl[] = [];
  const pages: Page[] = [];
  beforeAll(() => desk.start());
  afterAll(() => desk.stop());
  afterEach(async () => {
    for (const page of pages.splice(0)) await page.context().close();
    for (const fake of fakes.splice(0)) await fake.close();
  });
  const serve = async (options: FakeOptions = {}) => {
    const fake = await fakeControl(readFileSync(BUILT, 'utf8'), fakeData(options));
    fakes.push(fake);
    return fake;
  };
  const visit = async (fake: FakeControl, hash: string, context: BrowserContextOptions = {}) => {
    const opened = await desk.visit(`${fake.url}${hash}`, context);
    pages.push(opened.page);
    return opened;
  };
  return {
    serve,
    visit,
    open: async (options = {}, context = {}) => {
      const fake = await serve(options);
      const opened = await visit(fake, `#key=${KEY}`, context);
      await opened.page.waitForSelector('.sessions');
      await opened.page.waitForSelector('.live-tiles');
      if (options.epochs !== 0) await opened.page.waitForSelector('#modes');
      return { ...opened, fake };
    },
  };
}
