import { FileSystemError } from '../agent/errors.ts';
import type { ComputeDigest } from '../agent/ports/digest.ts';
import type { FileSystem } from '../agent/ports/file-system.ts';
import { buildPathRules } from '../policy/paths/build-path-rules.ts';
import type { PathPlatform, PathRules } from '../policy/paths/path-policy.ts';
import { expandPath } from '../policy/paths/written-path.ts';
import type {
  Discovery,
  ExternalToolSettings,
  ExternalToolState,
  ExternalTools,
  SearchedDirectory,
  UnavailableTool,
} from './external-tool/discovery.ts';
import type { ExternalToolPorts } from './external-tool/external-tool.ts';

export const NO_EXTERNAL_TOOLS: ExternalToolSettings = {
  ...{ entries: [], projectEntries: [], searchPaths: [], trustedPrograms: new Map() },
};

/**
 * Finds the external tools: those of the configuration, then the executables of the search paths in order. Runs them
 * for their schemas where no file has it. Never throws for a bad tool.
 */
export async function findExternalTools(discovery: Discovery, ports: ExternalToolPorts): Promise<ExternalTools> {
  const { entries, projectEntries, searchPaths } = discovery.settings;
  const listed = await Promise.all(
    searchPaths.map((written) => listDirectory(expandPath(written, ports.pathRules), ports)),
  );
  const directories = listed.flatMap((each) => ('files' in each && each.files.length > 0 ? [each] : []));
  const unreadable = listed.flatMap((each) => ('files' in each ? [] : [each]));
  if (entries.length + projectEntries.length + directories.length === 0) return { tools: [], states: unreadable };
  // Loaded on demand, because most sessions have no external tools.
  const { loadTools } = await import('./external-tool/load-tools.ts');
  const { tools, states } = await loadTools(discovery, directories, ports);
  return { tools, states: [...states, ...unreadable] };
}

export interface InspectedMachine {
  readonly fileSystem: FileSystem;
  readonly platform: PathPlatform;
  readonly home: string;
  /** Absolute path. */
  readonly workspace: string;
}

/** The rules that decide whether ybs may start a program, for work outside a session. */
export async function programRules({ fileSystem, platform, home, workspace }: InspectedMachine): Promise<PathRules> {
  const realPathOf = (path: string): Promise<string> => fileSystem.realPath(path).catch(() => path);
  return buildPathRules(
    {
      workspace: await realPathOf(workspace),
      home: await realPathOf(home),
      platform,
      allowedPaths: ['.'],
      blockedPaths: [],
      readOnlyRoots: [],
      ownDirectories: ['~/.config/ybs'],
    },
    realPathOf,
  );
}

/** The tools of the configuration whose programs cannot be used; see `unusableEntries`. */
export async function findUnusableEntries(
  settings: Pick<ExternalToolSettings, 'entries' | 'projectEntries' | 'trustedPrograms'>,
  machine: InspectedMachine & { readonly digest: ComputeDigest },
): Promise<readonly UnavailableTool[]> {
  if (settings.entries.length + settings.projectEntries.length === 0) return [];
  const { unusableEntries } = await import('./external-tool/load-tools.ts');
  return unusableEntries(settings, { ...machine, pathRules: await programRules(machine) });
}

/** Warnings about tools that were meant to work, one line each, for the user. */
export function externalToolWarnings(states: readonly ExternalToolState[]): readonly string[] {
  return states.flatMap((state) => {
    if (state.type === 'available' || !state.isProblem) return [];
    if (state.name === DIRECTORY) return [`The tools in ${state.path} are not available: ${state.reason}.`];
    return [`The tool ${state.name} (${state.path}) is not available: ${state.reason}.`];
  });
}

/** A placeholder for the name of a tool if a whole directory cannot be read. No tool can have this name. */
const DIRECTORY = '(directory)';

/** Lists a directory, which need not exist. */
async function listDirectory(
  path: string,
  { fileSystem }: ExternalToolPorts,
): Promise<SearchedDirectory | UnavailableTool> {
  try {
    const entries = await fileSystem.list(path);
    const files = entries.filter(({ name, kind }) => (kind === 'file' || kind === 'link') && !name.startsWith('.'));
    return { path, files: files.map(({ name }) => name) };
  } catch (error) {
    if (!(error instanceof FileSystemError)) throw error;
    if (error.code === 'not_found' || error.code === 'not_a_directory') return { path, files: [] };
    const reason = `the directory cannot be read: ${error.reason}`;
    return { type: 'unavailable', name: DIRECTORY, path, reason, isProblem: true };
  }
}
