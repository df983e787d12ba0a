import type { JsonObject } from '../../conversation/conversation.ts';
import type { WireError } from '../../wire/wire.ts';
import {
  refuseAnswerField,
  refuseCallId,
  refuseEmptyAnswer,
  refuseLastAssistant,
  refuseRoleAfter,
} from '../checks/chat-messages.ts';
import { firstOf, isSet } from '../checks/fields.ts';
import { MISTRAL_PARAMETERS, refuseParameters, refuseUnknownParameters } from '../checks/foreign-fields.ts';
import { MISTRAL_VALUES } from '../forms/open-models.ts';
import { formRules } from '../forms/stated-form.ts';
import { objectsOf, textOf } from '../raw.ts';
import type { Check, Rule, Service, Violation } from '../service.ts';
import { rulesOf } from '../share-rules.ts';
import { MISTRAL_FORM } from './answer-forms.ts';
import { MISTRAL_VALIDATOR_RULES } from './mistral-validator.ts';

/** The error of a field that the API does not have. `param` is its place, with dots. */
function extraField(param: string): Violation {
  return { status: 422, message: 'Extra inputs are not permitted', param };
}

const order = (message: string) => ({ message, errorType: 'invalid_request_message_order', code: '3230' });

/** Fields of Chat Completions that the API calls otherwise, or does not have. */
const FOREIGN_FIELDS = [
  'max_completion_tokens',
  'functions',
  'function_call',
  'store',
  'thinking',
  'enable_thinking',
  'reasoning',
  'chat_template_kwargs',
  'top_k',
  'provider',
  'extra_body',
];

const refuseReasoning = refuseAnswerField(['reasoning_content', 'reasoning', 'reasoning_details'], (index, field) =>
  extraField(`body.messages.${index}.assistant.${field}`),
);

/** Models that never reason, and those that take the older parameter of reasoning. */
const NEVER_REASONS = /^(?:mistral-large|ministral|codestral|devstral|open-|pixtral)/;
const HAS_PROMPT_MODE = /^magistral/;

/** Refuses what asks for reasoning, or holds it, with models that cannot: by probes of all models of the API. */
const refuseReasoningByModel: Check = ({ body: { messages, prompt_mode: mode, reasoning_effort: effort }, model }) => {
  const isThought = ({ content }: JsonObject) => objectsOf(content).some(({ type }) => type === 'thinking');
  const found =
    mode === 'reasoning' && !HAS_PROMPT_MODE.test(model)
      ? 'Reasoning prompt mode'
      : NEVER_REASONS.test(model) &&
        (isSet(effort) && effort !== 'none'
          ? 'reasoning_effort'
          : objectsOf(messages).some(isThought) && 'Reasoning input');
  return found
    ? { message: `${found} is not enabled for this model`, errorType: 'invalid_request_invalid_args', code: '3051' }
    : undefined;
};

