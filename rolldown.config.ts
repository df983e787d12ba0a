import { defineConfig } from 'rolldown';

/** The sources of the entry files of `dist/`, by name. All chunks are in the same directory. */
export const entries = {
  ybs: 'src/cli/bin.ts',
  'mock-llm-server': 'mock-llm-server/bin.ts',
  index: 'src/index.ts',
  testing: 'mock-llm-server/testing.ts',
  'search-worker': 'src/adapters/search/search-worker.ts',
} as const;

/** The entry file for CommonJS, which Jest needs. Everything it loads is in `dist/cjs/`, apart from the other chunks. */
export const commonJsEntries = { testing: entries.testing } as const;

// The `main` of jsonc-parser is a UMD module whose `require` calls cannot be bundled; its `module` can.
const resolve = { mainFields: ['module', 'main'] };
const target = { platform: 'node', transform: { target: 'node20.19' }, resolve } as const;
const names = {
  entryFileNames: '[name].js',
  chunkFileNames: 'chunk-[name]-[hash].js',
  comments: { legal: false },
} as const;

export const commonJs = defineConfig({ ...target, input: commonJsEntries, output: { ...names, format: 'cjs' } });

export default defineConfig({ ...target, input: entries, output: { ...names, format: 'esm' } });
