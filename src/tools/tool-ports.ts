import type { Clock } from '../ports/clock.ts';
import type { ComputeDigest } from '../ports/digest.ts';
import type { FileSystem } from '../ports/file-system.ts';
import type { Shell } from '../ports/shell.ts';
import type { TextSearch } from '../ports/text-search.ts';
import type { PathRules } from '../safety/paths/path-policy.ts';
import type { ReadLedger } from './files/read-ledger.ts';

/** What the tools of one session are built from. Each tool's factory takes the part it needs. */
export interface ToolPorts {
  readonly fileSystem: FileSystem;
  readonly shell: Shell;
  readonly textSearch: TextSearch;
  readonly clock: Clock;
  readonly digest: ComputeDigest;
  readonly pathRules: PathRules;
  /** Which files this session has read, and what was in them. */
  readonly ledger: ReadLedger;
  /** Absolute path of this session's own directory for full command logs; need not exist yet. */
  readonly outputDirectory: string;
  /** The environment that commands start from, provider keys already removed. */
  readonly environment: Readonly<Record<string, string>>;
  /** How much of a command's output the model is shown, in characters. */
  readonly maxOutputChars: number;
}
