import { geminiApi } from '../cloud/gemini.ts';
import { claudeBehind } from '../relay/claude.ts';
import { geminiBehindChat } from '../relay/gemini.ts';
import { GPT, gptBehindResponses, gptInChat } from '../relay/openai.ts';
import { relayRules, rulesNamed } from '../relay/relay.ts';
import type { Rule } from '../service.ts';

/** The rules of Anthropic that hold for Claude behind Chat Completions, by their last names. */
const CLAUDE_RULES =
  'tool-name schema-type top-alternatives property-keys schema-draft picture-type other-picture broken-picture ' +
  'picture-size pictures-size prefill both-samplings temperature cache-marks half-character unknown-choice blank-text';

/** The rules of OpenAI that hold for its models behind Chat Completions, by their last names. */
const GPT_IN_CHAT =
  'max-tokens effort empty-calls null-content called-name format-name strict-format unknown-choice tools-with-effort ' +
  'no-properties array-items root-type strict-function';

/** The rules of OpenAI for Responses that Copilot does not have, or of which it has its own. */
const OWN_IN_RESPONSES =
  'model unknown-argument unknown-parameter temperature sampling too-many-tools ' +
  'reasoning-of-others unstored-item lone-reasoning';

/** The rules of the makers of models for the requests that Copilot hands on to them. */
export const COPILOT_RELAYS: readonly Rule[] = [
  ...relayRules(
    claudeBehind('openai-chat', CLAUDE_RULES, ({ message }) => ({ message })),
    {
      id: 'copilot/claude',
      models: /^claude/,
      refuses:
        'what Claude refuses of a request: a last message of the assistant from Claude 4.6 on, more than four parts with `cache_control`, a picture with more than 8,000 pixels on a side …',
      accepts: 'a last message of the user',
      source: 'https://github.com/anomalyco/opencode/issues/13768',
      date: '2026-02-15',
    },
    'a tool that Claude refuses: two of one name, a name with a dot, `anyOf` at the top of a schema …',
  ),
  ...relayRules(
    geminiBehindChat(rulesNamed(geminiApi.rules, 'gemini', ['function-name', 'same-names']), ({ message }) => ({
      message,
    })),
    {
      id: 'copilot/gemini-tools',
      models: /^gemini/,
      refuses: 'two functions of one name, or a name that begins with a digit, with Gemini',
      accepts: '`read_file`',
      source: 'https://github.com/microsoft/vscode/issues/248000',
      date: '2025-05-03',
    },
  ),
  ...relayRules(
    gptInChat(GPT_IN_CHAT, ({ message }) => ({ message })),
    {
      id: 'copilot/gpt',
      models: GPT,
      refuses: 'what the models of OpenAI refuse of a chat: `max_tokens` and another effort with one that reasons …',
      accepts: '`max_completion_tokens`, `reasoning_effort: low`',
      source: 'https://github.com/pssah4/vault-operator/issues/28',
      date: '2026-04-15',
    },
    'a function that the models of OpenAI refuse: an array without `items`, parameters without `properties` …',
  ),
  ...relayRules(
    gptBehindResponses(OWN_IN_RESPONSES, ({ message }) => ({ message })),
    {
      id: 'copilot/gpt-in-responses',
      protocols: ['openai-responses'],
      models: GPT,
      refuses:
        'what the models of OpenAI refuse of a request: the id of an item of another kind, a function as in Chat Completions …',
      accepts: 'ids that begin as those of the API',
      source: 'https://github.com/github/copilot-language-server-release/issues/46',
      date: '2026-06-08',
    },
    'a function that the models of OpenAI refuse',
  ),
];
