import type { UnpairedResults } from '../../../matching/pair-results.ts';
import { decodePercent } from '../../../text.ts';
import { badRequest } from '../../body.ts';
import { describeUnpaired, lintLateResults } from '../../pairing.ts';
import type { ChatAnswerForm, ReadRequest, Wire, WireError, WireRequest } from '../../wire.ts';
import { encodeOpenAiError, openaiHeaders, openaiLimitHeaders, openaiStatusError } from '../errors.ts';
import { BASES, MODEL_ROUTES } from '../shared.ts';
import { type ChatRequest, readChatRequest } from './chat-request.ts';
import { encodeChatFailure, encodeChatFrames, encodeChatReply } from './reply.ts';

/** The base of Azure's paths, which name the model. */
const DEPLOYMENT = '/openai/deployments/:deployment';

/** The base of Vertex AI for all its models. */
const VERTEX = '/v1/projects/:project/locations/:location/endpoints/:endpoint';

/** The Chat Completions API of OpenAI and of services that imitate it. */
export const openaiChat: Wire = {
  protocol: 'openai-chat',
  paths: [...BASES, DEPLOYMENT, VERTEX].map((base) => `${base}/chat/completions`),
  routes: MODEL_ROUTES,
  callIdPrefix: 'call_',
  requestIdPrefix: 'req_',
  headers: openaiHeaders,
  limitHeaders: openaiLimitHeaders,
  streamType: 'text/event-stream; charset=utf-8',
  owns: (path) => path.endsWith('/chat/completions'),
  async read(request) {
    return openChat(await readChatRequest(request.body, deploymentOf(request)));
  },
  encodeError: encodeOpenAiError,
  statusError: openaiStatusError,
  pairing: 'right_after',
  unpaired,
};

/** The request of a body as read. */
export function openChat(request: ChatRequest | WireError): ReadRequest | WireError {
  return 'type' in request ? request : openInForm(request, {});
}

function openInForm(request: ChatRequest, answerForm: Partial<ChatAnswerForm>): ReadRequest {
  const { conversation, limits, toolChoice, body: settings } = request;
  const { stream_options, n, tool_choice: choice, service_tier: tier } = settings;
  const form = {
    ...answerForm,
    includeUsage: stream_options?.include_usage ?? false,
    // The service says which tier it chose.
    tier: tier === null || tier === 'auto' ? undefined : tier,
    choices: n ?? 1,
    isNamed: typeof choice === 'object' && choice !== null && choice.allowed_tools === undefined,
  };
  return {
    type: 'request',
    conversation,
    json: request.json,
    stream: settings.stream ?? false,
    limits,
    toolChoice,
    lint: (_recall, service) => (service?.ignores ? [] : lintLateResults(conversation, unpaired)),
    native: { form: 'data' },
    inForm: (own) => openInForm(request, own),
    encode: (reply) => encodeChatReply(reply, form),
    frames: (reply, split) => encodeChatFrames(reply, form, split),
    encodeFailure: (_error, stream) => encodeChatFailure(stream, form),
  };
}

/** The model that the path of a request names. */
export function deploymentOf({ path }: Pick<WireRequest, 'path'>): string | undefined {
  const name = /^\/openai\/deployments\/([^/]+)/.exec(path)?.[1];
  return name && decodePercent(name);
}

function unpaired(results: UnpairedResults): WireError {
  const sentences = describeUnpaired(results, {
    missing: (ids) =>
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
      `The following tool_call_ids did not have response messages: ${ids}`,
    orphans: (ids) =>
      "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'. " +
      `The following tool_call_ids answer none: ${ids}`,
  });
  return badRequest(sentences.join('. '), `messages.[${results.index}].role`);
}
