// Copies what the compiler does not: the prebuilt pages with the notices of their packages, and the WASM kernels.
import { cpSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const web = join(root, 'web', 'dist');
const PAGES = [
  {
    page: 'report.html',
    notices: 'THIRD-PARTY-LICENSES.txt',
    as: 'page.html',
    beside: 'THIRD-PARTY-LICENSES.txt',
  },
  {
    page: 'dashboard/dashboard.html',
    notices: 'dashboard/THIRD-PARTY-LICENSES.txt',
    as: 'dashboard.html',
    beside: 'DASHBOARD-THIRD-PARTY-LICENSES.txt',
  },
];
for (const { page, notices, as, beside } of PAGES) {
  if (!existsSync(join(web, page))) {
    console.error(`web/dist/${page} is missing: run \`npm run build:web\` first`);
    process.exit(1);
  }
  copy(join(web, page), join(root, 'dist', 'report', as));
  copy(join(web, notices), join(root, 'dist', 'report', beside));
}

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
