import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.join(import.meta.dirname, '../..');
const docs = readdirSync(path.join(root, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);
const chapters = globSync('chapters/**/README.md', { cwd: root }).map((page) => page.replaceAll('\\', '/'));
const pages = ['README.md', 'CONTRIBUTING.md', 'scenarios/README.md', ...chapters, ...docs];
const read = (page: string) => readFileSync(path.join(root, page), 'utf8');

/** The lines of prose that are too long, with their numbers. Tables and fenced blocks may be longer. */
function longLines(text: string): string[] {
  return withoutFences(text)
    .split('\n')
    .flatMap((line, index) => (line.length > 120 && !line.startsWith('|') ? [`${index + 1}: ${line}`] : []));
}

/** The text with empty lines in place of fenced blocks. */
function withoutFences(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```$/gm, (block) => block.replaceAll(/[^\n]/g, ''));
}

/** The anchors of a page as GitHub generates them from the headings. */
function anchorsOf(text: string): readonly string[] {
  return [...withoutFences(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** The relative links of a page that lead nowhere: no such file, or no such heading in it. */
function brokenLinks(page: string, text: string): readonly string[] {
  const links = [...withoutFences(text).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)];
  return links.flatMap(([link, file = '', anchor]) => {
    const target = file === '' ? page : path.posix.join(path.posix.dirname(page), file);
    if (target !== page && !existsSync(path.join(root, target))) return [link];
    if (anchor === undefined) return [];
    const anchors = anchorsOf(target === page ? text : read(target));
    return anchors.includes(anchor) ? [] : [link];
  });
}

/** The missing paths of the repository in prose and commands. Paths with a placeholder and outputs are skipped. */
function missingPaths(text: string): readonly string[] {
  const folders = 'src|mock-llm-server|chapters|test|tooling|docs|scenarios|examples|\\.github|\\.ci';
  const commands = text.replaceAll(/^```text\n[\s\S]*?^```$/gm, '');
  const mentions = [...commands.matchAll(new RegExp(`(?<=[\`\\s"(])(?:\\.\\./)?((?:${folders})/[\\w./*-]+)`, 'g'))];
  return mentions
    .map(([, mention = '']) => mention.replace(/[./]+$/, ''))
    .filter((mention) => !/NAME|FOLDER|\*/.test(mention) && !existsSync(path.join(root, mention)));
}

describe.each([...pages, 'CHANGELOG.md'])('%s', (page) => {
  it('has no line of prose with more than 120 characters', () => {
    expect(longLines(read(page))).toEqual([]);
  });
});

describe.each(pages)('%s', (page) => {
  it('links to files and headings that exist', () => {
    expect(brokenLinks(page, read(page))).toEqual([]);
  });

  it('mentions paths of the repository that exist', () => {
    expect(missingPaths(read(page))).toEqual([]);
  });
});

describe('the checks of pages', () => {
  it('find a long line after a block that may have one', () => {
    const long = 'a'.repeat(121);
    const text = ['# Page', '```text', long, '```', `| ${long} |`, 'a'.repeat(120), long].join('\n');
    expect(longLines(text)).toEqual([`7: ${long}`]);
  });

  it('find links to missing files and headings', () => {
    const text = '# One `two` – three\n[a](#one-two--three) [b](#four) [c](../README.md#install) [d](nowhere.md)\n';
    expect(brokenLinks('docs/page.md', text)).toEqual(['](#four)', '](nowhere.md)']);
  });

  it('find missing paths and skip placeholders', () => {
    const text = '`src/agent/agent-loop.ts`, `src/gone.ts`, `src/tools/NAME.ts`, node test/gone.ts.';
    expect(missingPaths(text)).toEqual(['src/gone.ts', 'test/gone.ts']);
  });
});
