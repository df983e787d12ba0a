import type { Digest } from '../../agent/ports/digest.ts';
import type { Tool } from '../../agent/ports/tool.ts';
import type { ExternalToolEntry } from './definition.ts';

/** The external tools that the configuration names. */
export interface ExternalToolSettings {
  readonly entries: readonly ExternalToolEntry[];
  /** The entries of a file of the project, which may only name programs of the project. */
  readonly projectEntries: readonly ExternalToolEntry[];
  /** The digests of the programs of the project that the user trusts, by absolute path. */
  readonly trustedPrograms: ReadonlyMap<string, Digest>;
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
      /** True if the user gets a warning, because the tool was meant to work. */
      readonly isProblem: boolean;
    }
);

/** An external tool that cannot be used. */
export type UnavailableTool = Extract<ExternalToolState, { readonly type: 'unavailable' }>;

export interface ExternalTools {
  readonly tools: readonly Tool[];
  readonly states: readonly ExternalToolState[];
}

export interface Discovery {
  readonly settings: ExternalToolSettings;
  /** Names of tools besides those of ybs, which an external tool may not have either. */
  readonly otherNames: readonly string[];
  /** The reason why no program may be started, not even for its schema; `undefined` if it may. */
  readonly startsNothing: string | undefined;
  /** Ends the programs that are asked for their schemas; their tools are then unavailable. */
  readonly signal: AbortSignal;
}

/** A directory of the search paths, with the names of the files and links in it. */
export interface SearchedDirectory {
  readonly path: string;
  readonly files: readonly string[];
}
