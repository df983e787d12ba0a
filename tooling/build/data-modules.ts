import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'rolldown';

/** The end of the name of a module that is bundled as it was written, although its name is `NAME.data.ts`. */
const AS_WRITTEN = '?as-written';

/**
 * Replaces each module `NAME.data.ts` by the values of its exports, so that a start computes nothing that is the same on
 * every machine. A function `zod` of a value becomes one that loads the module as it was written. Fails for any other
 * value that is not JSON.
 */
export const dataModules: Plugin = {
  name: 'data-modules',
  resolveId: {
    filter: { id: /\.data\.ts\?as-written$/ },
    handler: (source, importer = '') => path.resolve(path.dirname(importer), source),
  },
  load: {
    filter: { id: /\.data\.ts(?:\?as-written)?$/ },
    async handler(id) {
      if (id.endsWith(AS_WRITTEN))
        return { code: await readFile(id.slice(0, -AS_WRITTEN.length), 'utf8'), moduleType: 'ts' };
      const exported: Record<string, unknown> = await import(pathToFileURL(id).href);
      const source = JSON.stringify(`./${path.basename(id)}${AS_WRITTEN}`);
      const load = (access: string): string => `() => import(${source}).then((module) => module.${access}())`;
      return Object.entries(exported)
        .map(([name, value]) => `export const ${name} = ${codeOf(value, name, load)};\n`)
        .join('');
    },
  },
};

/** The code of a value. `access` is the expression for it, relative to its module. */
export function codeOf(value: unknown, access: string, load: (access: string) => string): string {
  if (Array.isArray(value))
    return `[${value.map((item, index) => codeOf(item, `${access}[${index}]`, load)).join(',')}]`;
  if (typeof value === 'function' && access.endsWith('.zod')) return load(access);
  if (typeof value !== 'object' || value === null) {
    const text = JSON.stringify(value);
    if (text === undefined || JSON.parse(text) !== value) throw new Error(`${access} is not JSON`);
    return text;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) throw new Error(`${access} is not JSON`);
  const fields = Object.entries(value).map(([name, field]) => {
    const fieldAccess = /^\w+$/.test(name) ? `${access}.${name}` : `${access}[${JSON.stringify(name)}]`;
    return `${JSON.stringify(name)}:${codeOf(field, fieldAccess, load)}`;
  });
  return `{${fields.join(',')}}`;
}
