import { builtinModules } from 'node:module';
import path from 'node:path';
import { importsOf } from './imports-of.ts';

/** What the files of one room may import, beside the files of the room itself. */
interface Room {
  readonly rooms: readonly string[];
  readonly libraries: readonly string[];
  /** Modules of Node.js; `all` of them only where the world is touched. */
  readonly node: 'all' | 'path' | 'none';
}

const low = ['ports', 'text', 'core'];
const middle = [...low, 'tools', 'safety', 'session', 'config', 'providers', 'prompt'];

const rooms: Readonly<Record<string, Room>> = {
  ports: { rooms: [], libraries: [], node: 'none' },
  text: { rooms: [], libraries: ['diff'], node: 'none' },
  core: { rooms: ['ports', 'text'], libraries: [], node: 'none' },
  safety: { rooms: low, libraries: ['minimatch', 'unbash', 'zod'], node: 'path' },
  tools: { rooms: [...low, 'safety'], libraries: ['diff', 'ignore', 'minimatch', 'zod'], node: 'path' },
  session: { rooms: low, libraries: ['zod'], node: 'path' },
  config: { rooms: [...low, 'safety'], libraries: ['zod'], node: 'path' },
  providers: { rooms: low, libraries: ['openai', 'zod'], node: 'none' },
  prompt: { rooms: low, libraries: [], node: 'none' },
  app: { rooms: middle, libraries: ['zod'], node: 'none' },
  adapters: { rooms: [...middle, 'app'], libraries: ['execa', 'ignore', 'minimatch', 'zod'], node: 'all' },
  web: { rooms: [...middle, 'app', 'adapters'], libraries: ['@hono/node-server', 'hono', 'zod'], node: 'all' },
  cli: { rooms: [...middle, 'app', 'adapters', 'web'], libraries: ['zod'], node: 'none' },
  index: { rooms: [...middle, 'app', 'adapters'], libraries: [], node: 'none' },
  'mock-llm-server': { rooms: [], libraries: ['@hono/node-server', 'diff', 'hono', 'yaml', 'zod'], node: 'all' },
};

/** Single files that may do more than their room. */
const exceptions: Readonly<Record<string, { readonly files?: readonly string[]; readonly node?: 'all' }>> = {
  'src/cli/bin.ts': { node: 'all' },
  // Starts the embedded server and reads its scenario files.
  'src/cli/main.ts': {
    node: 'all',
    files: ['load', 'node-scenario-files', 'parse-yaml', 'scenario-set', 'start-server'].map(
      (file) => `mock-llm-server/${file}.ts`,
    ),
  },
};

/** The one door between the two products: what a scenario file looks like. */
const sharedFiles = ['mock-llm-server/scenario.ts'];

/**
 * Checks which way the imports of a set of files point. `files` maps paths relative to the project, with `/`, to their
 * sources. Returns one line per import that the table above does not allow.
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
  if (name === undefined || room === undefined) return 'is in no room of the table in test/support/import-rules.ts';
  if (specifier === undefined) return 'imports a computed name';
  const exception = exceptions[file];
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
    (name !== 'mock-llm-server' && sharedFiles.includes(target)) ||
    exception?.files?.includes(target) === true;
  return allowed ? undefined : notAllowed(name, target);
}

function notAllowed(room: string, what: string): string {
  return `${room} may not import ${what}`;
}

function roomOf(file: string): string | undefined {
  const parts = file.split('/');
  if (parts[0] === 'mock-llm-server') return 'mock-llm-server';
  if (file === 'src/index.ts') return 'index';
  return parts[0] === 'src' && parts.length > 2 ? parts[1] : undefined;
}
