import { defineConfig } from 'rolldown';

/** The files of `dist/` that others start or import, each with its source. All chunks lie flat beside them. */
export const entries = {
  ybs: 'src/cli/bin.ts',
  'mock-llm-server': 'mock-llm-server/bin.ts',
  index: 'src/index.ts',
  testing: 'mock-llm-server/testing.ts',
  'search-worker': 'src/adapters/search-worker.ts',
} as const;

export default defineConfig({
  input: entries,
  platform: 'node',
  transform: { target: 'node20.19' },
  output: {
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunk-[name]-[hash].js',
    comments: { legal: false },
  },
});
