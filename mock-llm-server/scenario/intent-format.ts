import * as z from 'zod';
import { type Misplaced, problemText, strictObject } from './problems.ts';
import { TemplateText } from './templates.ts';

const Text = TemplateText.min(1);
const FilePath = Text.describe('Path of the file, relative to the working directory or absolute');
const Directory = Text.optional().describe('Directory to look in; the working directory when left out');

const SHAPES = {
  write_file: { path: FilePath, content: TemplateText.describe('The whole text of the file') },
  read_file: { path: FilePath },
  edit_file: {
    path: FilePath,
    old_text: Text.describe('The exact text to replace; it must be there once'),
    new_text: TemplateText.describe('The text to put in its place'),
  },
  shell: { command: Text.describe('A command line for a POSIX shell') },
  list_files: { pattern: Text.optional().describe('A glob; `pattern` or `path` is needed'), path: Directory },
  search_files: { pattern: Text.describe('A regular expression'), path: Directory },
} as const;

const MEANING = 'What to do, with whatever tool the client offers for it';

/**
 * One strict object for each intent, with `more` fields beside its own: an intent stands among the tool calls of a
 * response, or on a step. `misplaced` are the fields of what it stands in place of.
 */
export function intentSchema<More extends z.core.$ZodLooseShape>(more: More, misplaced: Misplaced = {}) {
  const named = <Name extends keyof typeof SHAPES>(name: Name) => z.literal(name).describe(MEANING);
  return z.discriminatedUnion('intent', [
    strictObject({ intent: named('write_file'), ...SHAPES.write_file, ...more }, { misplaced }),
    strictObject({ intent: named('read_file'), ...SHAPES.read_file, ...more }, { misplaced }),
    strictObject({ intent: named('edit_file'), ...SHAPES.edit_file, ...more }, { misplaced }),
    strictObject({ intent: named('shell'), ...SHAPES.shell, ...more }, { misplaced }),
    strictObject({ intent: named('list_files'), ...SHAPES.list_files, ...more }, { misplaced }).refine(
      (given): boolean => 'pattern' in given || 'path' in given,
      {
        error: problemText('list_files needs a pattern or a path', 'add "pattern": "*.txt" or "path": "src"'),
      },
    ),
    strictObject({ intent: named('search_files'), ...SHAPES.search_files, ...more }, { misplaced }),
  ]);
}

const IntentSchema = intentSchema({});
const StrippedSchema = z.union(IntentSchema.options.map((option) => option.strip()));

/** What a step wants done, before it is known which tools the client has. */
export type Intent = z.infer<typeof IntentSchema>;
/** The name of an intent: `write_file`. */
export type IntentName = Intent['intent'];

/** The intent alone, out of an object that may hold other fields beside it. */
export function intentOf(specification: Intent): Intent {
  return StrippedSchema.parse(specification);
}
