import { hash } from 'node:crypto';
import type { Conversation, ConversationMessage, OfferedTool } from '../conversation/conversation.ts';
import { readTextResults } from '../matching/text-results.ts';
import type { ObservedPart } from '../scenario/lock/prompt-lock.ts';
import { type SamplingSettings, sortKeys } from './sampling.ts';

/** A part of a prompt with the digest of its text. */
export interface PromptPart extends ObservedPart {
  /** By `digestPart`. */
  readonly digest: string;
}

/** Changes the text of a part before its digest, for example to replace what differs from run to run. */
export type NormalizePart = (text: string, name: string) => string;

/** Digest of the text of a part: 32 lower-case hexadecimal digits. */
export function digestPart(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 32);
}

/**
 * Cuts the prompt of a request into its parts: the system texts joined, each tool, the sampling settings if there are
 * any, then the messages in order. The ids of calls are left out, so that equal prompts of different runs and protocols
 * have equal parts. Texts of the user, answers and tool results are counted from 1, each kind for itself. Pure.
 */
export function cutPrompt(
  conversation: Conversation,
  sampling: SamplingSettings = {},
  normalize: NormalizePart = (text) => text,
): readonly PromptPart[] {
  const parts: PromptPart[] = [];
  const names = new Set<string>();
  const add = (kind: ObservedPart['kind'], name: string, text: string) => {
    let unique = name;
    for (let count = 2; names.has(unique); count++) unique = `${name} (${count})`;
    names.add(unique);
    const normalized = normalize(text, unique);
    parts.push({ kind, name: unique, text: normalized, digest: digestPart(normalized) });
  };
  const system = conversation.system.join('\n\n');
  if (system !== '') add('system', 'system', system);
  for (const tool of conversation.tools) add('tool', `tool ${nameOf(tool)}`, describeTool(tool));
  const settings = { ...sampling, ...outputSettings(conversation) };
  if (Object.keys(settings).length > 0) add('sampling', 'sampling', prettyJson(settings));
  const counts = { user: 0, assistant: 0, tool_result: 0 };
  // Tool results that a client sends as texts of the user are results, too.
  for (const message of readTextResults(conversation)) {
    if (message.role === 'assistant') {
      // Calls of text results have no name: they exist only in the texts of the client.
      const text = describeAnswer(message);
      if (text !== '') add('assistant', `assistant ${++counts.assistant}`, text);
      continue;
    }
    for (const part of message.parts) {
      if (part.type === 'text') add('user', `user ${++counts.user}`, part.text);
      else add('tool_result', `tool result ${++counts.tool_result}`, part.content);
    }
  }
  return parts;
}

/**
 * The description and the schema of a tool, from the text of its part. The schema is the last JSON value of the text:
 * only its first line is `{` without an indentation.
 */
export function splitTool(text: string): { readonly description: string; readonly schema: string } {
  const lines = text.split('\n');
  const start = lines.findLastIndex((line) => line === '{' || line === '{}' || line === TEXT_INPUT);
  return { description: lines.slice(0, start).join('\n').trimEnd(), schema: lines.slice(start).join('\n') };
}

/** Stands in place of the schema of a tool that takes plain text. */
const TEXT_INPUT = '(plain text)';

function nameOf({ name, namespace }: OfferedTool): string {
  return namespace === undefined ? name : `${namespace}.${name}`;
}

function describeTool({ description = '', input, parameters = {} }: OfferedTool): string {
  return `${description}\n\n${input === 'text' ? TEXT_INPUT : prettyJson(parameters)}`;
}

function describeAnswer({ parts }: Extract<ConversationMessage, { role: 'assistant' }>): string {
  const texts = parts.map((part) => {
    if (part.type === 'text') return part.text;
    return part.name === '' ? '' : `→ ${part.name} ${part.arguments}`;
  });
  return texts.filter((text) => text !== '').join('\n');
}

function outputSettings({ outputSchema, outputName }: Conversation): SamplingSettings {
  if (outputSchema === undefined) return {};
  return { output_schema: outputSchema, ...(outputName !== undefined && { output_name: outputName }) };
}

function prettyJson(value: unknown): string {
  return JSON.stringify(sortKeys(value), undefined, 2);
}
