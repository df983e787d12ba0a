import * as z from 'zod';
import type { OfferedTool, ReplyToolCall } from '../../../conversation/conversation.ts';
import { JsonObjectSchema } from '../../body-schema.ts';
import { argumentsObject } from '../../encode.ts';
import { BUILT_IN_TYPES, type BuiltInType } from '../shared.ts';

/** A tool of such a type. The API runs a `shell` that has a container. */
export const BuiltInToolSchema = z.object({
  type: z.literal(BUILT_IN_TYPES),
  environment: z.object({ type: z.string() }).nullish().catch(undefined),
});

const TEXT = { type: 'string' };
const TEXTS = { type: 'array', items: TEXT };
const ARGUMENTS = {
  shell: { commands: { ...TEXTS, description: 'Shell commands to run' } },
  local_shell: { command: { ...TEXTS, description: 'The command to run and its arguments' } },
  apply_patch: { patchText: TEXT },
} as const;

/** The tool as scenarios and intents see it, with JSON arguments; none for one that the API runs. */
export function offerBuiltIn({ type, environment }: z.infer<typeof BuiltInToolSchema>): OfferedTool[] {
  if (environment?.type.startsWith('container')) return [];
  const properties = ARGUMENTS[type];
  return [{ name: type, input: 'json', parameters: { type: 'object', properties, required: Object.keys(properties) } }];
}

/** A patch that creates one file, the only kind that intents write. */
const NEW_FILE = /^\*\*\* Begin Patch\n\*\*\* Add File: ([^\n]+)\n((?:\+[^\n]*\n)+)\*\*\* End Patch\n?$/;

/** Start of the ids of the items of such calls, and the fields of the items, made from the arguments. */
const ITEMS = {
  shell: {
    prefix: 'sh',
    fields: z.object({ commands: z.array(z.string()) }).transform(({ commands }) => {
      return { action: { commands, timeout_ms: null, max_output_length: null }, environment: null };
    }),
  },
  local_shell: {
    prefix: 'lsh',
    fields: z.object({ command: z.array(z.string()) }).transform(({ command }) => {
      return { action: { type: 'exec', command, env: {} } };
    }),
  },
  apply_patch: {
    prefix: 'apc',
    fields: z.object({ patchText: z.string().regex(NEW_FILE) }).transform(({ patchText }) => {
      const [, path, diff] = NEW_FILE.exec(patchText) ?? [];
      // Clients join the lines of a diff with line ends, so an empty line adds the last line end.
      return { operation: { type: 'create_file', path, diff: `${diff}+` } };
    }),
  },
} as const;

/** The item of a call of such a tool; undefined where the arguments are not those of the tool. */
export function builtInItem(type: BuiltInType, call: ReplyToolCall, itemId: string) {
  const { prefix, fields } = ITEMS[type];
  const { data } = fields.safeParse(argumentsObject(call));
  return data && { id: `${prefix}_${itemId}`, type: `${type}_call`, call_id: call.id, status: 'completed', ...data };
}

const Output = z.object({ stdout: z.string().default(''), stderr: z.string().default('') });

/** The items that a client sends back for calls of such tools and their results. */
export const BUILT_IN_ITEMS = [
  z.object({ type: z.literal(['shell_call', 'local_shell_call']), call_id: z.string(), action: JsonObjectSchema }),
  z.object({ type: z.literal('apply_patch_call'), call_id: z.string(), operation: JsonObjectSchema }),
  z.object({ type: z.literal('shell_call_output'), call_id: z.string(), output: z.array(Output) }),
  z.object({
    type: z.literal(['local_shell_call_output', 'apply_patch_call_output']),
    call_id: z.string().optional(),
    id: z.string().default(''),
    status: z.string().nullish(),
    output: z.string().nullish(),
  }),
] as const;
