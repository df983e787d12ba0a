import type { Wire } from '../../src/providers/wires.ts';

/** The stories that a wire cannot tell, by name, with the reason for each wire. */
const EXCLUSIONS: Readonly<Record<string, Partial<Record<Wire, string>>>> = {
  'arguments-cut-by-length': {
    gemini: 'Gemini sends a call as a whole and leaves out one that was cut',
    'ollama-chat': 'Ollama sends a call as a whole and writes one that was cut into the text',
  },
};

/** The reason why a story cannot be played over a wire, or `undefined`. */
export function wireExclusion(story: string, wire: Wire): string | undefined {
  return EXCLUSIONS[story]?.[wire];
}
