import type { JsonObject } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import { openai } from '../cloud/openai.ts';
import { OPENAI_TOOL_RULES } from '../cloud/openai-tools.ts';
import { objectsOf } from '../raw.ts';
import { holdsFor } from '../service.ts';
import { type Relay, rulesNamed, UNCHANGED } from './relay.ts';

/** The models of OpenAI. */
export const GPT: RegExp = /^(?:gpt-(?!oss)|o\d)/;

const TOOL_RULES = OPENAI_TOOL_RULES.filter(({ check }) => check.readsOnlyTools === true);

/** The tools of Chat Completions in the form of Responses; those of Responses as they are. */
function writeFunctions({ tools }: JsonObject): JsonObject {
  const written = objectsOf(tools).map(({ function: called, ...tool }) =>
    isJsonObject(called) ? { ...tool, ...called } : tool,
  );
  return { tools: written };
}

/** The tools of OpenAI's models behind Chat Completions or Responses, which the gateway hands on over Responses. */
export function gptTools(describe: Relay['describe']): Relay {
  return {
    protocol: 'openai-responses',
    rules: TOOL_RULES,
    translate: writeFunctions,
    translateTools: writeFunctions,
    describe,
  };
}

/** OpenAI's models behind Chat Completions, with its rules of these last names. */
export function gptInChat(names: string, describe: Relay['describe']): Relay {
  return {
    protocol: 'openai-chat',
    rules: rulesNamed(openai.rules, 'openai', names.split(' ')),
    ...UNCHANGED,
    describe,
  };
}

/** OpenAI's models behind Responses, but for the rules of these last names. */
export function gptBehindResponses(except: string, describe: Relay['describe']): Relay {
  const without = rulesNamed(openai.rules, 'openai', except.split(' '));
  return {
    protocol: 'openai-responses',
    rules: openai.rules.filter((rule) => holdsFor(rule, 'openai-responses') && !without.includes(rule)),
    ...UNCHANGED,
    describe,
  };
}
