import path from 'node:path';
import { minimatch } from 'minimatch';
import { defineConfig } from 'rolldown';
import { asciiChunks } from './tooling/build/ascii-chunks.ts';
import { dataModules } from './tooling/build/data-modules.ts';

/**
 * The sources of the entry files of `dist/`, by name. All chunks are in the same directory. They are CommonJS, which Node
 * loads in half the time of ES modules; the build adds ES modules for those who import the package.
 */
export const entries = {
  ybs: 'src/cli/bin.ts',
  'mock-llm-server': 'mock-llm-server/bin.ts',
  index: 'src/index.ts',
  agent: 'src/agent/index.ts',
  testing: 'mock-llm-server/testing.ts',
  'search-worker': 'src/node/search/search-worker.ts',
  'pattern-worker': 'mock-llm-server/answering/pattern-worker.ts',
} as const;

/** The entries that are also ES modules, `NAME.mjs`. */
export const libraries = ['index', 'agent', 'testing'] as const satisfies readonly (keyof typeof entries)[];

/**
 * Globs of the files that each step of a start loads. A group has these files and all that they import, apart from what
 * the groups before it have, so that a start reads a few chunks instead of many small ones.
 */
export const groups = {
  suggest: ['src/text/suggest.ts'],
  // The part of `ybs/agent` that the version and the help need, too.
  errors: ['src/agent/errors.ts'],
  // The version and the help, and what the mock server shares with ybs.
  core: ['src/{cli/main,cli/command-line/help,app/exit,node/descriptors,schema/conforms,schema/explain}.ts'],
  'mock-main': ['mock-llm-server/main.ts'],
  // `ybs/agent` loads this and the errors only, so no module of Node.js.
  loop: ['src/agent/index.ts'],
  // The first prompt of a chat. From here to `mock`, nothing needs zod, which takes longer to load than all of it.
  settings: [
    'src/{app/wiring,app/open-session,app/prompt/prompt-settings,cli/command-line/arguments,session/choose-session}.ts',
    'src/node/{machine,memory,system,processes,files/node-file-system}.ts',
  ],
  run: ['src/cli/run-prompt.ts'],
  // An answer without a tool call.
  answer: [
    'src/{app/session,app/extensions/chosen-agent,cli/mock-model}.ts',
    'src/providers/{http/*,limits/*,finish-reasons,list-models,provider-state,tool-calls,target/choose-model,target/budget}.ts',
    'src/node/{git,http/open-fetch,sandbox/sandbox,search/{ripgrep,worker-text-search},shell/*,terminal/piped-input}.ts',
    'src/tools/shell/{sandbox-rules,shell-environment}.ts',
  ],
  mcp: ['src/tools/mcp/{server,mcp-tools}.ts'],
  scenarios: ['mock-llm-server/scenario/{loading/load,prepare}.ts'],
  mock: ['mock-llm-server/{server/listen,journal/journal,drift/check-drift}.ts'],
  tools: ['src/tools/{files/{read,write,edit}-file,search/{list,search}-files,shell/run-shell,tasks/update-tasks}.ts'],
  host: ['src/{cli/host/{run-host,host-arguments},hosts/{stream-json/stream-json,yume/yume-json}}.ts'],
  'run-chat': ['src/cli/run-chat.ts'],
};

const codeSplitting = {
  groups: Object.entries(groups).map(([name, globs]) => ({
    name,
    test: (id: string) => globs.some((glob) => minimatch(path.relative(import.meta.dirname, id), glob)),
  })),
};

export default defineConfig({
  input: entries,
  platform: 'node',
  plugins: [dataModules, asciiChunks],
  transform: { target: 'node20.19' },
  // The `main` of jsonc-parser is a UMD module whose `require` calls cannot be bundled; its `module` can.
  resolve: { mainFields: ['module', 'main'] },
  preserveEntrySignatures: 'allow-extension',
  // A module that one entry needs at once and another one late is in a chunk of its group anyway.
  checks: { ineffectiveDynamicImport: false },
  output: {
    format: 'cjs',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunk-[name]-[hash].js',
    comments: false,
    codeSplitting,
  },
});
