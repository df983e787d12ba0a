import { builtinModules } from 'node:module';
import path from 'node:path';
import { importsOf } from './imports-of.ts';

/** The imports that the files of a room may have, apart from files of the room itself. */
interface Room {
  /** The contents, for docs/architecture.md. */
  readonly holds?: string;
  readonly rooms: readonly string[];
  readonly libraries: readonly string[];
  /** Modules of Node.js; `all` only for rooms that access the system. */
  readonly node: 'all' | 'path' | 'none';
}

const foundation = ['agent', 'text', 'schema'];
const beforeApp = [...foundation, 'policy', 'tools', 'session', 'config', 'providers'];

const mock = 'mock-llm-server';
/**
 * The rooms of the mock server. Each may import the rooms before it, except that `wire` may not import `reply`. `scenario`,
 * `wire` and `record` may also import `src/schema`.
 */
const mockRooms = [
  'conversation',
  'scenario',
  'journal',
  'matching',
  'reply',
  'wire',
  'services',
  'delivery',
  'drift',
  'answering',
  'verify',
  'server',
  'record',
  'weights',
  'cli',
] as const;
const mockLibraries: Readonly<Partial<Record<string, readonly string[]>>> = {
  scenario: ['fast-glob', 'jsonc-parser', 'leven', 'yaml'],
  matching: ['diff'],
  drift: ['diff'],
  reply: ['json-schema-faker'],
  wire: ['@smithy/core', 'jsonc-parser'],
  server: ['@hono/node-server', 'eventsource-parser', 'hono', 'ws'],
  record: ['eventsource-parser', 'hono', 'ws', 'yaml'],
};

/** The areas of `src/`, each with the areas that it may import, lowest first. */
export const AREAS: Readonly<Record<string, Room & { readonly holds: string }>> = {
  text: {
    holds: 'pure work on strings: diff, truncation, closest match, line ends, escaping',
    rooms: [],
    libraries: ['leven', 'string-width'],
    node: 'none',
  },
  schema: { holds: 'schemas as data, and their check without zod', rooms: [], libraries: ['zod'], node: 'none' },
  agent: {
    holds: 'the loop, its ports, and what it needs of the history and the context window',
    rooms: ['text'],
    libraries: [],
    node: 'none',
  },
  policy: {
    holds: 'what may happen: paths, shell, sandbox rules, the decision, trust, redaction',
    rooms: foundation,
    libraries: ['minimatch', 'unbash', 'zod'],
    node: 'path',
  },
  tools: {
    holds: 'files, search, shell, tasks, external tools, dialects, triggers',
    rooms: [...foundation, 'policy'],
    libraries: ['@modelcontextprotocol/client', 'eventsource-parser', 'ignore', 'minimatch', 'zod'],
    node: 'path',
  },
  session: {
    holds: 'the log of a session, its list, undo journal, approvals, git',
    rooms: foundation,
    libraries: ['zod'],
    node: 'path',
  },
  config: {
    holds: 'schema, layers and trust of the configuration',
    rooms: [...foundation, 'policy', 'session'],
    libraries: ['jsonc-parser', 'zod'],
    node: 'path',
  },
  providers: {
    holds: 'one folder per wire, HTTP, models and presets',
    rooms: foundation,
    libraries: ['@anthropic-ai/sdk', 'acorn', 'eventsource-parser', 'openai', 'zod'],
    node: 'none',
  },
  app: {
    holds: 'the agent of the product: layers of a tool call, the session driver, commands, extensions, prompt',
    rooms: beforeApp,
    libraries: ['yaml', 'zod'],
    node: 'path',
  },
  stories: {
    holds: 'load, play, judge, report and evaluate stories',
    rooms: [...beforeApp, 'app'],
    libraries: ['minimatch', 'zod'],
    node: 'path',
  },
  hosts: {
    holds: 'json, stream-json, Yume and ACP: encodings of the session driver',
    rooms: [...beforeApp, 'app'],
    libraries: ['@agentclientprotocol/sdk', 'zod'],
    node: 'none',
  },
  terminal: {
    holds: 'editor, drawing, Markdown, the chat',
    rooms: [...beforeApp, 'app'],
    libraries: ['@speed-highlight/core', 'marked'],
    node: 'none',
  },
  node: {
    holds: 'adapters: files, shell, sandbox, search, HTTP, terminal',
    rooms: [...beforeApp, 'app', 'stories', 'terminal'],
    libraries: ['execa', 'undici'],
    node: 'all',
  },
  web: {
    holds: 'the page and its server',
    rooms: [...beforeApp, 'app', 'terminal'],
    libraries: ['@hono/node-server', 'hono', 'marked', 'zod'],
    node: 'all',
  },
  cli: {
    holds: 'command lines and wiring',
    rooms: [...beforeApp, 'app', 'stories', 'hosts', 'terminal', 'node', 'web'],
    libraries: ['smol-toml', 'yaml', 'zod'],
    node: 'none',
  },
};

