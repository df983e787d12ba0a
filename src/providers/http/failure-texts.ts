import type { ModelErrorCode } from '../../ports/language-model.ts';

/** What error texts may say of the server that a model is reached through. */
export interface ServerNames {
  /** How people call the provider. */
  readonly label: string;
  readonly endpoint: string;
  readonly model: string;
  /** The environment variable the key was taken from; absent when no key is sent. */
  readonly keyVariable?: string | undefined;
  /** The command that starts the server on this machine. */
  readonly startCommand?: string | undefined;
  /** The command that fetches the model, on this machine. */
  readonly fetchCommand?: string | undefined;
}

/** How a request went wrong, as far as the texts differ. `detail` is what the server or the network said. */
export type Failure =
  | { readonly type: 'status'; readonly code: ModelErrorCode; readonly status: number; readonly detail: string }
  | { readonly type: 'in_stream'; readonly code: ModelErrorCode; readonly detail: string }
  | { readonly type: 'no_model'; readonly detail: string }
  | { readonly type: 'no_api'; readonly status: number; readonly detail: string }
  | { readonly type: 'redirect'; readonly status: number; readonly target: string }
  | { readonly type: 'no_stream'; readonly contentType: string; readonly detail: string }
  | { readonly type: 'quota'; readonly detail: string }
  | { readonly type: 'blocked_port' }
  | { readonly type: 'refused_connection' }
  | { readonly type: 'connection'; readonly detail: string }
  | { readonly type: 'silent'; readonly seconds: number }
  | { readonly type: 'garbled'; readonly detail: string }
  | { readonly type: 'cut_off' };

/** The kind of error a failure is. */
export function codeOf(failure: Failure): ModelErrorCode {
  switch (failure.type) {
    case 'status':
    case 'in_stream':
      return failure.code;
    case 'no_model':
    case 'no_api':
    case 'redirect':
    case 'no_stream':
    case 'quota':
    case 'blocked_port':
      return 'bad_request';
    case 'refused_connection':
    case 'connection':
    case 'silent':
    case 'garbled':
      return 'network';
    case 'cut_off':
      return 'cut_off';
  }
}

/** What the user reads: what happened, and what to do about it. */
export function textOf(failure: Failure, server: ServerNames): string {
  const { label, endpoint, model, startCommand, fetchCommand } = server;
  switch (failure.type) {
    case 'status':
      return byCode(failure.code, `${failure.status}${said(failure.detail)}`, server);
    case 'in_stream':
      return byCode(failure.code, `in the middle of the answer${said(failure.detail)}`, server);
    case 'no_model':
      return `${label} has no model ${JSON.stringify(model)} (404${said(failure.detail)}). ${
        fetchCommand === undefined ? 'Choose another with --model or llm.model.' : `Fetch it with: ${fetchCommand}`
      }`;
    case 'no_api':
      return `There is no chat API at ${endpoint} (${failure.status}${said(failure.detail)}). Check the endpoint; most end in /v1.`;
    case 'redirect':
      return `${endpoint} sends requests on to ${failure.target} (${failure.status}). Redirects are not followed, so that no key goes astray; set that address as the endpoint if you trust it.`;
    case 'no_stream':
      return `${endpoint} answered with ${failure.contentType} instead of an event stream${said(failure.detail)}. Check that the endpoint is an OpenAI-compatible API.`;
    case 'quota':
      return `The quota of this ${label} account is used up${said(failure.detail)}. Check its plan and billing, or use another provider.`;
    case 'blocked_port':
      return `No request may be sent to the port in ${endpoint}: it belongs to another protocol. Choose another port for the server.`;
    case 'refused_connection':
      return `Nothing answers at ${endpoint}. ${
        startCommand === undefined
          ? 'Is the server running, and is the endpoint right?'
          : `Start ${label} with: ${startCommand}`
      }`;
    case 'connection':
      return `${label} cannot be reached at ${endpoint}${said(failure.detail)}. Check the network and the endpoint.`;
    case 'silent':
      return `${label} said nothing for ${failure.seconds} s. Try again; if the model is only slow, raise llm.timeout_seconds.`;
    case 'garbled':
      return `${label} sent something that is no chat answer: ${failure.detail}. Try again; if it stays, check the endpoint.`;
    case 'cut_off':
      return `${label} ended its answer without saying that it was complete. Try again.`;
  }
}

function byCode(code: ModelErrorCode, what: string, { label, model, keyVariable }: ServerNames): string {
  switch (code) {
    case 'auth':
      return keyVariable === undefined
        ? `${label} wants a key (${what}), but none was sent. Put the key in an environment variable and its name in llm.api_key_variable.`
        : `${label} refused the key in ${keyVariable} (${what}). Check the key and what it may be used for.`;
    case 'rate_limit':
      return `${label} limits how often it is asked (${what}). Wait a moment, or use another model.`;
    case 'context_overflow':
      return `The conversation is longer than ${model} can read (${what}). Start afresh with /clear, or use a model with a larger context.`;
    case 'overloaded':
      return `${label} could not answer (${what}). Try again in a moment.`;
    case 'network':
      return `${label} gave up waiting (${what}). Try again.`;
    case 'bad_request':
    case 'cut_off':
      return `${label} refused the request (${what}).`;
  }
}

function said(detail: string): string {
  return detail === '' ? '' : `: ${detail}`;
}
