import { resolve } from 'node:path';
import preact from '@preact/preset-vite';
import { defineConfig } from 'vite';
import { singleFile } from './single-file.ts';

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  publicDir: false,
  plugins: [
    preact({ prefreshEnabled: false, devToolsEnabled: false }),
    singleFile('report.html', { what: 'report page' }),
  ],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    rollupOptions: { input: resolve(import.meta.dirname, 'report.html') },
  },
});
