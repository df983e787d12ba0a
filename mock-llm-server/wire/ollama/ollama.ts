import type { Conversation, Reply } from '../../conversation/conversation.ts';
import { countTokens } from '../../conversation/estimate-tokens.ts';
import { digestOf } from '../../conversation/ids.ts';
import { isJsonObject } from '../../conversation/json.ts';
import type { UnpairedResults } from '../../matching/pair-results.ts';
import { errorText } from '../../text.ts';
import { badRequest, parseBody } from '../body.ts';
import { DEFAULT_MODEL, embeddingRoute } from '../model-routes.ts';
import { describeUnpaired } from '../pairing.ts';
import { statusErrorFrom } from '../status-error.ts';
import type {
  Frame,
  LintMode,
  ReadRequest,
  StatusRequest,
  Wire,
  WireError,
  WireRequest,
  WireResponse,
  WireRoute,
} from '../wire.ts';
import { encodeOllamaFrames, encodeOllamaLoad, encodeOllamaReply } from './reply.ts';
import type { OllamaRequest } from './request.ts';
import type { OllamaEndpoint } from './shape.ts';

/** The context window of a model whose name states none, in tokens. */
const CONTEXT_LENGTH = 131_072;

/** The context window of a model: that in a name such as `mock-model:8k`, in units of 1,024 tokens. */
function contextLengthOf(model: string): number {
  const [, units] = /[:-](\d{1,4})k$/i.exec(model) ?? [];
  return Number(units ?? 0) * 1_024 || CONTEXT_LENGTH;
}

const SIZE = 4_000_000_000;
const SINCE = '2025-01-01T00:00:00Z';

const DETAILS = {
  parent_model: '',
  format: 'gguf',
  family: 'mock',
  families: ['mock'],
  parameter_size: '8B',
  quantization_level: 'Q4_K_M',
};
const LOADED = { expires_at: '2099-01-01T00:00:00Z', size_vram: SIZE };
const PLAIN_TEXT = { 'content-type': 'text/plain; charset=utf-8' };
const CAPABILITIES = ['completion', 'tools', 'thinking'];

/** Ollama's metadata routes. Every model exists, because requests may name any. */
const OLLAMA_ROUTES: readonly WireRoute[] = [
  { method: 'GET', path: '/', answer: () => ({ status: 200, headers: PLAIN_TEXT, body: 'Ollama is running' }) },
  { method: 'GET', path: '/api/version', answer: () => ok({ version: '0.32.9' }) },
  { method: 'GET', path: '/api/tags', answer: listModels },
  { method: 'GET', path: '/api/ps', answer: listLoaded },
  { method: 'POST', path: '/api/show', answer: showModel },
  { method: 'POST', path: '/api/pull', answer: pullModel },
  embeddingRoute('/api/embed', 'ollama'),
  embeddingRoute('/api/embeddings', 'ollama-prompt'),
];

/** Every model is there already. Streamed unless the request says otherwise. */
function pullModel({ body }: WireRequest): WireResponse | WireError {
  let json: unknown;
  try {
    json = parseBody(body);
  } catch (error) {
    return badRequest(errorText(error));
  }
  if (!modelIn(body)) return badRequest('model is required');
  const isStream = !isJsonObject(json) || json['stream'] !== false;
  const lines = ['pulling manifest', 'success'].map((status) => `${JSON.stringify({ status })}\n`).join('');
  const headers = { 'content-type': 'application/x-ndjson' };
  return isStream ? { status: 200, headers, body: lines } : ok({ status: 'success' });
}

/** The model that a request names, in either field. */
function modelIn(body: string): string | undefined {
  let json: unknown;
  try {
    json = parseBody(body);
  } catch {
    return undefined;
  }
  if (!isJsonObject(json)) return undefined;
  const names = [json['model'], json['name']].filter((name) => name !== undefined && name !== null);
  const texts = names.filter((name) => typeof name === 'string');
  return texts.length === names.length ? texts.find((name) => name !== '') : undefined;
}

function showModel({ body }: WireRequest): WireResponse | WireError {
  const model = modelIn(body);
  if (model === undefined) return badRequest('model is required');
  return ok({
    modelfile: `FROM ${model}\n`,
    parameters: '',
    template: '{{ .Prompt }}',
    details: DETAILS,
    model_info: {
      'general.architecture': 'mock',
      'general.parameter_count': 8_000_000_000,
      'mock.context_length': contextLengthOf(model),
      'mock.embedding_length': 4096,
    },
    capabilities: CAPABILITIES,
    modified_at: SINCE,
  });
}

function listModels(_request: WireRequest, _lint: LintMode, models: readonly string[]): WireResponse {
  const names = [DEFAULT_MODEL, ...models];
  return ok({ models: names.map((name) => describeModel({ capabilities: CAPABILITIES }, name)) });
}

