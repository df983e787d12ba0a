import type { WireModule } from './wire-options.ts';

/** A wire format of a provider; each has its own folder. */
export type Wire = 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'gemini' | 'ollama-chat';

/** Facts about the addresses of a wire. */
interface WireAddress {
  /** The path of an endpoint that has none. */
  readonly basePath: string;
  /** Ends of a pasted address that do not belong to an endpoint, longest first. */
  readonly routes: readonly RegExp[];
}

/** The addresses of each wire. An endpoint is the part of an address that the wire appends its routes to. */
export const WIRE_ADDRESSES: Readonly<Record<Wire, WireAddress>> = {
  'openai-chat': { basePath: '/v1', routes: [/\/chat\/completions$/] },
  'openai-responses': { basePath: '/v1', routes: [/\/responses$/] },
  // The SDK appends /v1/messages.
  'anthropic-messages': { basePath: '', routes: [/(\/v1)?\/messages$/, /\/v1$/] },
  gemini: { basePath: '/v1beta', routes: [/\/models(\/[^/]+)?$/] },
  'ollama-chat': { basePath: '', routes: [/\/api(\/chat)?$/] },
};

/** Loads the code of a wire. Only the chosen wire is loaded. */
export async function loadWire(wire: Wire): Promise<WireModule> {
  switch (wire) {
    case 'openai-chat':
      return (await import('./openai-chat/openai-chat.ts')).openAiChat;
    case 'anthropic-messages':
      return (await import('./anthropic-messages/anthropic-messages.ts')).anthropicMessages;
    case 'openai-responses':
    case 'gemini':
    case 'ollama-chat':
      // No preset names a wire before its code exists.
      throw new Error(`there is no code for the wire ${wire}`);
  }
}
