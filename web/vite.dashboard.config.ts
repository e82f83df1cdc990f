import { resolve } from 'node:path';
import preact from '@preact/preset-vite';
import { defineConfig } from 'vite';
import { leanPlot } from './lean-plot.ts';
import { singleFile } from './single-file.ts';

/** Built after the report page, whose build empties web/dist. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  publicDir: false,
  plugins: [
    leanPlot(),
    preact({ prefreshEnabled: false, devToolsEnabled: false }),
    // It asks the gateway that served it, and nobody else.
    singleFile('dashboard.html', { what: 'dashboard', directives: ["connect-src 'self'", 'img-src data:'] }),
  ],
  build: {
    outDir: 'dist/dashboard',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    rollupOptions: { input: resolve(import.meta.dirname, 'dashboard.html') },
  },
});
