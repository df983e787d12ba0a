import { FileSystemError } from '../core/errors.ts';
import type { Tool } from '../ports/tool.ts';
import { expandPath } from '../safety/paths/written-path.ts';
import type { ExternalToolEntry } from './external-tool/definition.ts';
import type { ExternalToolPorts } from './external-tool/external-tool.ts';

/** The external tools that the configuration names. */
export interface ExternalToolSettings {
  readonly entries: readonly ExternalToolEntry[];
  /** The entries of a file of the project, whose programs are never started. */
  readonly projectEntries: readonly ExternalToolEntry[];
  /** Directories with executables, in order: absolute, relative to the workspace, or with `~`. */
  readonly searchPaths: readonly string[];
}

/** An external tool that was found: offered to the model, or not, with the reason. */
export type ExternalToolState = {
  readonly name: string;
  /** Path for people. */
  readonly path: string;
} & (
  | { readonly type: 'available'; readonly description: string }
  | {
      readonly type: 'unavailable';
      readonly reason: string;
      /** True if the user should hear of it without asking: the tool was meant to work. */
      readonly isProblem: boolean;
    }
);

/** The external tools of a conversation. */
export interface ExternalTools {
  readonly tools: readonly Tool[];
  readonly states: readonly ExternalToolState[];
}

/** Settings of one discovery. */
export interface Discovery {
  readonly settings: ExternalToolSettings;
  /** Names of tools besides those of ybs, which an external tool may not have either. */
  readonly otherNames: readonly string[];
  /** Why no program may be started, not even for its schema; `undefined` if it may. */
  readonly startsNothing: string | undefined;
}

/** A directory of the search paths, with the names of the files and links in it. */
export interface SearchedDirectory {
  readonly path: string;
  readonly files: readonly string[];
}

/** Settings without external tools. */
export const NO_EXTERNAL_TOOLS: ExternalToolSettings = { entries: [], projectEntries: [], searchPaths: [] };

/**
 * Finds the external tools: those of the configuration, then the executables of the search paths in order. Runs them
 * for their schemas where no file has it. Never throws for a bad tool.
 */
export async function findExternalTools(discovery: Discovery, ports: ExternalToolPorts): Promise<ExternalTools> {
  const { entries, projectEntries, searchPaths } = discovery.settings;
  const listed = await Promise.all(
    searchPaths.map((written) => listDirectory(expandPath(written, ports.pathRules), ports)),
  );
  const directories = listed.filter(({ files }) => files.length > 0);
  if (entries.length + projectEntries.length + directories.length === 0) return { tools: [], states: [] };
  // Loaded on demand, because most sessions have no external tools.
  const { loadTools } = await import('./external-tool/load-tools.ts');
  return loadTools(discovery, directories, ports);
}

/** Warnings about tools that were meant to work, one line each, for the user. */
export function externalToolWarnings(states: readonly ExternalToolState[]): readonly string[] {
  return states.flatMap((state) => {
    if (state.type === 'available' || !state.isProblem) return [];
    return [`The tool ${state.name} (${state.path}) is not available: ${state.reason}.`];
  });
}

async function listDirectory(path: string, { fileSystem }: ExternalToolPorts): Promise<SearchedDirectory> {
  try {
    const entries = await fileSystem.list(path);
    const files = entries.filter(({ name, kind }) => (kind === 'file' || kind === 'link') && !name.startsWith('.'));
    return { path, files: files.map(({ name }) => name) };
  } catch (error) {
    if (error instanceof FileSystemError) return { path, files: [] };
    throw error;
  }
}