const rooms: Readonly<Record<string, Room>> = {
  ...AREAS,
  // The library: its exports, and `openAgent`.
  index: { rooms: [...beforeApp, 'app', 'node'], libraries: ['zod'], node: 'none' },
  [`${mock}/text`]: { rooms: [], libraries: [], node: 'none' },
  ...Object.fromEntries(
    mockRooms.map((name, index) => [
      `${mock}/${name}`,
      {
        rooms: [
          ...['text', ...mockRooms.slice(0, index).filter((other) => name !== 'wire' || other !== 'reply')].map(
            (other) => `${mock}/${other}`,
          ),
          // The schemas of scenario files and of requests become data in the same way as those of ybs, and its recorder
          // reads the answers that ybs reads.
          ...(name === 'scenario' || name === 'wire' || name === 'record' ? ['schema'] : []),
        ],
        libraries: ['zod', ...(mockLibraries[name] ?? [])],
        node: 'all',
      } as const,
    ]),
  ),
  // The entry points: bin, main and testing.
  [mock]: { rooms: ['text', ...mockRooms].map((name) => `${mock}/${name}`), libraries: ['zod'], node: 'all' },
};

/** Files with more permissions than their room. */
export const EXCEPTIONS: Readonly<Record<string, { readonly files?: readonly string[]; readonly node?: 'all' }>> = {
  'src/cli/bin.ts': { node: 'all' },
  'src/cli/main.ts': { node: 'all', files: [`${mock}/scenario/loading/parse-yaml.ts`] },
  // Starts the embedded server and reads its scenario files.
  'src/cli/mock-model.ts': {
    files: [
      'drift/check-drift',
      'record/watch-server',
      'drift/lock',
      'journal/journal',
      'scenario/loading/load',
      'scenario/prepare',
      'server/listen',
    ].map((file) => `${mock}/${file}.ts`),
  },
  'src/cli/recording.ts': {
    files: ['record/record-fetch', 'record/story-directory', 'record/convert/convert-file'].map(
      (file) => `${mock}/${file}.ts`,
    ),
  },
};

/** The only files that ybs shares with its mock server: the formats of scenario files and of their locks. */
export const SHARED_FILES = ['format', 'format/values', 'lock/prompt-lock'].map(
  (file) => `${mock}/scenario/${file}.ts`,
);

/**
 * Checks the direction of the imports in a set of files. `files` maps paths relative to the project, with `/`, to their
 * sources. Returns one line per import that `rooms` does not allow.
 */
export function importProblems(files: ReadonlyMap<string, string>): readonly string[] {
  return [...files].flatMap(([file, source]) =>
    importsOf(source).flatMap((specifier) => {
      const problem = problemOf(file, specifier);
      return problem === undefined ? [] : [`${file}: ${problem}`];
    }),
  );
}

function problemOf(file: string, specifier: string | undefined): string | undefined {
  const name = roomOf(file);
  const room = name === undefined ? undefined : rooms[name];
  if (name === undefined || room === undefined) return 'belongs to no room in test/support/house/import-rules.ts';
  if (specifier === undefined) return 'imports a computed name';
  const exception = EXCEPTIONS[file];
  if (specifier.startsWith('node:') || builtinModules.includes(specifier)) {
    const reach = exception?.node ?? room.node;
    return reach === 'all' || (reach === 'path' && specifier === 'node:path') ? undefined : notAllowed(name, specifier);
  }
  if (!specifier.startsWith('.')) {
    const library = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
    return room.libraries.includes(library) ? undefined : notAllowed(name, library);
  }
  const target = path.posix.join(path.posix.dirname(file), specifier);
  const targetRoom = roomOf(target);
  const allowed =
    targetRoom === name ||
    (targetRoom !== undefined && room.rooms.includes(targetRoom)) ||
    (!name.startsWith(mock) && SHARED_FILES.includes(target)) ||
    exception?.files?.includes(target) === true;
  return allowed ? undefined : notAllowed(name, target);
}

function notAllowed(room: string, target: string): string {
  return `${room} may not import ${target}`;
}

function roomOf(file: string): string | undefined {
  const parts = file.split('/');
  if (parts[0] === mock && parts.length > 2) return `${mock}/${parts[1]}`;
  if (parts[0] === mock) return parts[1] === 'text.ts' ? `${mock}/text` : mock;
  if (file === 'src/index.ts' || file === 'src/open-agent.ts') return 'index';
  return parts[0] === 'src' && parts.length > 2 ? parts[1] : undefined;
}

/** The import cycles in a set of files, each as its sorted files joined with ` ↔ `. */
export function importCycles(files: ReadonlyMap<string, string>): readonly string[] {
  const imports = new Map([...files].map(([file, source]) => [file, targetsOf(file, source)]));
  const reach = (start: string): ReadonlySet<string> => {
    const seen = new Set<string>();
    const open = [start];
    for (let file = open.pop(); file !== undefined; file = open.pop()) {
      for (const target of imports.get(file) ?? []) {
        if (seen.has(target)) continue;
        seen.add(target);
        open.push(target);
      }
    }
    return seen;
  };
  const reached = new Map([...files.keys()].map((file) => [file, reach(file)]));
  const cycles = [...reached].flatMap(([file, targets]) =>
    targets.has(file)
      ? [
          [...targets]
            .filter((target) => reached.get(target)?.has(file))
            .sort()
            .join(' ↔ '),
        ]
      : [],
  );
  return [...new Set(cycles)];
}

function targetsOf(file: string, source: string): readonly string[] {
  return importsOf(source).flatMap((specifier) =>
    specifier?.startsWith('.') ? [path.posix.join(path.posix.dirname(file), specifier)] : [],
  );
}

/** The folders with more files than `max`, one line each. `files` are paths relative to the project, with `/`. */
export function crowdedFolders(files: Iterable<string>, max: number): readonly string[] {
  const counts = new Map<string, number>();
  for (const file of files) {
    const folder = path.posix.dirname(file);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > max).map(([folder, count]) => `${folder}: ${count} files`);
}
