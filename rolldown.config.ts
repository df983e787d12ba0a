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
} as const;

/** The entries that are also ES modules, `NAME.mjs`. */
export const libraries = ['index', 'agent', 'testing'] as const satisfies readonly (keyof typeof entries)[];

/**
 * The code before the first prompt of a chat, which is a part of each answer, too: the settings, the store of the
 * sessions, and the trial of the sandbox. It must not need zod, which takes longer to load than all of it.
 */
const SETTINGS = [
  /\/src\/app\/(?:config-keys|open-session|wiring)|\/src\/config\/(?!describe-|host-options|schema|layers\/read-eidolon|set-value)/,
  /\/src\/policy\/(?:paths|sandbox|permission-rules|redact\.|repository-settings|trust)|\/src\/(?:app\/commands\/model\/model-switch|tools\/triggers\/(?:parse|typed)-)/,
  /\/src\/session\/(?:approvals\/limit-|choose-|export\/history-|log\/(?:lock|log-line|processes|session-log)|observe-events)/,
  /\/src\/session\/(?:prompt-history|retention|schemas|session-(?:files|names|record|store)|writes\/(?:checkpoints|file-versions|write-))/,
  /\/src\/app\/prompt\/(?:instructions|project-root|prompt-settings)|\/src\/providers\/(?:target\/(?:presets|chosen-model)|offered-models)/,
  /\/src\/tools\/(?:tools|tasks\/task-list|wrappers\/time-limit|external-tools|definitions|dialects\/aliases)/,
];

/** The rest of the code of an answer without a tool call, again without zod. */
const ANSWER = [
  /\/src\/(?:app\/(?:[^/]+$|extensions\/(?:apply|chosen)-|prompt\/)|session\/git\/|policy\/)|\/node_modules\/(?:unbash|ignore|eventsource-parser)\//,
  /\/src\/session\/(?!event-schema|read-l|session-list|copy-session|export\/export-|audit\/read-|writes\/(?:undo|run-commands))/,
  /\/src\/tools\/(?:wrappers\/|present-plan|registry|dialects\/in-dialect|shell\/(?!run-shell)|files\/(?:read-ledger|resolve))/,
  /\/src\/tools\/search\/(?:ignore-rules|search-notes)/,
  /\/src\/providers\/(?:http\/(?!fetch-json)|text-calls\/|(?!problem-in|fallback|list-models)[^/]+$)/,
  /\/src\/providers\/target\/(?:price|choose-|endpoint|find-target|token-command)/,
];

/** The code of a mock server that answers. It does not need zod either. */
const MOCK = [
  /\/mock-llm-server\/(?:answering|delivery|matching|reply|conversation|text|journal\/(?:journal|redact|tally)|drift\/watch-|verify\/check-)/,
  /\/mock-llm-server\/server\/(?:access|app|listen|read-request)|\/node_modules\/(?:hono|@hono\/node-server)\//,
  /\/mock-llm-server\/wire\/(?:(?!body-schema|read-now|wire\.)[^/]+$|(?:openai|anthropic|gemini|ollama)\/(?!lint|reader|re[pqs]|schema|shared-schema|chat|responses))/,
  /\/mock-llm-server\/wire\/(?:gemini\/reply|ollama\/reply|openai\/chat\/(?!chat-schema\.ts)|openai\/responses\/responses)/,
];

/**
 * Modules that are always loaded together, so that a start reads a few files instead of many small ones. A group takes
 * only the modules that it names: `ybs --version` loads `core` and must not load a library with it. The build refuses
 * groups that import each other.
 */
export const groups = [
  // Schemas of zod, which only an explanation of a value that does not conform needs.
  { name: 'explanations', test: /\.data\.ts\?as-written$|\/src\/schema\/data-schema/ },
  {
    name: 'core',
    test: /\/src\/(?:agent\/(?!index|create-)|text\/(?!suggest|diff\/nearest-window)|schema\/(?:conforms|explain)|app\/exit|terminal\/output|cli\/unavailable|hosts\/write-lines)/,
  },
  { name: 'suggest', test: /\/src\/text\/suggest|\/node_modules\/leven\// },
  {
    name: 'options',
    test: /\/src\/(?:cli\/(?:command-line\/options|host\/host-options|subcommands\/subcommands)|config\/host-options|stories\/report\/write-report)/,
  },
  { name: 'settings', test: anyOf(SETTINGS) },
  { name: 'answer', test: anyOf(ANSWER) },
  { name: 'glob', test: /\/node_modules\/(?:minimatch|@isaacs|brace-expansion|balanced-match)\// },
  {
    name: 'machine',
    test: /\/src\/node\/(?:machine|process|system|shell\/process-tree|terminal\/(?:status|piped)|files\/(?!node-story)|http\/(?!proxy))/,
  },
  { name: 'commands', test: /\/src\/node\/(?:sandbox\/|shell\/|search\/(?:search-thread|worker-text))/ },
  {
    name: 'host',
    test: /\/src\/(?:cli\/host\/(?!host-options|history|start-c)|hosts\/(?!acp\/|.*(?:schema|hooks|host-tools)))/,
  },
  { name: 'run', test: /\/src\/(?:cli\/run-prompt|terminal\/chat\/(?!chat|pick-))/ },
  {
    name: 'tools',
    test: /\/src\/(?:tools\/(?!external-tool\/|triggers\/|descriptions|dialects\/(?!aliases|in-d))|text\/diff\/nearest-window)/,
  },
  {
    name: 'width',
    test: /\/node_modules\/(?:string-width|strip-ansi|ansi-regex|get-east-asian-width)\//,
  },
  {
    name: 'editor',
    test: /\/src\/(?:terminal\/(?:editor|listeners|sleep)|node\/terminal\/(?:keys|open-keyboard|paste-splitter|input-bursts))/,
  },
  { name: 'log', test: /\/src\/session\// },
  { name: 'diff', test: /\/node_modules\/diff\// },
  {
    name: 'mock-terms',
    test: /\/mock-llm-server\/(?:text|conversation\/(?:conversation|estimate)|reply\/limit-|scenario\/lock\/prompt-lock|wire\/wire\.)/,
  },
  {
    name: 'scenarios',
    test: /\/mock-llm-server\/(?:scenario\/(?:(?!format|suggest)[^/]+$|trigger\/|format\/(?:checks|values|scenario-file)|loading\/(?:load|overlays|read-file))|conversation\/(?:ids|json))/,
  },
  { name: 'mock', test: anyOf(MOCK) },
];

function anyOf(parts: readonly RegExp[]): (id: string) => boolean {
  return (id) => parts.some((part) => part.test(id));
}

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
    codeSplitting: { groups, includeDependenciesRecursively: false },
  },
});
