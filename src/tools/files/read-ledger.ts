import { ToolError } from '../../agent/errors.ts';
import type { Digest } from '../../agent/ports/digest.ts';
import type { ToolContext } from '../../agent/ports/tool.ts';
import type { FileContent } from '../../text/bytes/decode.ts';
import { unifiedDiff } from '../../text/diff/unified-diff.ts';
import { runSteps } from '../../text/steps.ts';
import { truncateLines } from '../../text/truncate.ts';

/**
 * The version of a file that this session last read or wrote. `text` is empty for a binary file, and unknown for a file
 * of an earlier process of the session.
 */
export interface KnownFile {
  readonly digest: Digest;
  readonly text: string | undefined;
}

/** The files that this session has read or written, by real path. `/clear` empties it. */
export class ReadLedger {
  readonly #files = new Map<string, KnownFile>();
  readonly #written = new Map<string, number>();
  readonly #own = new Map<string, Digest>();
  readonly #made = new Set<string>();
  /** False: `own` ignores every version that a command makes, earlier and later ones, also after `/clear`. */
  trustsMade = true;
  readonly #received = new Set<string>();
  readonly #countRules: () => number;

  /** `countRules` is the number of rules that the user has added to this session so far. */
  constructor(countRules: () => number = () => 0) {
    this.#countRules = countRules;
  }

  /** The files that this session has written, with the number of rules at that time. */
  get written(): ReadonlyMap<string, number> {
    return this.#written;
  }

  /** Adds files that an earlier conversation or process has written; only rules added later cover commands that run them. */
  recordEarlierWrites(realPaths: Iterable<string>): void {
    for (const realPath of realPaths) this.#written.set(realPath, this.#countRules());
  }

  recordWrite(realPath: string, file: KnownFile): void {
    this.#written.set(realPath, this.#countRules());
    this.record(realPath, file);
  }

  record(realPath: string, file: KnownFile): void {
    this.#files.set(realPath, file);
  }

  /** Records a version of a file with which nothing of the user is lost: git has what was there before this session. */
  recordOwn(realPath: string, digest: Digest): void {
    this.#own.set(realPath, digest);
  }

  /** The last version of a file that is of this session alone. */
  own(realPath: string): Digest | undefined {
    return this.trustsMade || !this.#made.has(realPath) ? this.#own.get(realPath) : undefined;
  }

  /** Records a version as `recordOwn` does, of a file that a command has made. */
  recordMade(realPath: string, digest: Digest): void {
    this.#made.add(realPath);
    this.recordOwn(realPath, digest);
  }

  /** The places to which commands have moved something, or the known starts of their paths. `/clear` keeps them. */
  get received(): ReadonlySet<string> {
    return this.#received;
  }

  recordMoves(paths: readonly string[]): void {
    for (const path of paths) this.#received.add(path);
  }

  get(realPath: string): KnownFile | undefined {
    return this.#files.get(realPath);
  }

  clear(): void {
    this.#files.clear();
    this.#own.clear();
  }
}

const MAX_SHOWN_LINES = 40;

/** Throws `file_changed`, with the changes, if a file differs from the version that this session knows. */
export async function requireUnchangedSinceRead(
  display: string,
  known: KnownFile | undefined,
  found: { readonly digest: Digest; readonly content: FileContent },
  { pause }: ToolContext,
): Promise<void> {
  if (known === undefined || known.digest === found.digest) return;
  const advice = `${display} has changed since you read it. Nothing was written. Read it with read_file, then try again.`;
  if (known.text === undefined) throw new ToolError('file_changed', advice);
  const { hunks } = await runSteps(unifiedDiff(display, known.text, textOf(found.content)), pause);
  const shown = truncateLines(hunks.split('\n'), MAX_SHOWN_LINES).join('\n');
  const changes = hunks === '' ? 'Only bytes that are not part of the text have changed.' : `Changes:\n${shown}`;
  throw new ToolError('file_changed', `${advice} ${changes}`);
}

/** The text of a file for the ledger: empty for a binary file. */
export function textOf(content: FileContent): string {
  return content.type === 'text' ? content.text : '';
}
