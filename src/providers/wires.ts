import { WIRE_TITLES } from '../schema/answer-form.ts';
import type { AddressFormat } from './target/endpoint.ts';
import type { CreateModel, KeyHeader } from './wire-options.ts';

export const WIRE_NAMES = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini', 'ollama-chat'] as const;

/** A wire format of a provider; each has its own folder. */
export type Wire = (typeof WIRE_NAMES)[number];

/** Facts about a wire that are needed without its code. */
interface WireFacts extends AddressFormat {
  /** The name of the wire in messages. */
  readonly title: string;
  /** The header of a key. A token is sent in `authorization` on every wire. */
  readonly keyHeader: KeyHeader;
}

export const WIRES: Readonly<Record<Wire, WireFacts>> = {
  'openai-chat': {
    title: WIRE_TITLES['openai-chat'],
    basePath: '/v1',
    routes: [/\/chat\/completions$/],
    keyHeader: 'authorization',
  },
  'openai-responses': {
    title: WIRE_TITLES['openai-responses'],
    basePath: '/v1',
    routes: [/\/responses$/],
    keyHeader: 'authorization',
  },
  // The wire appends /v1/messages.
  'anthropic-messages': {
    title: WIRE_TITLES['anthropic-messages'],
    basePath: '',
    routes: [/\/messages$/, /\/v1$/],
    keyHeader: 'x-api-key',
  },
  gemini: {
    title: WIRE_TITLES.gemini,
    basePath: '/v1beta',
    routes: [/\/models(\/[^/]+)?$/],
    keyHeader: 'x-goog-api-key',
  },
  'ollama-chat': {
    title: WIRE_TITLES['ollama-chat'],
    basePath: '',
    routes: [/\/api(\/chat)?$/],
    keyHeader: 'authorization',
  },
};

/** Names of wires that users may write in `apiKind`, besides those of `Wire`. */
const API_KINDS: ReadonlyMap<string, Wire> = new Map<string, Wire>([
  ['openai', 'openai-chat'],
  ['anthropic', 'anthropic-messages'],
  ['ollama', 'ollama-chat'],
]);

/** The wire that an `apiKind` names, or all valid names when there is none. */
export function readApiKind(apiKind: string): Wire | { readonly names: readonly string[] } {
  const wire = API_KINDS.get(apiKind) ?? WIRE_NAMES.find((name) => name === apiKind);
  return wire ?? { names: [...API_KINDS.keys(), ...WIRE_NAMES] };
}

/** Loads the code of a wire. Only the chosen wire is loaded. */
export async function loadWire(wire: Wire): Promise<CreateModel> {
  switch (wire) {
    case 'openai-chat':
      return (await import('./openai-chat/openai-chat.ts')).createOpenAiChat;
    case 'openai-responses':
      return (await import('./openai-responses/openai-responses.ts')).createOpenAiResponses;
    case 'ollama-chat':
      return (await import('./ollama-chat/ollama-chat.ts')).createOllamaChat;
    case 'anthropic-messages':
      return (await import('./anthropic-messages/anthropic-messages.ts')).createAnthropicMessages;
    case 'gemini':
      return (await import('./gemini/gemini.ts')).createGemini;
  }
}