/** Every model is in memory, with the context window of its name. */
function listLoaded(_request: WireRequest, _lint: LintMode, models: readonly string[]): WireResponse {
  const names = [DEFAULT_MODEL, ...models];
  return ok({ models: names.map((name) => describeModel({ ...LOADED, context_length: contextLengthOf(name) }, name)) });
}

function describeModel(more: object, model: string): object {
  const name = model.includes(':') ? model : `${model}:latest`;
  return { name, model: name, modified_at: SINCE, size: SIZE, digest: digestOf(name), details: DETAILS, ...more };
}

function ok(body: object): WireResponse {
  return { status: 200, body };
}

/** The API of Ollama, with its routes for models. */
export const ollama: Wire = {
  protocol: 'ollama',
  paths: ['/api/chat', '/api/generate'],
  routes: OLLAMA_ROUTES,
  callIdPrefix: 'call_',
  requestIdPrefix: '',
  headers: (_digest, requestId) => ({ 'x-request-id': requestId }),
  streamType: 'application/x-ndjson',
  owns: (path) => /^\/api\/[^/]+$/.test(path),
  async read(request) {
    const { readOllamaRequest } = await import('./request.ts');
    const endpoint = endpointOf(request);
    return openOllama(readOllamaRequest(request.body, endpoint), endpoint);
  },
  encodeError,
  statusError,
  pairing: 'none',
  unpaired,
};

export function endpointOf({ path }: Pick<WireRequest, 'path'>): OllamaEndpoint {
  return path === '/api/generate' ? 'generate' : 'chat';
}

/** The request of a body as read. */
export function openOllama(request: OllamaRequest | WireError, endpoint: OllamaEndpoint): ReadRequest | WireError {
  if ('type' in request) return request;
  const { conversation, json, purpose, limits, body: settings } = request;
  if (purpose !== 'answer') {
    const encode = (reply: Reply) => encodeOllamaLoad(reply, endpoint, purpose);
    const frames = (reply: Reply): Frame[] => [{ kind: 'finish', bytes: JSON.stringify(encode(reply)) }];
    return { type: 'request', conversation, json, stream: false, encode, frames, encodeFailure };
  }
  const modelLength = contextLengthOf(conversation.model);
  const contextLength = Math.min(settings.options?.num_ctx ?? modelLength, modelLength);
  const overflow = settings.truncate === false ? findOverflow(conversation, contextLength) : undefined;
  if (overflow !== undefined) return overflow;
  const replySettings = { endpoint, contextLength } as const;
  return {
    type: 'request',
    conversation,
    json,
    stream: settings.stream ?? true,
    limits,
    native: { form: 'lines', field: endpoint === 'chat' ? 'message' : 'response' },
    encode: (reply) => encodeOllamaReply(reply, replySettings),
    frames: (reply, split) => encodeOllamaFrames(reply, replySettings, split),
    encodeFailure,
  };
}

function encodeError({ message }: WireError): object {
  return { error: message };
}

/** The line of an error, the last one of a stream. */
function encodeFailure(error: WireError): string {
  return `${JSON.stringify(encodeError(error))}\n`;
}

/** The errors that clients of Ollama report. Those of keys and limits come from its cloud. */
function statusError(request: StatusRequest): WireError {
  return statusErrorFrom(
    {
      400: 'invalid request',
      401: 'unauthorized',
      403: 'this model requires a subscription, upgrade for access: https://ollama.com/upgrade',
      404: `model '${request.model}' not found`,
      408: 'request timed out',
      413: 'http: request body too large',
      429: "you've reached your hourly usage limit, please wait or upgrade to continue",
      500:
        'model runner has unexpectedly stopped, this may be due to resource limitations or an internal error, check ' +
        'ollama server logs for details',
      502: 'bad gateway',
      503: 'server busy, please try again.  maximum pending requests exceeded',
    },
    request,
  );
}

/** Ollama forwards the error of its runner: JSON in a JSON string. */
function findOverflow(conversation: Conversation, contextLength: number): WireError | undefined {
  const tokens = countTokens(conversation);
  if (tokens <= contextLength) return undefined;
  const error = {
    code: 400,
    message: `request (${tokens} tokens) exceeds the available context size (${contextLength} tokens), try increasing it`,
    type: 'exceed_context_size_error',
    n_prompt_tokens: tokens,
    n_ctx: contextLength,
  };
  return badRequest(JSON.stringify({ error }));
}

/** Only reported in log and journal, because Ollama accepts unpaired results. */
function unpaired(results: UnpairedResults): WireError {
  const sentences = describeUnpaired(
    { ...results, hint: undefined },
    {
      missing: (ids) => `these tool calls have no result: ${ids}`,
      orphans: (ids) => `these tool results answer no call: ${ids}`,
    },
  );
  return badRequest(`messages[${results.index}]: ${sentences.join('; ')}`);
}
