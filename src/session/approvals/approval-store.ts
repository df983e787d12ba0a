import type { PermissionRule } from '../../agent/ports/approver.ts';
import { APPROVALS_FILE } from '../schemas.data.ts';
import { isOwn, WorkspaceFile, type WorkspaceFileOptions } from './workspace-file.ts';

/** Ports and facts of a store. */
export interface ApprovalStoreOptions extends WorkspaceFileOptions {
  /** True for a rule that may be kept: never one for guarded or sensitive files. */
  readonly mayKeep: (rule: PermissionRule) => boolean;
  /** True for a rule about a command that runs this file, a real path. */
  readonly runsFile: (rule: PermissionRule, file: string) => boolean;
}

/** The approvals that are kept for a workspace across sessions, in a file that only its owner may read. */
export class ApprovalStore {
  readonly #options: ApprovalStoreOptions;
  readonly #file;

  constructor(options: ApprovalStoreOptions) {
    this.#options = options;
    this.#file = new WorkspaceFile(options, APPROVALS_FILE);
  }

  /** The rules that are kept. A file that is damaged, or that others may change, has none. Throws `FileSystemError`. */
  async load(): Promise<readonly PermissionRule[]> {
    const rules = (await this.#file.load(isOwn))?.rules ?? [];
    return rules.filter(this.#options.mayKeep);
  }

  /** Keeps one more rule; false if it may not be kept. Throws `FileSystemError`. */
  async add(rule: PermissionRule): Promise<boolean> {
    if (!this.#options.mayKeep(rule)) return false;
    const kept = await this.load();
    if (!kept.some((other) => isSameRule(other, rule))) await this.#file.save({ rules: [...kept, rule] });
    return true;
  }

  /** Removes these rules. Throws `FileSystemError`. */
  async remove(rules: readonly PermissionRule[]): Promise<void> {
    const kept = await this.load();
    const left = kept.filter((rule) => !rules.some((other) => isSameRule(other, rule)));
    if (left.length < kept.length) await this.#file.save({ rules: left });
  }

  /** Removes the rules about commands that run one of these files. Throws `FileSystemError`. */
  async removeThoseThatRun(files: readonly string[]): Promise<void> {
    const { runsFile } = this.#options;
    await this.remove((await this.load()).filter((rule) => files.some((file) => runsFile(rule, file))));
  }
}

function isSameRule(one: PermissionRule, other: PermissionRule): boolean {
  return JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort());
}
