import { ownEntry } from '../../../text/json/own-entry.ts';
import type { SimpleCommand } from '../parse/parsed-command-line.ts';
import { programName, type ShellWord, staticWord } from '../parse/shell-word.ts';

const AWK = /(?<!>)>\s*"([^"\n]+)"/g;
const PYTHON = /\bopen\(\s*["']([^"'\n]+)["']\s*,\s*(?:mode\s*=\s*)?["']w|\bPath\(\s*["']([^"'\n]+)["']\s*\)\.write_/g;
const NODE = /\b(?:writeFile|createWriteStream|writeTextFile)(?:Sync)?\(\s*["'`]([^"'`\n]+)["'`]/g;

/** The literal names of files that code of a program writes from their start. */
const WRITES: Readonly<Record<string, RegExp>> = {
  sed: /(?:^|[\s;{}\d$/!])[wW]\s+([^\s;}]+)/g,
  awk: AWK,
  gawk: AWK,
  mawk: AWK,
  sqlite3: /^\s*\.(?:output|once|save|backup|log)\s+["']?([^\s"']+)|\bwritefile\(\s*'([^'\n]+)'/gm,
  python: PYTHON,
  python3: PYTHON,
  node: NODE,
  deno: NODE,
  bun: NODE,
  ruby: /\b(?:File|IO)\.(?:write|binwrite)\(?\s*["']([^"'\n]+)["']/g,
  perl: /\bopen\b[^;\n]{0,80}?["']\s*>(?:["']\s*,\s*["'])?\s*([^"'>\n]+)["']/g,
  ed: /^\s*(?:\d*,?\$?)[wW]\s+(\S+)/gm,
};

/** The files that the code in the words or in the input of a command overwrites, as far as their names are literal. */
export function writtenInCode({ words: [name, ...rest], input }: SimpleCommand): readonly ShellWord[] {
  const form = ownEntry(WRITES, programName(name) ?? '');
  if (form === undefined) return [];
  const code = [...rest, ...(input === undefined ? [] : [input])];
  return code
    .flatMap(({ text }) => [...text.matchAll(form)].flatMap(([, ...names]) => names.filter(Boolean)))
    .map(staticWord);
}
