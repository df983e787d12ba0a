import { ToolError } from '../../agent/errors.ts';
import type { ComputeDigest } from '../../agent/ports/digest.ts';
import type { JsonObject } from '../../agent/ports/json.ts';
import { isJsonObject } from '../../text/json/json.ts';
import type { McpPrompt } from './prompt-list.ts';
import { readPart } from './results.ts';
import type { McpServer } from './server.ts';
import { toolName } from './texts.ts';

const MAX_TEXT = 100_000;

/** A prompt of a server as a command of the chat. */
export interface PromptCommand {
  readonly name: string;
  readonly description: string;
  /** The form of its arguments, for people. */
  readonly argument: string | undefined;
  readonly argumentNames: readonly string[];
  /** The text of the prompt with these arguments, for which the server starts. Throws `ToolError`. */
  expand(argument: string, signal: AbortSignal): Promise<string>;
}

/** The prompts of servers as they are remembered. Starts no server. */
export function promptCommands(servers: readonly McpServer[], digest: ComputeDigest): readonly PromptCommand[] {
  return servers.flatMap((server) =>
    (server.remembered.prompts ?? []).map((prompt): PromptCommand => {
      const { name, description, arguments: args } = prompt;
      const form = args.map((each) => (each.required ? `<${each.name}>` : `[${each.name}]`)).join(' ');
      return {
        name: toolName(server.settings.name, name, digest),
        description: description === '' ? `A prompt of the server ${server.settings.name}` : description,
        argument: form === '' ? undefined : form,
        argumentNames: args.map((each) => each.name),
        expand: async (argument, signal) => {
          const given = readPromptArguments(prompt, argument);
          return textOf(server.settings.name, prompt, await server.getPrompt(name, given, signal));
        },
      };
    }),
  );
}

/**
 * Reads `name=value` in any order, and values in the order of the arguments; the last one takes the rest. Quotes keep spaces
 * together.
 */
export function readPromptArguments({ name, arguments: args }: McpPrompt, written: string): JsonObject {
  const given: Record<string, string> = {};
  const names = args.map((each) => each.name);
  const parts = [...written.matchAll(/(?:([\w.-]+)=\s*)?(?:"([^"]*)"|'([^']*)'|(\S+))/gu)];
  for (const [whole, key, double, single, bare = ''] of parts) {
    const value = double ?? single ?? bare;
    if (key !== undefined && names.includes(key)) {
      given[key] = value;
      continue;
    }
    const last = names.at(-1);
    const free = names.find((each) => !Object.hasOwn(given, each)) ?? last;
    if (free === undefined) throw new ToolError('invalid_arguments', `The prompt ${name} takes no arguments.`);
    const text = key === undefined ? value : whole;
    given[free] = Object.hasOwn(given, free) ? `${given[free]} ${text}` : text;
  }
  const missing = args.filter((each) => each.required && !Object.hasOwn(given, each.name));
  if (missing.length === 0) return given;
  const form = missing.map((each) => `${each.name}=…`).join(' ');
  throw new ToolError('invalid_arguments', `The prompt ${name} needs ${form}.`);
}

/** The text of the messages of a prompt. */
function textOf(server: string, { name }: McpPrompt, answer: unknown): string {
  const listed = isJsonObject(answer) && Array.isArray(answer['messages']) ? answer['messages'] : [];
  const texts = listed.flatMap((message) => {
    if (!isJsonObject(message)) return [];
    const part = readPart(message['content']);
    const text = 'text' in part ? part.text : '[a picture: not shown]';
    return [message['role'] === 'assistant' ? `[an answer that the prompt gives]\n${text}` : text];
  });
  const whole = texts.join('\n\n').trim();
  if (whole === '') throw new ToolError('io_error', `The prompt ${name} of the server ${server} is empty.`);
  if (whole.length > MAX_TEXT)
    throw new ToolError('too_large', `The prompt ${name} of the server ${server} is too long.`);
  return whole;
}
