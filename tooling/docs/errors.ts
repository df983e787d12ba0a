import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { CallErrorCode } from '../../src/agent/ports/events.ts';

const root = path.join(import.meta.dirname, '../..');

/** Meaning of each code, and the advice to the model. The compiler requires every code. */
export const MEANINGS: { readonly [Code in CallErrorCode]: readonly [happened: string, next: string] } = {
  invalid_arguments: [
    'The call or its arguments cannot be used. Nothing ran.',
    'Send the call again with other arguments.',
  ],
  path_outside_workspace: [
    'The path is outside the directories that the tools may use.',
    'Use a path in the workspace.',
  ],
  path_blocked: ['A rule blocks the path.', 'Do the task without it.'],
  not_found: ['There is no such file, directory or program.', 'Look with `list_files`, or use a suggested name.'],
  is_directory: ['The path is a directory.', 'List it with `list_files`.'],
  not_a_directory: ['The path, or a part of it, is a file.', 'Check the path with `list_files`.'],
  not_a_file: ['The path is a device, a pipe or a socket.', 'Use another path.'],
  binary_file: ['The file is not text.', 'Use `run_shell` with a program that reads such files.'],
  too_large: ['The file or the result is too large.', 'Read or change a part, or use `run_shell`.'],
  permission_denied: ['The operating system denies the access.', 'Use another path, or ask the user.'],
  no_space: ['The disk is full. Nothing was written.', 'Tell the user.'],
  timed_out: ['The call did not end in its time.', 'Ask for less, or set a longer time.'],
  edit_not_found: [
    '`old_text` is not in the file. Nothing was written.',
    'Compare with the closest match that is shown.',
  ],
  edit_ambiguous: [
    '`old_text` is in the file more than once. Nothing was written.',
    'Add lines, or set `replace_all`.',
  ],
  file_changed: ['The file or program changed after it was read or planned.', 'Read it again, then repeat the call.'],
  invalid_pattern: ['The pattern cannot be used.', 'Correct the pattern.'],
  io_error: ['The operating system reports another error.', 'Try once more, then tell the user.'],
  redaction_mark: [
    'The text has a mark that stands for a secret. Nothing was written.',
    'Leave the lines with secrets as they are.',
  ],
  denied_by_rule: ['A rule denied the call.', 'Do not repeat it.'],
  denied_by_user: ['The user said no, perhaps with a sentence.', 'Do what the user says, or go on without it.'],
  approval_unavailable: ['Nobody was there to answer the question.', 'Go on without it, and say what was left undone.'],
  dry_run: ['The call was planned only.', '–'],
  not_started: ['The user stopped the run before the call.', '–'],
  interrupted: ['The user stopped the run while the call was running.', 'Check its effects before repeating it.'],
  internal_error: ['The tool failed unexpectedly.', 'The arguments are not the reason.'],
};

/** A text in the sources, with `…` for what is filled in. `code` is absent where the code is computed. */
export interface ErrorText {
  readonly code: string | undefined;
  readonly text: string;
}

/** The texts of all failures of tools in the sources, each once. */
export function errorTexts(files = sources()): readonly ErrorText[] {
  const found = files.flatMap((source) => [...thrown(source), ...described(source)]);
  const unique = new Map(found.map((each) => [`${each.code} ${each.text}`, each]));
  return [...unique.values()].toSorted((one, other) => (one.text < other.text ? -1 : 1));
}

/** The table of the codes for docs/errors.md. */
export function errorCodeTable(): string {
  const rows = Object.entries(MEANINGS).map(([code, [happened, next]]) => `| \`${code}\` | ${happened} | ${next} |`);
  return ['| Code | What happened | What to do next |', '| --- | --- | --- |', ...rows].join('\n');
}

/** The texts by code for docs/errors.md. */
export function errorTextList(): string {
  const texts = errorTexts();
  const codes = [...new Set(texts.map(({ code }) => code))].toSorted();
  return codes
    .map((code) => {
      const lines = texts.filter((each) => each.code === code).map(({ text }) => text);
      return `\`${code ?? 'other'}\`:\n\n\`\`\`text\n${lines.join('\n')}\n\`\`\``;
    })
    .join('\n\n');
}

function sources(): readonly string[] {
  return ['src/agent', 'src/tools'].flatMap((room) =>
    readdirSync(path.join(root, room), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(path.join(root, room, name), 'utf8')),
  );
}

/** The texts of `new ToolError(code, text)`; a text from a constant or function of the same file is looked up there. */
function thrown(source: string): readonly ErrorText[] {
  return [...source.matchAll(/new ToolError\(/g)].flatMap(({ index, 0: start }) => {
    const args = untilClosed(source, index + start.length);
    const code = /^\s*'([a-z_]+)'/.exec(args)?.[1];
    if (code === undefined) return [];
    const own = literalsIn(args.slice(args.indexOf(',')));
    const names = [...args.matchAll(/\b([A-Za-z_]\w*)\b/g)].map(([, name]) => name ?? '');
    const texts = own.length > 0 ? own : names.flatMap((name) => literalsIn(declarationOf(name, source)));
    return texts.map((text) => ({ code, text }));
  });
}

/** The texts in pairs of a code and a text: `['not_found', …]`. */
function described(source: string): readonly ErrorText[] {
  return [...source.matchAll(/\[\s*'([a-z_]+)',\s*(?=[`'])/g)].flatMap(({ index, 0: start, 1: code }) => {
    const [text] = literalsIn(untilClosed(source, index + start.length));
    return text === undefined || code === undefined || !Object.hasOwn(MEANINGS, code) ? [] : [{ code, text }];
  });
}

/** The source from an index to the bracket that closes what was open there. */
function untilClosed(source: string, from: number): string {
  let depth = 1;
  for (let index = from; index < source.length; index += 1) {
    if ('([{'.includes(source[index] ?? '')) depth += 1;
    if (')]}'.includes(source[index] ?? '')) depth -= 1;
    if (depth === 0) return source.slice(from, index);
  }
  return source.slice(from);
}

function declarationOf(name: string, source: string): string {
  const found = new RegExp(`^(?:export )?(?:(?:async )?function\\*? ${name}\\b[^]*?^}|const ${name}\\b[^]*?;$)`, 'm');
  const local = new RegExp(`^ +const ${name}\\b[^]*?;$`, 'm');
  return found.exec(source)?.[0] ?? local.exec(source)?.[0] ?? '';
}

/** The sentences in string literals, with `…` for substitutions. */
function literalsIn(code: string): readonly string[] {
  const parts = [...code.matchAll(/`((?:\\.|\$\{(?:[^{}]|\{[^{}]*\})*\}|[^`\\])*)`|'((?:\\.|[^'\\\n])*)'/g)];
  return parts
    .map(([, template, plain]) => template ?? plain ?? '')
    .map((text) =>
      text
        .replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '…')
        .replaceAll('\\n', ' ')
        .replaceAll(/\\(.)/g, '$1'),
    )
    .filter((text) => /\S \S+ \S/.test(text));
}
