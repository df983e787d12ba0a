import * as z from 'zod';
import { anyJson } from '../../../src/schema/data-schema.ts';
import { checked, type MisplacedFields, problemText, strictObject } from './strict-object.ts';

/** A string that may contain templates. */
export const TemplateText = checked(z.string(), 'templates');

/** A template for a whole value. */
export const WholeTemplate = TemplateText.regex(
  /^\s*\{\{(?!\{)[^{}]*\}\}\s*$/,
  problemText('must be an object, or one template', 'write an object, or a template like "{{match.arguments}}"'),
);

/** A JSON object whose strings and names of fields may contain templates. */
export const TemplateObject = checked(z.record(z.string(), anyJson), 'templates');

const Text = TemplateText.min(1);
const FilePath = Text.describe('Path of the file, relative to the working directory or absolute');
const Directory = Text.optional().describe('Directory to search; the working directory by default');

const SHAPES = {
  write_file: { path: FilePath, content: TemplateText.describe('The whole content of the file') },
  read_file: { path: FilePath },
  edit_file: {
    path: FilePath,
    old_text: Text.describe('The exact text to replace; it must occur once'),
    new_text: TemplateText.describe('The replacement'),
  },
  shell: { command: Text.describe('A command line for a POSIX shell') },
  list_files: { pattern: Text.optional().describe('A glob; `pattern` or `path` is required'), path: Directory },
  search_files: { pattern: Text.describe('A regular expression'), path: Directory },
} as const;

const MEANING = 'The action; the server picks a suitable tool of the client';

/** A union of one strict object per intent, with `more` fields; `misplaced` explains the fields that it replaces. */
export function intentSchema<More extends z.core.$ZodLooseShape>(more: More, misplaced: MisplacedFields = {}) {
  const named = <Name extends keyof typeof SHAPES>(name: Name) => z.literal(name).describe(MEANING);
  return z.discriminatedUnion('intent', [
    strictObject({ intent: named('write_file'), ...SHAPES.write_file, ...more }, { misplaced }),
    strictObject({ intent: named('read_file'), ...SHAPES.read_file, ...more }, { misplaced }),
    strictObject({ intent: named('edit_file'), ...SHAPES.edit_file, ...more }, { misplaced }),
    strictObject({ intent: named('shell'), ...SHAPES.shell, ...more }, { misplaced }),
    checked(strictObject({ intent: named('list_files'), ...SHAPES.list_files, ...more }, { misplaced }), 'list_files'),
    strictObject({ intent: named('search_files'), ...SHAPES.search_files, ...more }, { misplaced }),
  ]);
}

const IntentSchema = intentSchema({});

/** An action of a step, independent of the tools that a client offers. */
export type Intent = z.infer<typeof IntentSchema>;
/** The name of an intent: `write_file`. */
export type IntentName = Intent['intent'];
