import type { ModelErrorCode } from '../../agent/ports/language-model.ts';

/** The names of a model's server that error messages use. */
export interface ServerNames {
  /** The provider's name in messages. */
  readonly label: string;
  readonly endpoint: string;
  /** The name of the wire in messages: `Chat Completions`. */
  readonly wire?: string | undefined;
  /** The path with which an endpoint of this wire usually ends; `/v1` when absent. */
  readonly usualPath?: string | undefined;
  readonly model: string;
  /** The environment variable that the key was read from. */
  readonly keyVariable?: string | undefined;
  /** The command that printed the key: `gh auth token`. */
  readonly keyCommand?: string | undefined;
  /** Advice for a key that a command printed and the server refused; a sentence without its full stop. */
  readonly keyAdvice?: string | undefined;
  /** The command that starts the server on this machine. */
  readonly startCommand?: string | undefined;
  /** The endpoint is on this machine. */
  readonly local?: boolean | undefined;
  /** Options that choose a provider which needs no server here: `--provider openai (OPENAI_API_KEY is set)`. */
  readonly alternatives?: string | undefined;
  /** The command that downloads the model to this machine. */
  readonly fetchCommand?: string | undefined;
}

/** A failed request. `detail` is the message of the server or of the network, possibly empty. */
export type Failure =
  | { readonly type: 'status'; readonly code: ModelErrorCode; readonly status: number; readonly detail: string }
  | { readonly type: 'in_stream'; readonly code: ModelErrorCode; readonly detail: string }
  | { readonly type: 'no_model'; readonly status: number | undefined; readonly detail: string }
  | { readonly type: 'no_api'; readonly status: number; readonly detail: string }
  | { readonly type: 'page'; readonly status: number; readonly detail: string }
  | { readonly type: 'redirect'; readonly status: number; readonly target: string }
  | { readonly type: 'other_wire'; readonly title: string; readonly own: string; readonly kind: string }
  | { readonly type: 'no_stream'; readonly contentType: string; readonly wanted?: 'JSON'; readonly detail: string }
  | { readonly type: 'quota'; readonly detail: string }
  | { readonly type: 'blocked_port' }
  | { readonly type: 'refused_connection' }
  | { readonly type: 'no_host'; readonly host: string }
  | { readonly type: 'connection'; readonly detail: string }
  | { readonly type: 'lasting'; readonly detail: string; readonly advice: string }
  | { readonly type: 'silent'; readonly seconds: number }
  | { readonly type: 'garbled'; readonly detail: string }
  | { readonly type: 'cut_off' }
  | { readonly type: 'stopped'; readonly reason: string; readonly detail: string };

/** A failure that a wire finds in an answer; it becomes a `ModelError`. */
export class FailedRequest extends Error {
  override readonly name = 'FailedRequest';
  readonly failure: Failure;
  /** The words of the server, if it sent any. */
  readonly body: string;

  constructor(failure: Failure, body = '') {
    super(failure.type);
    this.failure = failure;
    this.body = body;
  }
}

const CODES: Readonly<Record<Exclude<Failure['type'], 'status' | 'in_stream'>, ModelErrorCode>> = {
  no_model: 'unknown_model',
  no_api: 'bad_request',
  page: 'bad_request',
  redirect: 'bad_request',
  other_wire: 'bad_request',
  no_stream: 'bad_request',
  quota: 'bad_request',
  blocked_port: 'bad_request',
  refused_connection: 'network',
  // Like a server that is not running: the name is no more there a second later.
  no_host: 'unreachable',
  connection: 'network',
  lasting: 'unreachable',
  silent: 'network',
  garbled: 'network',
  cut_off: 'cut_off',
  stopped: 'incomplete_answer',
};

