import type { ValueProblem } from '../problems.ts';

/** The texts of each intent, which a mapped tool takes. */
export const INTENT_TEXTS = {
  write_file: ['path', 'content'],
  read_file: ['path'],
  edit_file: ['path', 'old_text', 'new_text'],
  shell: ['command'],
  list_files: ['path', 'pattern'],
  search_files: ['path', 'pattern'],
} as const;

/** The names of the intents that can be mapped. */
export const INTENT_NAMES = ['write_file', 'read_file', 'edit_file', 'shell', 'list_files', 'search_files'] as const;

/** The name of an intent that can be mapped. */
export type MappedIntent = keyof typeof INTENT_TEXTS;

/** A tool of a client for an intent: its arguments by name, each a text of the intent or a constant. */
export interface MappedTool {
  readonly name: string;
  readonly arguments: readonly {
    readonly key: string;
    readonly value: { readonly text: string } | { readonly constant: unknown };
  }[];
}

const CALL = /^\s*([^\s()]+)\s*(?:\(([\s\S]*)\)\s*)?$/;
/** An argument: a name, or a name and the text or the JSON value for it. */
const ARGUMENT = /^\s*([A-Za-z_$][\w$.-]*)\s*(?:[=:]\s*([\s\S]+?)\s*)?$/;

/**
 * Reads `fs_put(path, content)`: the tool and its arguments by the texts of the intent that go into them, with
 * `file=path` for another name and `mode="w"` for a constant. A message for a text of another form. Pure.
 */
export function readMappedTool(intent: MappedIntent, text: string): MappedTool | string {
  const texts: readonly string[] = INTENT_TEXTS[intent];
  const known = texts.join(' and ');
  const [, name, list = ''] = CALL.exec(text) ?? [];
  if (name === undefined) return `must be a tool with its arguments, not ${JSON.stringify(text)}`;
  const args: MappedTool['arguments'][number][] = [];
  for (const part of list.trim() === '' ? [] : splitArguments(list)) {
    const [, key, written = key] = ARGUMENT.exec(part) ?? [];
    if (key === undefined || written === undefined) return `has the argument ${part.trim()}, which is not a name`;
    if (texts.includes(written)) args.push({ key, value: { text: written } });
    else {
      const constant = constantOf(written);
      if (constant === undefined) return `${intent} has no text "${written}"; it has ${known}`;
      args.push({ key, value: constant });
    }
  }
  const used = args.flatMap(({ value }) => ('text' in value ? [value.text] : []));
  const missing = texts.find((each) => !used.includes(each) && !isOptional(intent, each));
  return missing === undefined ? { name, arguments: args } : `lacks the ${missing} of ${intent}`;
}

/** A list needs no pattern, and a search no path. */
function isOptional(intent: MappedIntent, text: string): boolean {
  return intent === 'list_files' || (intent === 'search_files' && text === 'path');
}

function constantOf(text: string): { readonly constant: unknown } | undefined {
  try {
    const constant: unknown = JSON.parse(text);
    return { constant };
  } catch {
    return undefined;
  }
}

/** The arguments of a list, whose strings may contain commas. */
function splitArguments(list: string): readonly string[] {
  return list.match(/(?:"(?:[^"\\]|\\.)*"|[^",])+/g) ?? [];
}

const EXAMPLE = 'write it like "fs_put(path, content)", with file=path for an argument of another name';

/** The problems of tools that intents are mapped to. Pure. */
export function mappedToolProblems(
  intents: Readonly<Partial<Record<MappedIntent, string | undefined>>>,
): readonly ValueProblem[] {
  return INTENT_NAMES.flatMap((intent) => {
    const text = intents[intent];
    const tool = text === undefined ? undefined : readMappedTool(intent, text);
    return typeof tool === 'string' ? [{ reason: tool, fix: EXAMPLE, path: [intent] }] : [];
  });
}
