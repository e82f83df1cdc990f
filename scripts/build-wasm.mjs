// Compiles src/math/wasm/kernels.ts (AssemblyScript) into src/math/kernels.generated.ts, the bytes in base64.
// Does nothing where the generated file is newer than its sources.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const source = join('src', 'math', 'wasm', 'kernels.ts');
const target = join(root, 'src', 'math', 'kernels.generated.ts');

const changed = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
const newest = Math.max(changed(join(root, source)), changed(import.meta.filename));

if (changed(target) < newest) {
  const { default: asc } = await import('assemblyscript/asc');
  const folder = mkdtempSync(join(tmpdir(), 'kernels-'));
  try {
    const out = join(folder, 'kernels.wasm');
    const options = ['-O3', '--enable', 'simd', '--runtime', 'stub', '--noAssert', '--baseDir', root];
    const { error, stderr } = await asc.main([source, ...options, '--outFile', out]);
    if (error) {
      console.error(`${stderr}${error.message}`);
      process.exit(1);
    }
    const bytes = readFileSync(out);
    writeFileSync(
      target,
      `// Made by scripts/build-wasm.mjs from ${source.replaceAll('\\', '/')}.\nexport const KERNELS =\n  '${bytes.toString('base64')}';\n`,
    );
    console.log(`kernels: ${bytes.length} bytes`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
