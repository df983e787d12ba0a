import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { Plugin } from 'rolldown';

/**
 * Replaces each module `NAME.data.ts` by the values of its exports, so that a start computes nothing that is the same on
 * every machine. Fails for a value that is not JSON.
 */
export const dataModules: Plugin = {
  name: 'data-modules',
  load: {
    filter: { id: /\.data\.ts$/ },
    async handler(id) {
      const exported: Record<string, unknown> = await import(pathToFileURL(id).href);
      return Object.entries(exported)
        .map(([name, value]) => `export const ${name} = ${asJson(name, value)};\n`)
        .join('');
    },
  },
};

function asJson(name: string, value: unknown): string {
  const text = JSON.stringify(value);
  if (text === undefined || !isDeepStrictEqual(JSON.parse(text), value)) throw new Error(`${name} is not JSON`);
  return text;
}
