import * as languages from '@speed-highlight/core/languages';
import { type ShjLanguageData, type ShjToken, tokenizeWith } from '@speed-highlight/core/tokenize';
import { ownEntry } from '../../text/json/own-entry.ts';

/** Kind of a part of code, such as `kwd` for a keyword. */
export type CodeKind = ShjToken;

/** A part of a line of code with its kind, if it has one. */
export interface CodePart {
  readonly text: string;
  readonly kind?: CodeKind | undefined;
}

/** A highlighted line. `isWhole`: no string, comment or other part continues after it. */
export interface CodeLine {
  readonly parts: readonly CodePart[];
  readonly isWhole: boolean;
}

/** The rules of each language by its name. */
const LANGUAGES: Readonly<Record<string, ShjLanguageData>> = Object.fromEntries(
  Object.entries(languages).flatMap(([name, rules]: [string, unknown]) => (isLanguage(rules) ? [[name, rules]] : [])),
);

function isLanguage(rules: unknown): rules is ShjLanguageData {
  return Array.isArray(rules) || (typeof rules === 'object' && rules !== null && 'sub' in rules);
}

/** Other names of languages in a block of code. */
const ALIASES: Readonly<Record<string, string>> = {
  cc: 'c',
  conf: 'ini',
  console: 'bash',
  cpp: 'c',
  'c++': 'c',
  cjs: 'js',
  cts: 'ts',
  dockerfile: 'docker',
  golang: 'go',
  h: 'c',
  htm: 'html',
  javascript: 'js',
  json5: 'json',
  jsonc: 'json',
  jsonl: 'json',
  jsx: 'js',
  makefile: 'make',
  markdown: 'md',
  mjs: 'js',
  mts: 'ts',
  patch: 'diff',
  perl: 'pl',
  python: 'py',
  python3: 'py',
  rust: 'rs',
  sh: 'bash',
  shell: 'bash',
  svg: 'xml',
  tsx: 'ts',
  typescript: 'ts',
  yml: 'yaml',
  zsh: 'bash',
};

/** A string that ends a text, such as `'a'` in `case 'a':`, which the grammar does not recognize. */
const STRING_AT_END = /(?<=^|[\s([{,])(?:'[^'"\n]*'|"[^'"\n]*")$/;

/** The lines of code in a language, by its name or a usual alias; `undefined` for an unknown language. */
export function highlightLines(code: string, name: string): readonly CodeLine[] | undefined {
  const alias = ownEntry(ALIASES, name) ?? name;
  const language = ownEntry(LANGUAGES, alias);
  if (language === undefined) return undefined;
  const lines: CodeLine[] = [];
  let parts: CodePart[] = [];
  const add = (text: string, given?: CodeKind) => {
    // The grammar takes the name in `event.type` for a keyword.
    const isMember = given === 'kwd' && /(?:^|[^.])\.$/.test(parts.at(-1)?.text ?? '');
    const found = given === undefined ? STRING_AT_END.exec(text)?.index : undefined;
    if (found !== undefined && found > 0) {
      add(text.slice(0, found));
      add(text.slice(found));
      return;
    }
    const kind = isMember ? undefined : found === 0 ? 'str' : given;
    const rows = text.split('\n');
    for (const [index, row] of rows.entries()) {
      if (row !== '') parts.push({ text: row, kind });
      if (index === rows.length - 1) continue;
      // The line feed after a comment may be a part of it.
      const isLast = index === rows.length - 2 && rows.at(-1) === '';
      lines.push({ parts, isWhole: kind === undefined || isLast });
      parts = [];
    }
  };
  tokenizeWith(code, language, add, { languages: LANGUAGES });
  return [...lines, { parts, isWhole: true }];
}
