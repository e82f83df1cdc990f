// Holds the one direction of the house: a folder of src/ imports only from folders above it in ORDER.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

const ORDER = [
  'version',
  'errors',
  'trajectory',
  'math',
  'store',
  'endpoint',
  'formats',
  'embedding',
  'space',
  'metrics',
  'diagnosis',
  'audit',
  'curation',
  'population',
  'synthesis',
  'loop',
  'report',
  'curator',
  'lab',
  'gateway',
  'client',
  'outside',
  'cli',
];
/** Pure folders: no files, no network, no clock. */
const PURE = new Set([
  'trajectory',
  'math',
  'space',
  'metrics',
  'diagnosis',
  'curation',
  'population',
  'synthesis',
]);
const EFFECTS =
  /^(node:(fs|fs\/promises|net|http|https|child_process|worker_threads|os|process|timers.*)|undici|@duckdb\/.*)$/;
const CLOCK = /\b(Date\.now|new Date\(\)|performance\.now|Math\.random)\b/;

const root = resolve(import.meta.dirname, '..', 'src');
const walk = (dir) =>
  readdirSync(dir).flatMap((name) => {
    const path = join(dir, name);
    return statSync(path).isDirectory() ? walk(path) : path.endsWith('.ts') ? [path] : [];
  });
const roomOf = (path) => relative(root, path).split(sep)[0].replace(/\.ts$/, '');

const faults = [];
for (const file of walk(root)) {
  const room = roomOf(file);
  if (file.includes(`math${sep}wasm`)) continue;
  const source = readFileSync(file, 'utf8');
  const where = relative(resolve(root, '..'), file);
  if (room !== 'index' && !ORDER.includes(room))
    faults.push(`${where}: folder "${room}" is not in the order`);
  for (const [, target] of source.matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)) {
    if (target.startsWith('.')) {
      const other = roomOf(resolve(dirname(file), target));
      if (room !== 'index' && ORDER.indexOf(other) > ORDER.indexOf(room))
        faults.push(`${where}: imports ${target} (${room} may not look down to ${other})`);
      if (room !== 'index' && other === 'index') faults.push(`${where}: imports the package's own entry`);
    } else if (PURE.has(room) && EFFECTS.test(target))
      faults.push(`${where}: ${room} is pure but imports ${target}`);
  }
  if (PURE.has(room) && CLOCK.test(source))
    faults.push(`${where}: ${room} is pure but reads a clock or Math.random`);
}
if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exit(1);
}
console.log('imports flow one way');
