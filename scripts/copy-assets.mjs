// Copies what the compiler does not: the prebuilt report page with the notices of its packages, and the WASM kernels.
import { cpSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const page = join(root, 'web', 'dist', 'report.html');
if (!existsSync(page)) {
  console.error('web/dist/report.html is missing: run `npm run build:web` first');
  process.exit(1);
}
copy(page, join(root, 'dist', 'report', 'page.html'));
copy(
  join(root, 'web', 'dist', 'THIRD-PARTY-LICENSES.txt'),
  join(root, 'dist', 'report', 'THIRD-PARTY-LICENSES.txt'),
);

for (const file of walk(join(root, 'src')))
  if (file.endsWith('.wasm')) copy(file, join(root, 'dist', relative(join(root, 'src'), file)));

function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to);
}

function walk(dir) {
  return readdirSync(dir).flatMap((name) => {
    const path = join(dir, name);
    return statSync(path).isDirectory() ? walk(path) : [path];
  });
}
