import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DESCRIPTIONS, KEPT_ELSEWHERE } from './promise-lists.ts';

/** A sentence or table row of a page, in one line, without its marks and without the targets of its links. */
export interface Sentence {
  readonly page: string;
  readonly text: string;
}

/** The quotation of a sentence in `test/behaviour`, with the title of the test that keeps it. */
export interface Quotation extends Sentence {
  readonly file: string;
  readonly title: string;
}

const root = path.join(import.meta.dirname, '../..');
const BEHAVIOUR = 'test/behaviour';

/** The pages whose sentences are promises. */
const PAGES = ['README.md', 'docs/security.md'];

/** Nothing, a description of another page, and an introduction of a list. */
const NO_PROMISE = /^$|^(?:docs\/|[A-Z]+\.md )|:$/;

const plain = (text: string): string =>
  text.replaceAll(/\[((?:`[^`]*`|[^\]])*)\]\([^)]*\)/g, '$1').replaceAll('**', '');

/** The sentences and table rows of a Markdown page, without its headings, pictures, code and generated blocks. */
export function sentencesOf(page: string, source: string): readonly Sentence[] {
  const prose = source
    .replaceAll(/^<!-- (.+): written by npm run docs -->$[\s\S]*?^<!-- \/\1 -->$/gm, '')
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .replaceAll(/^<picture>$[\s\S]*?^<\/picture>$/gm, '')
    .replaceAll(/^(?:#.*|!\[.*|\|[\s:|-]+\|)$/gm, '')
    // The first row of a table has its headings.
    .replaceAll(/^\|.*\n\n(?=\|)/gm, '')
    .replaceAll(/^(?=\||- |\d+\. )/gm, '\n');
  return prose.split(/\n\s*\n/).flatMap((paragraph) => {
    const line = paragraph
      .trim()
      .replaceAll(/\s+/g, ' ')
      .replace(/^(?:- |\d+\. )/, '');
    // A paragraph may begin with its subject in bold.
    const text = plain(line.replace(/^\*\*[^*]+\.\*\* /, ''));
    const texts = text.startsWith('|') ? [text.slice(2, -2)] : text.split(/(?<=[.?!]) (?=[A-Z`]|ybs\b|docs\/)/);
    return texts.filter((sentence) => !NO_PROMISE.test(sentence)).map((sentence) => ({ page, text: sentence }));
  });
}

/** All sentences of the pages, in order. */
export function promises(): readonly Sentence[] {
  return PAGES.flatMap((page) => sentencesOf(page, readFileSync(path.join(root, page), 'utf8')));
}

/**
 * The quotations in a file: lines `> PAGE: SENTENCE`, after `//` in TypeScript. The test of a quotation is the section
 * of a page above it, or the next test in TypeScript.
 */
export function quotationsOf(file: string, text: string): readonly Quotation[] {
  const isPage = file.endsWith('.md');
  return [...text.matchAll(/^ *(?:\/\/ )?> (\S+\.md): (.+)$/gm)].map(([, page = '', quoted = ''], index, all) => {
    const at = all[index]?.index ?? 0;
    const titles = isPage
      ? text.slice(0, at).matchAll(/^## (.+)$/gm)
      : text.slice(at).matchAll(/\bit\b[^']*'([^']+)'/g);
    const found = [...titles].at(isPage ? -1 : 0)?.[1] ?? '';
    return { page, text: plain(quoted), file, title: found };
  });
}

/** The quotations in all tests of `test/behaviour`. */
export function quotations(): readonly Quotation[] {
  const files = readdirSync(path.join(root, BEHAVIOUR), { recursive: true, encoding: 'utf8' }).toSorted();
  return files
    .map((name) => `${BEHAVIOUR}/${name.replaceAll(path.sep, '/')}`)
    .filter((file) => /\.(?:md|test\.ts)$/.test(file) && file !== INDEX)
    .flatMap((file) => quotationsOf(file, readFileSync(path.join(root, file), 'utf8')));
}

const key = ({ page, text }: Sentence): string => `${page}: ${text}`;

/** The file of the index. */
export const INDEX = `${BEHAVIOUR}/README.md`;

/** Sentences without a test, and quotations and list entries without a sentence. One line each. */
export function promiseProblems(): readonly string[] {
  const all = new Set(promises().map(key));
  const quoted = quotations().map(key);
  const listed = [...Object.keys(KEPT_ELSEWHERE), ...DESCRIPTIONS];
  const known = new Set([...quoted, ...listed]);
  return [
    ...[...all].filter((sentence) => !known.has(sentence)).map((sentence) => `has no test: ${sentence}`),
    ...[...known].filter((sentence) => !all.has(sentence)).map((sentence) => `is in no page: ${sentence}`),
    ...listed.filter((sentence) => quoted.includes(sentence)).map((sentence) => `has a test and a row: ${sentence}`),
    ...Object.values(KEPT_ELSEWHERE).filter((file) => !existsSync(path.join(root, file))),
  ];
}

const HEAD = `# Behaviour

Each test here keeps a promise of README.md or docs/security.md on the built commands: it asserts what the model reads and
what the user sees. A page is a test for each of its sections; \`*pages.test.ts\` play them in a new home and workspace.
The lines \`> PAGE: SENTENCE\` name the promises. The blocks of a section are run in their order:

| Block | Meaning |
| --- | --- |
| \`file NAME\` | a file of the workspace |
| \`model\` | the answers of the model: a line is a call \`NAME {arguments}\`, or a text |
| \`settings\` | keys of the configuration of the user |
| \`console\` | commands after \`$\`, each with lines that its output contains in this order; \`…\` is any text |
| \`terminal COMMAND\` | a command in a pseudo terminal: lines of its screen; \`<\` types keys, \`!\` runs a command beside it, \`>\` alone waits for the prompt, \`= TEXT\` for the line of the cursor |
| \`reads\` | what the model has read: messages of the user and results of tools, from the journal of the mock server |

A line that begins with \`NOT\` must not occur. The directories are written as HOME and WORKSPACE. \`npm run docs\` writes
this page, and a unit test finds sentences without a test.
`;

/** The text of the index: each promise with its tests. */
export function promiseIndex(): string {
  const tests = new Map<string, string[]>();
  for (const quotation of quotations()) {
    const link = `[${quotation.title}](${path.posix.relative(BEHAVIOUR, quotation.file)})`;
    tests.set(key(quotation), [...(tests.get(key(quotation)) ?? []), link]);
  }
  for (const [sentence, file] of Object.entries(KEPT_ELSEWHERE)) {
    tests.set(sentence, [`[${file}](${path.posix.relative(BEHAVIOUR, file)})`]);
  }
  const tables = PAGES.map((page) => {
    const rows = promises().flatMap((sentence) => {
      const links = sentence.page === page ? tests.get(key(sentence)) : undefined;
      return links === undefined ? [] : [`| ${sentence.text.replaceAll('|', '\\|')} | ${links.join('<br>')} |`];
    });
    return `\n## ${page}\n\n| Promise | Test |\n| --- | --- |\n${rows.join('\n')}\n`;
  });
  return HEAD + tables.join('');
}
