import type { Agent } from '../agent.ts';
import { COMMANDS, visibleCommands } from './commands.ts';
import { type Completer, type Completion, NO_COMPLETION } from './completion.ts';

export interface ListedName {
  readonly name: string;
  readonly isDirectory: boolean;
}

/** Sources of completions. Each may reject, and does so soon after `signal` aborts. */
export interface CompletionSources {
  /** The names in a directory, as written: relative to the workspace, absolute, or with `~`. */
  list(directory: string, signal: AbortSignal): Promise<readonly ListedName[]>;
  /** False for a path that a message cannot name. */
  mayAttach(path: string): Promise<boolean>;
  agents(): Promise<readonly string[]>;
  /** The descriptions of all commands of the chat, by their names. */
  commands(): Promise<ReadonlyMap<string, string>>;
  /** The words that may stand in the argument of a command after the words `before`. */
  arguments(command: string, before: readonly string[]): Promise<readonly string[]>;
}

/** The number of completions that are offered. */
const MAX_ITEMS = 100;

/** Reading more names of a directory would take longer than a person waits. */
const MAX_NAMES = 5_000;

/** The number of characters before the cursor that are looked at. A search in a long text would take too long. */
const MAX_BEFORE = 5_000;

const TRIGGERS = ['@file:', '@agent:', '@!'] as const;

/**
 * Completes the text before the cursor of a message: `/command` at its start and its argument, `@file:PATH`,
 * also as `@PATH`, `@agent:NAME`, the triggers themselves, and the paths of a `!command` or `@!command`.
 */
