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

/**
 * Modules that are always loaded together, so that a start reads a few files instead of many small ones. A group takes
 * only the modules that it names: `ybs --version` loads `core` and must not load a library with it.
 */
const groups = [
  { name: 'core', test: /\/src\/(?:ports|core|context|text(?!\/(?:suggest|nearest-window)))\// },
  { name: 'safety', test: /\/src\/safety\// },
  { name: 'tools', test: /\/src\/tools\// },
  { name: 'session', test: /\/src\/(?:session|prompt)\// },
  { name: 'http', test: /\/src\/providers\/(?:http|text-calls|[^/]+$)/ },
];

export default defineConfig({
  ...target,
  input: entries,
  preserveEntrySignatures: 'allow-extension',
  output: { ...names, format: 'esm', codeSplitting: { groups, includeDependenciesRecursively: false } },
});
