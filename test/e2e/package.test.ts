import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';

const root = path.join(import.meta.dirname, '../..');
const ManifestSchema = z.object({
  bin: z.record(z.string(), z.string()),
  exports: z.object({
    '.': z.object({ types: z.string(), default: z.string() }),
    './testing': z.object({
      import: z.object({ types: z.string(), default: z.string() }),
      require: z.object({ types: z.string(), default: z.string() }),
    }),
    './scenario.schema.json': z.string(),
  }),
  files: z.array(z.string()),
});
const manifest = ManifestSchema.parse(JSON.parse(read('package.json')));

describe('the published package', () => {
  it.each(Object.values(manifest.bin))('contains %s, which can be started', (bin) => {
    expect(read(bin).startsWith('#!/usr/bin/env node\n')).toBe(true);
    // Windows has no permission bits.
    if (process.platform !== 'win32') expect(statSync(path.join(root, bin)).mode & 0o111).toBe(0o111);
  });

  it('contains every export and every listed file', () => {
    const { '.': library, './testing': testing, './scenario.schema.json': schema } = manifest.exports;
    const forms = [library, testing.import, testing.require].flatMap((form) => Object.values(form));
    const files = [...forms, schema, ...manifest.files];
    expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  });

  it('has pages that link to published files, or to files that only a clone has', () => {
    const pages = ['README.md', ...readdirSync(path.join(root, 'docs')).map((name) => `docs/${name}`)];
    const links = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link = '']) =>
        path.posix.join(path.posix.dirname(page), link),
      ),
    );
    expect(links.length).toBeGreaterThan(20);
    const isThere = (link: string) => existsSync(path.join(root, link));
    expect(links.filter((link) => !isThere(link))).toEqual([]);
    const shipped = (link: string) => manifest.files.some((file) => link === file || link.startsWith(`${file}/`));
    const others = links.filter((link) => !shipped(link)).map((link) => link.split('/')[0]);
    expect([...new Set(others)].toSorted()).toEqual(['CONTRIBUTING.md', 'bench', 'src', 'test']);
  });

  it('has commands that import only modules of Node before they check the version', () => {
    for (const bin of Object.values(manifest.bin)) {
      const specifiers = [...read(bin).matchAll(/^import .*? from "(.*?)";$/gm)].map((match) => match[1]);
      expect(specifiers.length).toBeGreaterThan(0);
      expect(specifiers.filter((specifier) => specifier?.startsWith('node:') !== true)).toEqual([]);
    }
  });

  it('has no command that loads the CommonJS files', () => {
    const chunks = readdirSync(path.join(root, 'dist')).filter((file) => file.endsWith('.js'));
    expect(chunks.filter((file) => /from "\.\/cjs|import\("\.\/cjs/.test(read(`dist/${file}`)))).toEqual([]);
  });

  it('has a current THIRD-PARTY-NOTICES.md (if this fails: npm run notices)', () => {
    expect(read('THIRD-PARTY-NOTICES.md')).toBe(read('dist/THIRD-PARTY-NOTICES.md'));
  });
});

function read(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}