/** The words of servers that take no tools for a model: Ollama and OpenRouter, vLLM, llama.cpp, OpenAI and Novita. */
export const TOOL_REFUSAL =
  /support tool(?! calling without)|tool choice requires --|tools param requires --jinja|\btools:? extra inputs are not permitted|(?:\btools?|(?<!parallel )\b(?:tool|function) calling)[`'"]? (?:is |are )?not support/i;

const WITHOUT_TOOLS =
  'Use another model, or let this one write its calls as text: ybs config set llm.tool_protocol xnl';

export function failureCode(failure: Failure, server: Pick<ServerNames, 'local'>): ModelErrorCode {
  if (failure.type === 'status' || failure.type === 'in_stream') return failure.code;
  return failure.type === 'refused_connection' && server.local === true ? 'unreachable' : CODES[failure.type];
}

/** The message for the user: what happened, and what to do next. */
export function failureMessage(failure: Failure, server: ServerNames): string {
  const { label, endpoint, model, startCommand, fetchCommand, alternatives, usualPath = '/v1', wire } = server;
  switch (failure.type) {
    case 'status':
      return messageOfCode(failure.code, `${failure.status}${withColon(failure.detail)}`, server);
    case 'in_stream':
      return messageOfCode(failure.code, `in the middle of the answer${withColon(failure.detail)}`, server);
    case 'no_model':
      return `${label} has no model ${JSON.stringify(model)} (${[failure.status, failure.detail].filter((part) => part !== undefined && part !== '').join(': ')}). ${
        fetchCommand === undefined ? 'Choose another with --model or llm.model.' : `Fetch it with: ${fetchCommand}.`
      }`;
    case 'no_api':
      return `There is no chat API at ${endpoint} (${failure.status}${withColon(failure.detail)}). Check the endpoint; most ${usualPath === '' ? 'have no path' : `end in ${usualPath}`}.${wire === 'Chat Completions' && endpoint.endsWith('/v1') ? ` Write one without it with the route: ${endpoint.replace(/\/v1$/, '')}/chat/completions` : ''}`;
    case 'page':
      return `${endpoint} answered with a web page (${failure.status}${withColon(failure.detail)}). A firewall or a proxy seems to block the request: ask who runs it, or use another network.`;
    case 'redirect': {
      const target = endpointOf(failure.target, endpoint);
      const advice = target.startsWith(`${URL.parse(endpoint)?.origin}/`)
        ? 'Within a server, only one redirect is followed, and only with the status 307 or 308. Correct the endpoint or the server.'
        : 'It is not followed, because the key would be sent along; set that address as the endpoint if you trust it.';
      return `${endpoint} redirects to ${target} (${failure.status}). ${advice}`;
    }
    case 'other_wire':
      return `${endpoint} answered in the form of ${failure.title}, not of ${failure.own}. Set llm.api_kind to ${failure.kind}, or check the endpoint.`;
    case 'no_stream':
      return `${endpoint} answered with ${failure.contentType} instead of ${failure.wanted ?? 'an event stream'}${withColon(failure.detail)}. Check that the endpoint is an API of this kind of provider.`;
    case 'quota':
      return `${label} reports that the quota of the account is used up${withColon(failure.detail)}. Check its plan and billing, or use another provider.`;
    case 'blocked_port':
      return `Node.js sends no requests to the port in ${endpoint}, which is reserved for another protocol. Choose another port for the server.`;
    case 'refused_connection':
      return `Nothing is listening at ${endpoint}. ${
        startCommand === undefined
          ? `Is the server running, and is the endpoint right?${alternatives === undefined ? '' : ` Or use another provider: ${alternatives}`}`
          : `Start ${label} with: ${startCommand}${alternatives === undefined ? '' : `, or use another provider: ${alternatives}`}`
      }`;
    case 'no_host':
      return `There is no machine with the name ${failure.host}. Check the endpoint ${endpoint}, and that this machine is on the network.`;
    case 'connection':
      return `${label} cannot be reached at ${endpoint}${withColon(failure.detail)}. Check the network and the endpoint.`;
    case 'lasting':
      return `${label} cannot be reached at ${endpoint}${withColon(failure.detail)}. ${failure.advice}`;
    case 'silent':
      return `${label} sent nothing for ${failure.seconds} s. Try again; if the model is only slow, raise llm.timeout_seconds.`;
    case 'garbled':
      return `${label} sent an invalid answer${wire === undefined ? '' : ` over ${wire}`}: ${failure.detail}. Try again; if this keeps happening, check the endpoint.`;
    case 'cut_off':
      return `${label} ended its answer before it was complete. Try again.`;
    case 'stopped':
      return `${label} ended its answer with the reason ${JSON.stringify(failure.reason)}${withColon(failure.detail)}, so it is not complete. Try again.`;
  }
}

function messageOfCode(code: ModelErrorCode, cause: string, server: ServerNames): string {
  const { label, model } = server;
  switch (code) {
    case 'auth': {
      const key = keyName(server);
      return key === undefined
        ? `${label} requires a key (${cause}), but none was sent. Put the key in an environment variable and its name in llm.api_key_variable, beside llm.endpoint.`
        : `${label} refused ${key} (${cause}). ${server.keyAdvice ?? 'Check it and its permissions'}.`;
    }
    case 'rate_limit':
      return `${label} is limiting requests (${cause}). Wait a moment, or use another model.`;
    case 'context_overflow':
      return `The conversation is too long for ${model} (${cause}). Start over with /clear, or use ${/\bper min(?:ute)?\b/i.test(cause) ? 'an account with a higher limit' : 'a model with a larger context'}.`;
    case 'overloaded':
      return `${label} could not answer (${cause}). Try again in a moment.`;
    case 'network':
      return `${label} timed out (${cause}). Try again.`;
    case 'incomplete_answer':
      return `${label} could not read the answer of the model (${cause}). Try again.`;
    case 'bad_request':
    case 'unknown_model':
    case 'unreachable':
    case 'cut_off':
    case 'budget_spent':
      return `${label} refused the request (${cause}).${TOOL_REFUSAL.test(cause) ? ` ${WITHOUT_TOOLS}` : ''}`;
  }
}

function keyName({ keyVariable, keyCommand }: ServerNames): string | undefined {
  if (keyCommand !== undefined) return `the token of ${keyCommand}`;
  return keyVariable === undefined ? undefined : `the key in ${keyVariable}`;
}

function withColon(detail: string): string {
  return detail === '' ? '' : `: ${detail}`;
}

/** The endpoint of the target of a redirect, which may be relative and has the path of a wire. */
function endpointOf(target: string, endpoint: string): string {
  const address = target.startsWith('/') ? new URL(target, endpoint).href : target;
  return address.replace(/\/(?:chat\/completions|responses|(?:v1\/)?messages|api\/(?:chat|show|ps)|models)$/, '');
}
