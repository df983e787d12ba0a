import * as z from 'zod';
import type { OfferedTool, ReplyToolCall, ToolCallPart, ToolResultPart } from '../../conversation/conversation.ts';

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
const PatchSchema = z.object({
  patchText: z.string().transform((text) => NEW_FILE.exec(text)),
});

/** A patch that creates one file, the only kind that intents write. */
const NEW_FILE = /^\*\*\* Begin Patch\n\*\*\* Add File: ([^\n]+)\n((?:\+[^\n]*\n)+)\*\*\* End Patch\n?$/;

/** The item of a call of such a tool; undefined where the arguments are not those of the tool. */
export function builtInItem(type: BuiltInType, call: ReplyToolCall, itemId: string, status: string) {
  const value = parse(call.arguments);
  const common = { call_id: call.id, status };
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
      // Clients join the lines of a diff with line ends, so an empty line stands for the last line end.
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
  z.object({ type: z.literal('shell_call'), call_id: z.string(), action: z.looseObject({}) }),
  z.object({ type: z.literal('local_shell_call'), call_id: z.string(), action: z.looseObject({}) }),
  z.object({ type: z.literal('apply_patch_call'), call_id: z.string(), operation: z.looseObject({}) }),
  z.object({ type: z.literal('shell_call_output'), call_id: z.string(), output: z.array(Output) }),
  z.object({
    type: z.literal('local_shell_call_output'),
    call_id: z.string().optional(),
    id: z.string(),
    output: z.string(),
  }),
  z.object({
    type: z.literal('apply_patch_call_output'),
    call_id: z.string(),
    status: z.string().nullish(),
    output: z.string().nullish(),
  }),
] as const;

/** An item of one of those kinds. */
export type BuiltInInput = z.infer<(typeof BUILT_IN_ITEMS)[number]>;

/** The call or result of such an item. */
export function readBuiltIn(item: BuiltInInput): ToolCallPart | ToolResultPart {
  switch (item.type) {
    case 'shell_call':
    case 'local_shell_call':
      return builtInCall(item.call_id, item.type === 'shell_call' ? 'shell' : 'local_shell', item.action);
    case 'apply_patch_call':
      return builtInCall(item.call_id, 'apply_patch', item.operation);
    case 'shell_call_output': {
      const content = item.output.map(({ stdout, stderr }) => stdout + stderr).join('');
      return { type: 'tool_result', callId: item.call_id, content };
    }
    case 'local_shell_call_output':
      // The id of the call, or of its item, which contains it.
      return { type: 'tool_result', callId: item.call_id ?? item.id.replace(/^lsh_/, ''), content: item.output };
    case 'apply_patch_call_output': {
      const { call_id: callId, status, output } = item;
      return { type: 'tool_result', callId, content: output ?? '', ...(status === 'failed' && { isError: true }) };
    }
    default:
      return item satisfies never;
  }
}

function builtInCall(id: string, name: BuiltInType, value: object): ToolCallPart {
  return { type: 'tool_call', id, name, arguments: JSON.stringify(value) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
