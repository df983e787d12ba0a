import path from 'node:path';
import { FileSystemError } from '../../agent/errors.ts';
import type { PermissionRule } from '../../agent/ports/approver.ts';
import type { ComputeDigest } from '../../agent/ports/digest.ts';
import type { FileSystem } from '../../agent/ports/file-system.ts';
import { conforms } from '../../schema/conforms.ts';
import { APPROVALS_FILE } from './approvals-file.data.ts';

/** Ports and facts of a store. */
export interface ApprovalStoreOptions {
  readonly fileSystem: FileSystem;
  readonly digest: ComputeDigest;
  /** The directory of the files of all workspaces, which no tool may use. */
  readonly directory: string;
  /** Real path. */
  readonly workspace: string;
  /** True for a rule that may be kept: never one for guarded or sensitive files. */
  readonly mayKeep: (rule: PermissionRule) => boolean;
  /** True for a rule about a command that runs this file, a real path. */
  readonly runsFile: (rule: PermissionRule, file: string) => boolean;
}

const MAX_BYTES = 1024 * 1024;
const OWNER_ONLY = 0o600;
const WRITABLE_BY_OTHERS = 0o022;

/** The approvals that are kept for a workspace across sessions, in a file that only its owner may read. */
export class ApprovalStore {
  readonly #options: ApprovalStoreOptions;
  readonly #name: string;

  constructor(options: ApprovalStoreOptions) {
    this.#options = options;
    this.#name = `${options.digest(new TextEncoder().encode(options.workspace))}.json`;
  }

  /** The rules that are kept. A file that is damaged, or that others may change, has none. Throws `FileSystemError`. */
  async load(): Promise<readonly PermissionRule[]> {
    const { fileSystem, directory, workspace, mayKeep } = this.#options;
    try {
      const { bytes, mode, protection } = await fileSystem.readFile(path.join(directory, this.#name), MAX_BYTES);
      const isForeign = protection === 'other_owner' || (path.sep === '/' && (mode & WRITABLE_BY_OTHERS) !== 0);
      const content: unknown = isForeign ? undefined : parse(new TextDecoder().decode(bytes));
      if (!conforms(content, APPROVALS_FILE) || content.workspace !== workspace) return [];
      return content.rules.filter(mayKeep);
    } catch (error) {
      if (error instanceof FileSystemError && error.code === 'not_found') return [];
      throw error;
    }
  }

  /** Keeps one more rule, if it may be kept. Throws `FileSystemError`. */
  async add(rule: PermissionRule): Promise<void> {
    if (!this.#options.mayKeep(rule)) return;
    const kept = await this.load();
    if (!kept.some((other) => isSameRule(other, rule))) await this.#save([...kept, rule]);
  }

  /** Removes these rules. Throws `FileSystemError`. */
  async remove(rules: readonly PermissionRule[]): Promise<void> {
    const kept = await this.load();
    const left = kept.filter((rule) => !rules.some((other) => isSameRule(other, rule)));
    if (left.length < kept.length) await this.#save(left);
  }

  /** Removes the rules about commands that run one of these files. Throws `FileSystemError`. */
  async removeThoseThatRun(files: readonly string[]): Promise<void> {
    const { runsFile } = this.#options;
    await this.remove((await this.load()).filter((rule) => files.some((file) => runsFile(rule, file))));
  }

  async #save(rules: readonly PermissionRule[]): Promise<void> {
    const { fileSystem, directory, workspace } = this.#options;
    await fileSystem.createDirectory(directory, 'owner');
    const bytes = new TextEncoder().encode(`${JSON.stringify({ version: 1, workspace, rules }, null, 2)}\n`);
    await fileSystem.replaceFile(await fileSystem.realPath(directory), this.#name, bytes, OWNER_ONLY);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isSameRule(one: PermissionRule, other: PermissionRule): boolean {
  return JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort());
}
