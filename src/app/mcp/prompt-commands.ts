import { ToolError, UsageError } from '../../agent/errors.ts';
import type { ComputeDigest } from '../../agent/ports/digest.ts';
import type { JsonObject } from '../../agent/ports/json.ts';
import { isJsonObject } from '../../text/json/json.ts';
import type { McpPrompt } from '../../tools/mcp/lists.ts';
import { readPart } from '../../tools/mcp/results.ts';
import type { McpServer } from '../../tools/mcp/server.ts';
import { toolName } from '../../tools/mcp/texts.ts';
import type { MarkdownCommand } from '../extensions/command-file.ts';
import type { Extensions } from '../extensions/extensions.ts';

const MAX_TEXT = 100_000;

/**
 * The extensions with the prompts of servers, as they are remembered, as commands of the chat, which replace no other one.
 * `isDryRun`: none of them starts its server.
 */
export function withPrompts(
  extensions: Extensions,
  servers: readonly McpServer[],
  digest: ComputeDigest,
  isDryRun = false,
): Extensions {
  const taken = new Set(extensions.commands.map(({ name }) => name));
  const prompts = servers.flatMap((server) =>
    (server.remembered.prompts ?? []).map((prompt): MarkdownCommand => {
      const name = toolName(server.settings.name, prompt.name, digest);
      const form = prompt.arguments.map((each) => (each.required ? `<${each.name}>` : `[${each.name}]`)).join(' ');
      return {
        ...{ name, body: '', path: 'a server', argument: form === '' ? undefined : form },
        description: prompt.description === '' ? `A prompt of the server ${server.settings.name}` : prompt.description,
        complete: (before) =>
          prompt.arguments
            .map((each) => `${each.name}=`)
            .filter((each) => !before.some((word) => word.startsWith(each))),
        async expand(written, signal) {
          if (isDryRun) throw new UsageError(`/${name} would start a server; a dry run starts none.`);
          const asked = server.getPrompt(prompt.name, readPromptArguments(prompt, written), signal);
          const answer = await asked.catch((error: unknown) => {
            throw error instanceof ToolError ? new UsageError(error.message) : error;
          });
          return textOf(`The prompt ${prompt.name} of the server ${server.settings.name}`, answer);
        },
      };
    }),
  );
  return { ...extensions, commands: [...extensions.commands, ...prompts.filter(({ name }) => !taken.has(name))] };
}

/**
 * Reads `name=value` in any order, and values in the order of the arguments; the last one takes the rest. Quotes keep
 * spaces together. Throws `UsageError`.
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
    const free = names.find((each) => !Object.hasOwn(given, each)) ?? names.at(-1);
    if (free === undefined) throw new UsageError(`The prompt ${name} takes no arguments.`);
    const text = key === undefined ? value : whole;
    given[free] = Object.hasOwn(given, free) ? `${given[free]} ${text}` : text;
  }
  const missing = args.filter((each) => each.required && !Object.hasOwn(given, each.name));
  if (missing.length === 0) return given;
  throw new UsageError(`The prompt ${name} needs ${missing.map((each) => `${each.name}=…`).join(' ')}.`);
}

function textOf(prompt: string, answer: unknown): string {
  const listed = isJsonObject(answer) && Array.isArray(answer['messages']) ? answer['messages'] : [];
  const texts = listed.flatMap((message) => {
    if (!isJsonObject(message)) return [];
    const part = readPart(message['content']);
    const text = 'text' in part ? part.text : '[a picture: not shown]';
    return [message['role'] === 'assistant' ? `[an answer that the prompt gives]\n${text}` : text];
  });
  const whole = texts.join('\n\n').trim();
  if (whole === '') throw new UsageError(`${prompt} is empty.`);
  if (whole.length > MAX_TEXT) throw new UsageError(`${prompt} is too long.`);
  return whole;
}
