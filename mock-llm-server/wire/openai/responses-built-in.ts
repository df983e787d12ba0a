import * as z from 'zod';
import type { OfferedTool, ReplyToolCall } from '../../conversation/conversation.ts';
import { argumentsObject } from '../encode.ts';

/** The tools that OpenAI defines and the client runs. */
export const BUILT_IN_TYPES = ['shell', 'local_shell', 'apply_patch'] as const;
/** The type of such a tool, which is also its name. */
export type BuiltInType = (typeof BUILT_IN_TYPES)[number];

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

const ShellSchema = z.object({ commands: z.array(z.string()) });
const LocalShellSchema = z.object({ command: z.array(z.string()) });
const PatchSchema = z.object({ patchText: z.string().transform((text) => NEW_FILE.exec(text)) });

/** A patch that creates one file, the only kind that intents write. */
const NEW_FILE = /^\*\*\* Begin Patch\n\*\*\* Add File: ([^\n]+)\n((?:\+[^\n]*\n)+)\*\*\* End Patch\n?$/;

/** The item of a call of such a tool; undefined where the arguments are not those of the tool. */
export function builtInItem(type: BuiltInType, call: ReplyToolCall, itemId: string) {
  const value = argumentsObject(call);
  const common = { call_id: call.id, status: 'completed' };
  switch (type) {
    case 'shell': {
      const { data } = ShellSchema.safeParse(value);
      if (data === undefined) return undefined;
      const action = { commands: data.commands, timeout_ms: null, max_output_length: null };
      return { id: `sh_${itemId}`, type: 'shell_call', ...common, action, environment: null };
    }
    case 'local_shell': {
      const { data } = LocalShellSchema.safeParse(value);
      if (data === undefined) return undefined;
      const action = { type: 'exec', command: data.command, env: {} };
      return { id: `lsh_${itemId}`, type: 'local_shell_call', ...common, action };
    }
    case 'apply_patch': {
      const [, path, diff] = PatchSchema.safeParse(value).data?.patchText ?? [];
      if (path === undefined || diff === undefined) return undefined;
      // Clients join the lines of a diff with line ends, so an empty line adds the last line end.
      const operation = { type: 'create_file', path, diff: `${diff}+` };
      return { id: `apc_${itemId}`, type: 'apply_patch_call', ...common, operation };
    }
    default:
      return type satisfies never;
  }
}

const Output = z.object({ stdout: z.string().default(''), stderr: z.string().default('') });

/** The items that a client sends back for calls of such tools and their results. */
export const BUILT_IN_ITEMS = [
  z.object({ type: z.literal(['shell_call', 'local_shell_call']), call_id: z.string(), action: z.looseObject({}) }),
  z.object({ type: z.literal('apply_patch_call'), call_id: z.string(), operation: z.looseObject({}) }),
  z.object({ type: z.literal('shell_call_output'), call_id: z.string(), output: z.array(Output) }),
  z.object({
    type: z.literal(['local_shell_call_output', 'apply_patch_call_output']),
    call_id: z.string().optional(),
    id: z.string().default(''),
    status: z.string().nullish(),
    output: z.string().nullish(),
  }),
] as const;
