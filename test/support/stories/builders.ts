import type {
  Conversation,
  ConversationMessage,
  ToolCallPart,
} from '../../../mock-llm-server/conversation/conversation.ts';
import { generateCallId } from '../../../mock-llm-server/conversation/ids.ts';
import { parseScenarioFile } from '../../../mock-llm-server/scenario/loading/parse.ts';
import { fittingFile } from '../../../mock-llm-server/scenario/loading/read-file.ts';
import { createScenarioSet, type ScenarioSet } from '../../../mock-llm-server/scenario/prepare.ts';

/** The starts of the keys that services give their users. */
const KEYS: Readonly<Record<string, string>> = {
  openai: 'sk-proj-',
  anthropic: 'sk-ant-api03-',
  gemini: 'AIza',
  openrouter: 'sk-or-v1-',
  groq: 'gsk_',
  cerebras: 'csk-',
  xai: 'xai-',
  fireworks: 'fw_',
  copilot: 'gho_',
};

/** The headers of a client with a key in the form of the service that the path names. */
export function keyHeaders(path: string): Readonly<Record<string, string>> {
  const service = /^\/as\/([^/]+)/.exec(path)?.[1] ?? '';
  const key = `${KEYS[service] ?? ''}unused`;
  const type = { 'content-type': 'application/json' };
  if (path.includes('/messages')) return { ...type, 'x-api-key': key };
  if (/:[a-zA-Z]+(?:\?|$)/.test(path)) return { ...type, 'x-goog-api-key': key };
  return { ...type, ...(service === 'azure' ? { 'api-key': key } : { authorization: `Bearer ${key}` }) };
}

/** The same with the versions that some services ask for. */
export function clientHeaders(path: string): Readonly<Record<string, string>> {
  const versions = { 'anthropic-version': '2023-06-01', 'editor-version': 'vscode/1.106.3' };
  return { ...keyHeaders(path), ...versions, 'copilot-vision-request': 'true' };
}

/** A message without its index. */
export type TestMessage =
  | { readonly role: 'user'; readonly parts: Extract<ConversationMessage, { role: 'user' }>['parts'] }
  | { readonly role: 'assistant'; readonly parts: Extract<ConversationMessage, { role: 'assistant' }>['parts'] };

/** A message of the user, one part for each text. */
export function user(...texts: readonly string[]): TestMessage {
  return { role: 'user', parts: texts.map((text) => ({ type: 'text', text })) };
}

/** A message of the assistant; a text in it is a string, a call comes from `call`. */
export function assistant(...parts: readonly (string | ToolCallPart)[]): TestMessage {
  return {
    role: 'assistant',
    parts: parts.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part)),
  };
}

/** A tool call without arguments. */
export function call(id: string, name = 'tool'): ToolCallPart {
  return { type: 'tool_call', id, name, arguments: '{}' };
}

/** A call whose id the server generated. */
export function generated(scenario: string, step: number, callIndex = 0, name = 'tool'): ToolCallPart {
  return call(generateCallId('call_', scenario, { step, call: callIndex }, 'abcdef0123'), name);
}

/** A message with tool results, followed by the texts of `beside`. */
export function results(ids: readonly string[], beside: readonly string[] = []): TestMessage {
  return {
    role: 'user',
    parts: [
      ...ids.map((callId) => ({ type: 'tool_result' as const, callId, content: 'ok' })),
      ...beside.map((text) => ({ type: 'text' as const, text })),
    ],
  };
}

/** A message with the result `ok` of each call. */
export function ok(...ids: readonly string[]): TestMessage {
  return results(ids);
}

/** A message, in short: a string is a text of the user, a list is the parts of an answer. */
export type Said = TestMessage | string | readonly (string | ToolCallPart)[];

/** A Chat Completions conversation. */
export function conversation(...said: readonly Said[]): Conversation {
  const messages = said.map((each, index) => ({ ...messageOf(each), index }));
  return { protocol: 'openai-chat', model: 'm', system: [], messages, tools: [] };
}

function messageOf(said: Said): TestMessage {
  if (typeof said === 'string') return user(said);
  return 'role' in said ? said : assistant(...said);
}

/** A scenario set from the content of one file, which is read as a real one: with zod only if it does not fit. */
export function scenarioSet(content: unknown): ScenarioSet {
  const text = JSON.stringify(content);
  return createScenarioSet([{ file: 'test.json', content: fittingFile(text) ?? parseScenarioFile(text, 'test.json') }]);
}

/** A step for each number of calls, and a last one with the text `done`. */
export function steps(...callCounts: readonly number[]): unknown[] {
  const calling = callCounts.map((count) => ({
    response: { tool_calls: Array.from({ length: count }, () => ({ name: 'tool' })) },
  }));
  return [...calling, { response: { content: 'done' } }];
}
