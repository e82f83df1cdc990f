import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeHtml, readTemplate, renderPage, scriptJson } from '../../src/report/index.ts';
import { HOSTILE } from './dialogues.ts';
import { samplePage } from './page-fixture.ts';
import { hostilePage } from './page-variants.ts';

const TEMPLATE = [
  '<title>__COLLAPSE_AWARE_TITLE__</title>',
  '<noscript><pre>__COLLAPSE_AWARE_PLAIN__</pre></noscript>',
  '<script type="application/json" id="data">"__COLLAPSE_AWARE_DATA__"</script>',
].join('\n');

function dataOf(html: string): unknown {
  const [, json] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html) ?? [];
  return JSON.parse(json ?? 'null');
}

describe('the page', () => {
  test('carries the whole report as it was given', () => {
    const page = samplePage();
    expect(dataOf(renderPage(page, TEMPLATE))).toEqual({ kind: 'audit', page });
  });

  test('carries hostile text unchanged and inert', () => {
    const page = hostilePage();
    const html = renderPage(page, TEMPLATE);
    expect(dataOf(html)).toEqual(JSON.parse(JSON.stringify({ kind: 'audit', page })));
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html.match(/<\/script/g)).toHaveLength(1);
    expect(html).not.toMatch(/<!--|<img|<style|<base|[\u2028\u2029]/);
  });

  test('tells readers without scripts what the terminal says', () => {
    const page = samplePage();
    expect(renderPage(page, TEMPLATE)).toContain('61 % of people&#39;s own diversity');
  });

  test('refuses a template without its slots', () => {
    expect(() => renderPage(samplePage(), '<title></title>')).toThrow(
      expect.objectContaining({ code: 'CA_PAGE_NOT_BUILT' }),
    );
  });

  test('gives the same bytes for the same page', () => {
    expect(renderPage(samplePage(), TEMPLATE)).toBe(renderPage(samplePage(), TEMPLATE));
  });
});

describe('JSON inside a script element', () => {
  test('never holds what could end the element, and parses back', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(...HOSTILE),
      fc.string({ unit: 'grapheme' }),
    );
    fc.assert(
      fc.property(fc.dictionary(texts, fc.array(texts)), (value) => {
        const json = scriptJson(value);
        expect(json).not.toMatch(/[<>&\u2028\u2029]/);
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: 300 },
    );
  });
});

test('text escaped for HTML holds no markup', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(escapeHtml(text)).not.toMatch(/[<>"']/);
    }),
  );
});

describe('the template', () => {
  test('says what to do where it was not built', () => {
    expect(() => readTemplate(['/nowhere/page.html'])).toThrow(
      expect.objectContaining({ code: 'CA_PAGE_NOT_BUILT', todo: expect.stringContaining('npm run build') }),
    );
  });

  test('is the first that exists', () => {
    const folder = mkdtempSync(join(tmpdir(), 'template-'));
    try {
      writeFileSync(join(folder, 'second.html'), 'second');
      expect(readTemplate([join(folder, 'first.html'), join(folder, 'second.html')])).toBe('second');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
