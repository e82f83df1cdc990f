import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';
import { type BundledModule, bundledPackages, comment, notices } from './licences.ts';

/**
 * Puts script and style into the page and writes their hashes into its content security policy, so that
 * nothing but these two bundles can run there, wherever the page is opened.
 * @param file name of the page in the bundle
 * @param options `what` the notices call it, and directives that its policy has besides
 */
export function singleFile(
  file: string,
  options: { readonly what: string; readonly directives?: readonly string[] },
): Plugin {
  return {
    name: 'single-file',
    enforce: 'post',
    generateBundle(_, bundle) {
      const page = bundle[file];
      if (page?.type !== 'asset') throw new Error(`${file} is not in the bundle`);
      let script = '';
      let style = '';
      const modules: BundledModule[] = [];
      for (const [name, item] of Object.entries(bundle)) {
        if (item.type === 'chunk') {
          script += item.code;
          for (const id of Object.keys(item.modules))
            modules.push({ id, imports: this.getModuleInfo(id)?.importedIds ?? [] });
        } else if (name.endsWith('.css')) style += String(item.source);
        if (item !== page) delete bundle[name];
      }
      // The bundle must not end its own element: these can only stand in strings, where the escape is idle.
      script = script.trim().replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
      style = style.trim();
      const policy = [
        "default-src 'none'",
        `script-src '${hash(script)}'`,
        `style-src '${hash(style)}'`,
        ...(options.directives ?? []),
        "base-uri 'none'",
        "form-action 'none'",
      ].join('; ');
      page.source = String(page.source)
        .replace(/\s*<script type="module"[^>]*><\/script>/, '')
        .replace(/\s*<link rel="stylesheet"[^>]*>/, '')
        .replace('__POLICY__', () => policy)
        .replace('<!--style-->', () => `<style>${style}</style>`)
        .replace('<!--script-->', () => `<script type="module">${script}</script>`);
      // Their licences ask for it in every copy, and each page is one.
      const third = notices(bundledPackages(modules), options.what);
      page.source = `${page.source.trimEnd()}\n${comment(third)}\n`;
      this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-LICENSES.txt', source: third });
    },
  };
}

function hash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
