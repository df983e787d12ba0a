import type { FileSystem } from '../../../src/agent/ports/file-system.ts';
import type { PathRules } from '../../../src/policy/paths/path-policy.ts';
import type { TextSearch } from '../../../src/tools/search/text-search.ts';
import { createInProcessTextSearch, type InProcessOptions } from '../fakes/in-process-text-search.ts';
import { createMemoryFileSystem } from '../fakes/memory-file-system.ts';

/** The ports of the search tools. */
export interface SearchPorts {
  readonly fileSystem: FileSystem;
  readonly textSearch: TextSearch;
  readonly pathRules: PathRules;
}

/** Path rules of the workspace `/work` without blocked paths. */
export function workspaceRules(rules: Partial<PathRules> = {}): PathRules {
  return {
    workspace: '/work',
    allowedRoots: ['/work'],
    readOnlyRoots: [],
    blockedPaths: [],
    platform: 'posix',
    ...rules,
  };
}

/** Ports of the search tools over these files. */
export function portsOf(files: Record<string, string | Uint8Array>, more: Partial<SearchPorts> = {}): SearchPorts {
  return portsOver(createMemoryFileSystem(files), more);
}

/** Ports over a volume; `search` changes the search in it. */
export function portsOver(
  { fileSystem, volume }: ReturnType<typeof createMemoryFileSystem>,
  more: Partial<SearchPorts> = {},
  search: InProcessOptions = {},
): SearchPorts {
  return {
    fileSystem,
    textSearch: createInProcessTextSearch({ volume, ...search }),
    pathRules: workspaceRules(),
    ...more,
  };
}

/** Files of the workspace by absolute path, from their relative paths. */
export function inWorkspace<Content>(files: Readonly<Record<string, Content>>): Record<string, Content> {
  return Object.fromEntries(Object.entries(files).map(([path, content]) => [`/work/${path}`, content]));
}
