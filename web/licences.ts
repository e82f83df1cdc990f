import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A package whose code stands in the page. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression of its package.json. */
  readonly licence: string;
  readonly copyright: readonly string[];
  /** Its licence file without title and copyright lines. */
  readonly text: string;
}

const PACKAGE = /^(.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+))[\\/]/;
const COPYRIGHT = /^(?:copyright\b|\(c\)|©)/i;
const TITLE = /^#*\s*(?:the )?[\w -]*licen[cs]e\s*(?:\([\w -]+\))?\.?$|^all rights reserved\.?$|^[=-]+$/i;

/** A module of a bundle: its file, and the files it imports. */
export interface BundledModule {
  readonly id: string;
  readonly imports: readonly string[];
}

/**
 * The packages whose code stands in a bundle, by name. A dependency that a package declares and none of its
 * modules imports was built into its files (d3-array holds internmap), so it counts too.
 * @throws Error where one has no licence file or no copyright line: the page may not be passed on without.
 */
export function bundledPackages(modules: readonly BundledModule[]): BundledPackage[] {
  const folders = new Map<string, string>();
  const imported = new Map<string, Set<string>>();
  for (const { id, imports } of modules) {
    const [, folder, name] = PACKAGE.exec(id) ?? [];
    if (folder === undefined) continue;
    folders.set(folder, name!.replace('\\', '/'));
    const names = imported.get(folder) ?? new Set();
    for (const other of imports) names.add(PACKAGE.exec(other)?.[2]?.replace('\\', '/') ?? '');
    imported.set(folder, names);
  }
  // The list grows while it is walked: what was built in may itself hold others.
  for (const [folder] of folders)
    for (const name of Object.keys(manifest(folder).dependencies ?? {}))
      if (imported.get(folder)?.has(name) !== true) {
        const inside = installed(folder, name);
        if (!folders.has(inside)) folders.set(inside, name);
      }
  return [...folders]
    .map(([folder, name]) => read(folder, name))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

interface Manifest {
  readonly version: string;
  readonly license: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

function manifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/** Where a package finds another: in its own node_modules, else in one further up. */
function installed(folder: string, name: string): string {
  for (let at = folder; dirname(at) !== at; at = dirname(at)) {
    const candidate = join(at, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return candidate;
  }
  throw new Error(`${name} is not installed, and ${folder} may hold code of it`);
}

function read(folder: string, name: string): BundledPackage {
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(?:\.|$)/i.test(entry));
  if (file === undefined) throw new Error(`${name} is in the page and has no licence file`);
  const lines = readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .map((line) => line.trim());
  const copyright: string[] = [];
  // Only what stands above the text: a second notice further down belongs to the terms below it.
  let start = 0;
  for (; start < lines.length; start++) {
    const line = lines[start]!;
    if (COPYRIGHT.test(line)) copyright.push(line);
    else if (line !== '' && !TITLE.test(line)) break;
  }
  if (copyright.length === 0) throw new Error(`${name} is in the page and names no copyright`);
  const { version, license } = manifest(folder);
  return {
    name,
    version,
    licence: license,
    copyright,
    text: lines.slice(start).join('\n').trim(),
  };
}

/** All notices: each licence text once, below the packages and copyright lines it goes with. */
export function notices(packages: readonly BundledPackage[], what = 'report page'): string {
  const groups = new Map<string, BundledPackage[]>();
  for (const one of packages) {
    const key = one.text.replace(/\s+/g, ' ');
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const parts = [...groups.values()].map((group) => {
    const heads = group.map(
      ({ name, version, licence, copyright }) => `${name} ${version} (${licence})\n${copyright.join('\n')}`,
    );
    return `${heads.join('\n')}\n\n${group[0]!.text}`;
  });
  return `The ${what} holds code of these packages.\n\n${parts.join('\n\n\n')}\n`;
}

/** Text as an HTML comment, which must not hold two hyphens in a row. */
export function comment(text: string): string {
  return `<!--\n${text.replace(/-(?=-)/g, '- ').trim()}\n-->`;
}