const RULES: readonly Rule[] = [
  ...formRules('mistral', MISTRAL_VALUES, {
    shape: {
      refuses:
        'a value of another type than the API reads, such as `temperature: "hot"`, a tool without `function` or its `parameters`, an unknown `reasoning_effort` or field of a message, a part, a call or a function',
      accepts: '`temperature: "0.5"`, `{"type":"function","function":{"name":"read","parameters":{…}}}`',
      source: 'https://github.com/musistudio/claude-code-router/issues/509',
      date: '2025-08-10',
    },
    range: {
      refuses: 'a `temperature` outside of 0 to 1.5, a `top_p` outside of 0 to 1, penalties beyond 2, `n: 0` …',
      accepts: '`temperature: 0.7`',
      source: 'https://docs.mistral.ai/api/#tag/chat',
      date: '2026-11-28',
    },
  }),
  ...rulesOf('mistral', {
    'extra-field': {
      refuses: '`max_completion_tokens`, `functions`, `store`, `thinking` and other parameters that it does not have',
      accepts: '`max_tokens`, `tools`',
      source: 'https://github.com/editor-code-assistant/eca/issues/231',
      date: '2025-12-12',
      check: firstOf([
        refuseParameters(FOREIGN_FIELDS, (field) => extraField(`body.${field}`)),
        refuseUnknownParameters(MISTRAL_PARAMETERS, (field) => extraField(`body.${field}`)),
      ]),
    },
    'reasoning-by-model': {
      refuses:
        '`prompt_mode: reasoning` with others than Magistral; `reasoning_effort` and parts of the type `thinking` with Mistral Large, Ministral, Codestral, Devstral …',
      accepts: '`reasoning_effort: high` with Mistral Small 4; `none` with all',
      source: 'https://github.com/withceleste/celeste-python/pull/311',
      date: '2026-07-15',
      check: refuseReasoningByModel,
    },
    'reasoning-field': {
      refuses: '`reasoning_content`, `reasoning` or `reasoning_details` in an answer',
      accepts: 'parts of the type `thinking` in `content`',
      source: 'https://github.com/charmbracelet/crush/issues/1590',
      date: '2025-12-10',
      // The server itself sends reasoning in this field, which clients may send back with its calls.
      check: (request) =>
        objectsOf(request.body['messages']).some(({ tool_calls: calls }) =>
          objectsOf(calls).some(({ id }) => request.recall(textOf(id))?.reasoned === true),
        )
          ? undefined
          : refuseReasoning(request),
    },
    'call-id': {
      refuses: 'the id of a call that is not nine letters and digits',
      accepts: 'an id of nine letters and digits',
      source: 'https://github.com/nearai/ironclaw/issues/1241',
      date: '2026-03-16',
      check: refuseCallId(/^[a-zA-Z0-9]{9}$/, (id) => ({
        message: `Tool call id was ${id} but must be a-z, A-Z, 0-9, with a length of 9.`,
        errorType: 'invalid_function_call',
        code: '3280',
      })),
    },
    'user-after-tool': {
      // Recordings show that the service answers such requests to Mistral Small 4.
      models: /^(?!mistral-small-(?:latest|2[6-9]))/,
      refuses: 'a message of the user right after the result of a call, but for Mistral Small 4',
      accepts: 'an answer of the assistant between them',
      source: 'https://github.com/avante-corp/avante.nvim/pull/2695',
      date: '2025-09-07',
      check: refuseRoleAfter('user', 'tool', () => order("Unexpected role 'user' after role 'tool'")),
    },
    'tool-after-user': {
      refuses: 'a result right after a message of the user',
      accepts: 'a result after its call',
      source: 'https://github.com/charmbracelet/crush/issues/279',
      date: '2025-07-22',
      check: refuseRoleAfter('tool', 'user', () => order("Unexpected role 'tool' after role 'user'")),
    },
    'last-assistant': {
      refuses: 'a last message of the assistant without `prefix: true`',
      accepts: 'the same message with `prefix: true`',
      source: 'https://github.com/0xPlaygrounds/rig/pull/1130',
      date: '2025-12-08',
      check: refuseLastAssistant({
        message: 'Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant',
        errorType: 'invalid_request_message_order',
        code: '3230',
      }),
    },
    'empty-answer': {
      refuses: 'an answer without text and without calls',
      accepts: 'an answer with one of them',
      source: 'https://github.com/OpenHands/OpenHands/issues/8685',
      date: '2025-05-24',
      check: refuseEmptyAnswer(() => ({
        message: 'Assistant message must have either content or tool_calls, but not none.',
        code: '3240',
      })),
    },
  }),
];

/** The body of an error. Its message is a list for values that the reader of the API does not permit. */
function encodeError(error: WireError, requestId: string): object {
  const { status, message, errorType = 'invalid_request_error', param, code } = error;
  // The gateway before the API checks the key.
  if (status === 401) return { message, request_id: requestId };
  if (status !== 422 || param === undefined) {
    return { object: 'error', message, type: errorType, param: null, code, raw_status_code: status };
  }
  const loc = param.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  const kind = errorType === 'invalid_request_error' ? 'extra_forbidden' : errorType;
  const detail = [{ type: kind, loc, msg: message, input: null }];
  const type = 'invalid_request_error';
  return { object: 'error', message: { detail }, type, param: null, code: null, raw_status_code: status };
}

/** Mistral's own API. */
export const mistral: Service = {
  name: 'mistral',
  title: 'Mistral',
  owns: /^(?:mistral|ministral|mixtral|magistral|devstral|codestral|pixtral|voxtral|open-mi[sx]tral|labs-(?:dev|mi|ma))/,
  rules: [...RULES, ...MISTRAL_VALIDATOR_RULES],
  answers: MISTRAL_FORM,
  words: [
    [
      /^An assistant message with 'tool_calls' must be followed.*$/s,
      'Not the same number of function calls and responses',
    ],
    [/^Missing required parameter: 'messages\[\d+\]\.tool_call_id'.*$/s, 'Unexpected role RoleEnum.tool'],
  ],
  encodeError,
};
