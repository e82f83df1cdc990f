import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CollapseAwareError } from '../errors.ts';

/** Where the prebuilt page may stand: beside the compiled code, or in web/dist while developing. */
const PLACES = [
  join(import.meta.dirname, 'page.html'),
  join(import.meta.dirname, '..', '..', 'web', 'dist', 'report.html'),
];

let kept: { readonly path: string; readonly html: string } | null = null;

/**
 * Reads the prebuilt page (one HTML file, script and style inside).
 * @throws CA_PAGE_NOT_BUILT where no place holds it.
 */
export function readTemplate(places: readonly string[] = PLACES): string {
  const path = places.find((place) => existsSync(place));
  if (path === undefined)
    throw new CollapseAwareError('CA_PAGE_NOT_BUILT', 'the report page is not in this build', {
      place: places[0] === undefined ? {} : { file: places[0] },
      todo: 'run `npm run build` once in a source checkout; an installed package carries the page, so reinstall it',
    });
  if (kept?.path !== path) kept = { path, html: readFileSync(path, 'utf8') };
  return kept.html;
}
