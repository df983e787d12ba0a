import type { JsonObject } from '../../conversation/conversation.ts';
import { encodeOpenAiError } from '../../wire/openai/errors.ts';
import type { ChatAnswerForm } from '../../wire/wire.ts';
import { isSet } from '../checks/fields.ts';
import { refuseParameters } from '../checks/foreign-fields.ts';
import { objectOf, objectsOf, textOf } from '../raw.ts';
import { gptBehindResponses } from '../relay/openai.ts';
import { relayRules } from '../relay/relay.ts';
import type { Service, Violation } from '../service.ts';
import { rulesOver } from '../share-rules.ts';

/** The errors of the backend itself have one field. Those of the API behind it are OpenAI's. */
const detail = (message: string): Violation => ({ message, fields: { detail: message } });

/** What every request of Codex has: openai/codex#26173, vybestack/llxprt-code#1197, router-for-me/CLIProxyAPI#3510. */
const FORM: readonly (readonly [Violation, isRefused: (body: JsonObject) => boolean])[] = [
  [detail('Input must be a list'), ({ input }) => typeof input === 'string'],
  [detail('Stream must be set to true'), ({ stream }) => stream !== true],
  [detail('Store must be set to false'), ({ store }) => store !== false],
  [detail('Instructions are required'), ({ instructions }) => !isSet(instructions)],
  [detail('System messages are not allowed'), ({ input }) => objectsOf(input).some(({ role }) => role === 'system')],
];

/** The rules of OpenAI for Responses that the backend does not have, or of which it has its own. */
const OWN =
  'model empty-input unknown-argument moved-parameter unknown-parameter temperature ' + 'sampling cache-retention';

/** The parameters of Responses, and those of Chat Completions, that reports name. Codex sends `client_metadata`. */
const UNSUPPORTED = [
  ...['background', 'context_management', 'frequency_penalty', 'max_completion_tokens', 'max_output_tokens'],
  ...['max_tokens', 'messages', 'metadata', 'presence_penalty', 'prompt_cache_options', 'prompt_cache_retention'],
  ...['response_format', 'safety_identifier', 'stream_options', 'temperature', 'top_p', 'truncation', 'user'],
];

/** The models that subscriptions do not have, by reports of 2026. */
const OTHERS = /\/|^(?:gpt-[34]|o\d|chatgpt-|codex-(?!auto-review$)|gpt-5(?:\.6)?$|gpt-5(?:\.1)?-codex-mini)/;

/** The last event of a stream has no output: https://github.com/NousResearch/hermes-agent/issues/5736 */
const CODEX_FORM: ChatAnswerForm = {
  event: (event) =>
    event['type'] === 'response.completed'
      ? { ...event, response: { ...objectOf(event['response']), output: [] } }
      : event,
};

/** The backend of ChatGPT, to which Codex and other agents speak with the login of a subscription. */
export const codex: Service = {
  name: 'codex',
  title: 'ChatGPT (Codex)',
  answers: CODEX_FORM,
  rules: [
    ...rulesOver('codex', ['openai-responses'], {
      form: {
        refuses:
          'a text as `input`, no `stream: true`, no `store: false`, no `instructions`, and messages of the role `system`',
        accepts: 'a list of items with `stream: true`, `store: false`, `instructions` and messages of a `developer`',
        source: 'https://github.com/duolahypercho/codex-router/issues/862',
        date: '2026-09-21',
        check: ({ body }) => FORM.find(([, isRefused]) => isRefused(body))?.[0],
      },
      parameter: {
        refuses: `the parameters ${UNSUPPORTED.map((name) => `\`${name}\``).join(', ')}`,
        accepts: '`prompt_cache_key`, `service_tier`, `client_metadata`',
        source: 'https://github.com/openclaw/openclaw/issues/73963',
        date: '2026-04-29',
        check: refuseParameters(UNSUPPORTED, (name) => detail(`Unsupported parameter: ${name}`)),
      },
      model: {
        refuses: 'a model that subscriptions do not have: gpt-4.1, o3, gpt-5, gpt-5.6, a name with a slash …',
        accepts: '`gpt-5.4`, `gpt-5.6-sol`',
        source: 'https://github.com/NousResearch/hermes-agent/issues/81558',
        date: '2026-08-11',
        check: ({ body: { model } }) =>
          OTHERS.test(textOf(model))
            ? detail(`The '${textOf(model)}' model is not supported when using Codex with a ChatGPT account.`)
            : undefined,
      },
    }),
    ...relayRules(
      gptBehindResponses(OWN, (violation) => violation),
      {
        id: 'codex/api',
        protocols: ['openai-responses'],
        refuses: 'what OpenAI refuses of a request over Responses: a `prompt_cache_key` with more than 64 characters …',
        accepts: '64 characters',
        source: 'https://github.com/earendil-works/pi/issues/4720',
        date: '2026-05-18',
      },
      'a tool that OpenAI refuses over Responses: a name with a dot …',
    ),
  ],
  encodeError: (error) => {
    const { fields, errorType: type, message, retryAfter } = error;
    if (type !== 'usage_limit_reached') return fields ?? encodeOpenAiError(error);
    return { error: { type, message, plan_type: 'plus', resets_in_seconds: retryAfter ?? 13_872 } };
  },
};