export function createCompleter(sources: CompletionSources): Completer {
  return async (text, cursor, signal) => {
    const before = text.slice(Math.max(0, cursor - MAX_BEFORE), cursor);
    const offer = (typed: string, items: readonly string[], isPartial = false): Completion =>
      items.length === 0
        ? NO_COMPLETION
        : {
            ...{ from: cursor - typed.length, to: cursor, items: items.slice(0, MAX_ITEMS) },
            ...((isPartial || items.length > MAX_ITEMS) && { isPartial: true }),
          };
    const [command] = /^\/[^\s/]*$/u.exec(before) ?? [];
    if (command !== undefined) {
      const descriptions = await sources.commands();
      const names = [...descriptions.keys()].map((name) => `/${name}`);
      const offered = offer(command, startingWith(command, names).toSorted());
      if (offered.items.length === 0) return offered;
      return { ...offered, notes: offered.items.map((item) => descriptions.get(item.slice(1)) ?? '') };
    }
    const [file, quote, path] = /(?<=^|[\s([{])@file:(?:(")((?:[^"\n]|"")*)|([^\s"]*))$/u.exec(before) ?? [];
    if (file !== undefined) {
      const written = path?.replaceAll('""', '"') ?? file.slice('@file:'.length);
      const { paths, isPartial } = await attachable(written, sources, signal);
      const triggers = paths.map((each) => fileTrigger(each, quote !== undefined));
      return offer(file, triggers, isPartial);
    }
    const [agent] = /(?<=^|\s)@agent:\S*$/u.exec(before) ?? [];
    if (agent !== undefined) {
      const names = (await sources.agents()).map((name) => `@agent:${name}`);
      return offer(agent, startingWith(agent, names));
    }
    const [name, argument = '', last = ''] = /^\s*\/([^\s/]+)\s+((?:\S+\s+)*)(\S*)$/u.exec(before)?.slice(1) ?? [];
    if (name !== undefined && !last.startsWith('@')) {
      const choices = await sources.arguments(name.toLowerCase(), argument.split(/\s+/u).slice(0, -1));
      return offer(
        last,
        startingWith(last, choices).filter((choice) => !hasUnusable(choice)),
      );
    }
    const [words, word = ''] = /^\s*(?:!!?|@!)([^\n]*?(?<=[\s!]))([^\s!]*)$/u.exec(before)?.slice(1) ?? [];
    // The first word is the name of a program.
    if (words !== undefined && (word !== '' || words.trim() !== '')) {
      const { paths, isPartial } = await pathsFrom(word.replace(/^["']/, ''), sources, signal);
      return offer(word, paths.map(shellWord), isPartial);
    }
    const [mark, start = ''] = /(?<=^|[\s([{])@([^\s":]*)$/u.exec(before) ?? [];
    if (mark === undefined) return NO_COMPLETION;
    const { paths, isPartial } = start === '' ? NO_PATHS : await attachable(start, sources, signal);
    const triggers = [...startingWith(mark, TRIGGERS), ...paths.map((each) => fileTrigger(each, false))];
    return offer(mark, triggers, isPartial);
  };
}

function startingWith(typed: string, names: readonly string[]): readonly string[] {
  const wanted = typed.toLowerCase();
  return names.filter((name) => name.toLowerCase().startsWith(wanted));
}

/** Paths of a directory. `isPartial`: it may have others. */
interface FoundPaths {
  readonly paths: readonly string[];
  readonly isPartial: boolean;
}

const NO_PATHS: FoundPaths = { paths: [], isPartial: false };

/** The paths that begin as written, as far as they may be attached. */
async function attachable(written: string, sources: CompletionSources, signal: AbortSignal): Promise<FoundPaths> {
  const found = await pathsFrom(written, sources, signal);
  const paths = found.paths.slice(0, MAX_ITEMS);
  const usable = await Promise.all(paths.map((each) => sources.mayAttach(each)));
  return {
    paths: paths.filter((_path, index) => usable[index] === true),
    isPartial: found.isPartial || paths.length < found.paths.length,
  };
}

/** The paths that begin as written, directories with a slash. Hidden names only appear if they are asked for. */
async function pathsFrom(written: string, { list }: CompletionSources, signal: AbortSignal): Promise<FoundPaths> {
  const end = written.lastIndexOf('/') + 1;
  const [directory, start] = [written.slice(0, end), written.slice(end)];
  const names = await list(directory === '' ? '.' : directory, signal);
  const paths = names
    .filter(({ name }) => name.startsWith(start) && !hasUnusable(name) && (start !== '' || !name.startsWith('.')))
    .map(({ name, isDirectory }) => `${directory}${name}${isDirectory ? '/' : ''}`)
    .toSorted();
  return { paths, isPartial: names.length >= MAX_NAMES };
}

/** True for a name that cannot stand in a line: with control characters. */
function hasUnusable(name: string): boolean {
  return /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name);
}

/** A path in quotes has its own doubled. The quotes of a directory stay open, because more of the path follows. */
function fileTrigger(path: string, isQuoted: boolean): string {
  const needsQuotes = isQuoted || /[\s"]|[.,;:!?)\]}>'`]$/u.test(path);
  if (!needsQuotes) return `@file:${path}`;
  return `@file:"${path.replaceAll('"', '""')}${path.endsWith('/') ? '' : '"'}`;
}

/** A path as one word of a POSIX shell. */
function shellWord(path: string): string {
  return path.replaceAll(/[^\w./~@%+=:,\u0080-\u{10ffff}-]/gu, '\\$&');
}

/** The completer of a chat, whose agent may not exist yet. */
export function completerOf(agent: () => Promise<Agent>): Completer {
  return createCompleter({
    async list(directory) {
      const entries = await (await agent()).listNames(directory, MAX_NAMES);
      return entries.map(({ name, kind }) => ({ name, isDirectory: kind === 'directory' }));
    },
    mayAttach: async (path) => (await agent()).mayAttach(path),
    agents: async () => (await (await agent()).extensions()).agents.map(({ name }) => name),
    async commands() {
      const { commands } = await (await agent()).extensions();
      const all = [...COMMANDS, ...visibleCommands(commands)];
      return new Map(all.map(({ name, description = '' }) => [name, description]));
    },
    async arguments(command, before) {
      const own = COMMANDS.find(({ name }) => name === command);
      if (own !== undefined) return own.complete?.(await agent(), before) ?? [];
      const { commands } = await (await agent()).extensions();
      return commands.find(({ name }) => name.toLowerCase() === command)?.complete?.(before) ?? [];
    },
  });
}
