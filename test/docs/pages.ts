import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');

/** A fenced block of a page. */
export interface Block {
  readonly page: string;
  /** Line of the opening fence, from 1. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** From `<!-- not run: reason -->` on the line before; null where the block is to run. */
  readonly notRun: string | null;
}

/** Blocks of commands: marked `sh`, or unmarked and beginning with one. */
export function isShell({ language, text }: Block): boolean {
  return language === 'sh' || (language === '' && text.startsWith('collapse-aware '));
}

export interface Link {
  readonly page: string;
  readonly line: number;
  readonly target: string;
}

export interface Page {
  /** Path from the root. */
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly Block[];
  readonly links: readonly Link[];
  /** Anchors of its headings, as GitHub makes them. */
  readonly anchors: ReadonlySet<string>;
}

/** README, CONTRIBUTING, CHANGELOG, every page under docs/ and the conformance set's own page. */
export function pages(): Page[] {
  const found = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];
  for (const folder of ['docs', 'docs/guides', 'conformance'])
    for (const name of readdirSync(join(ROOT, folder)).sort())
      if (name.endsWith('.md')) found.push(`${folder}/${name}`);
  return found.map((path) => parsePage(path, readFileSync(join(ROOT, path), 'utf8')));
}

export function parsePage(path: string, text: string): Page {
  const blocks: Block[] = [];
  const links: Link[] = [];
  const anchors = new Set<string>();
  let open: { line: number; language: string; lines: string[]; notRun: string | null } | null = null;
  let notRun: string | null = null;
  text.split('\n').forEach((content, at) => {
    const line = at + 1;
    const fence = /^```(\S*)/.exec(content);
    if (open !== null) {
      if (fence === null) open.lines.push(content);
      else {
        blocks.push({
          page: path,
          line: open.line,
          language: open.language,
          text: open.lines.join('\n'),
          notRun: open.notRun,
        });
        open = null;
      }
      return;
    }
    if (fence !== null) {
      open = { line, language: fence[1]!, lines: [], notRun };
      notRun = null;
      return;
    }
    const comment = /^<!-- not run: (.+) -->$/.exec(content);
    if (comment !== null) notRun = comment[1]!;
    else if (content.trim() !== '') notRun = null;
    const heading = /^#{1,6} (.+)$/.exec(content);
    if (heading !== null) anchors.add(unique(anchorOf(heading[1]!), anchors));
    const prose = content.replace(/`[^`]*`/g, '');
    for (const [, target] of prose.matchAll(/\]\(([^)\s]+)\)/g))
      links.push({ page: path, line, target: target! });
    for (const [, target] of prose.matchAll(/(?:src|srcset|href)="([^"]+)"/g))
      links.push({ page: path, line, target: target! });
  });
  if (open !== null) throw new Error(`${path}: a block is not closed`);
  return { path, text, blocks, links, anchors };
}

/** GitHub's rule: lower case, punctuation away, spaces to hyphens. */
function anchorOf(heading: string): string {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('`', '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}

function unique(anchor: string, taken: ReadonlySet<string>): string {
  if (!taken.has(anchor)) return anchor;
  let at = 1;
  while (taken.has(`${anchor}-${at}`)) at += 1;
  return `${anchor}-${at}`;
}

/** Rows of the table that follows a heading: cells without their outer bars. */
export function tableUnder(page: Page, heading: string): string[][] {
  const lines = page.text.split('\n');
  const from = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === heading);
  if (from < 0) throw new Error(`${page.path}: no heading "${heading}"`);
  const rows: string[][] = [];
  for (const line of lines.slice(from + 1)) {
    if (/^#+ /.test(line)) break;
    if (line.startsWith('|'))
      rows.push(
        line
          .slice(1, -1)
          .split(/(?<!\\)\|/)
          .map((cell) => cell.trim()),
      );
    else if (rows.length > 0) break;
  }
  return rows.slice(2);
}
