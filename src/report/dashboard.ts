import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CollapseAwareError } from '../errors.ts';

/** Where the prebuilt dashboard may stand: beside the compiled code, or in web/dist while developing. */
const PLACES = [
  join(import.meta.dirname, 'dashboard.html'),
  join(import.meta.dirname, '..', '..', 'web', 'dist', 'dashboard', 'dashboard.html'),
];

/**
 * How it is to be served. The page itself allows its own script and style and nothing else; what a page cannot say of
 * itself is that nobody may frame it.
 */
export const DASHBOARD_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  'content-security-policy': "frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
};

/**
 * Reads the prebuilt dashboard of the gateway (one HTML file, script and style inside; it holds no data and no key).
 * @throws CA_PAGE_NOT_BUILT where no place holds it.
 */
export async function dashboardPage(places: readonly string[] = PLACES): Promise<string> {
  for (const place of places)
    try {
      return await readFile(place, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  throw new CollapseAwareError('CA_PAGE_NOT_BUILT', 'the dashboard is not in this build', {
    place: places[0] === undefined ? {} : { file: places[0] },
    todo: 'run `npm run build` once in a source checkout; an installed package carries the page, so reinstall it',
  });
}
