import path from 'node:path';
import { FileSystemError, unlessFileError } from '../../agent/errors.ts';
import type { PermissionRule } from '../../agent/ports/approver.ts';
import type { AgentEvent } from '../../agent/ports/events.ts';
import type { PlannedEffect } from '../../agent/ports/tool.ts';
import { type RunObserver, writtenPaths } from '../observe-events.ts';
import { WRITTEN_FILE } from '../schemas.data.ts';
import { WorkspaceFile, type WorkspaceFileOptions } from './workspace-file.ts';

/** Ports and facts of the files that sessions have written. */
export interface WrittenFilesOptions extends Omit<WorkspaceFileOptions, 'directory'> {
  /** The home directory, below which no tool may use the files of ybs. */
  readonly home: string;
  /** True for a rule about a command that runs this file, a real path. */
  readonly runsFile: (rule: PermissionRule, file: string) => boolean;
}

/** The number of files that are kept, the ones written last. */
const MAX_FILES = 2_000;

/**
 * The files that the sessions of a workspace have written, until the user allows a command that runs one: no rule of the
 * configuration may run what an earlier session wrote and nobody has looked at.
 */
export class WrittenFiles {
  readonly #options: WrittenFilesOptions;
  readonly #file;

  constructor(options: WrittenFilesOptions) {
    this.#options = options;
    const directory = path.join(options.home, '.config', 'ybs', 'written');
    this.#file = new WorkspaceFile({ ...options, directory }, WRITTEN_FILE);
  }

  /** Real paths, the one written last at the end. A list that is damaged or cannot be read has none. */
  async load(): Promise<readonly string[]> {
    return (await unlessFileError(this.#file.load()))?.files ?? [];
  }

  /** Adds what the calls of a run write, before they do, and removes what the user lets a command run. */
  observe(): RunObserver {
    const warnings: AgentEvent[] = [];
    const effects = new Map<string, PlannedEffect | undefined>();
    const change = async (work: (files: readonly string[]) => readonly string[]): Promise<void> => {
      try {
        const before = await this.load();
        const after = work(before).slice(-MAX_FILES);
        if (after.join('\0') !== before.join('\0')) await this.#file.save({ files: after });
      } catch (error) {
        if (!(error instanceof FileSystemError)) throw error;
        const message = `Later sessions do not know which files this one has written: ${error.message}.`;
        warnings.push({ type: 'warning', code: 'writes_not_kept', message });
      }
    };
    const start = async (written: readonly string[]): Promise<void> => {
      if (written.length > 0) await change((files) => [...files.filter((file) => !written.includes(file)), ...written]);
    };
    const allow = async ({ command, workingDirectory = this.#options.workspace }: PlannedEffect): Promise<void> => {
      if (command === undefined) return;
      const rule = { type: 'exact_command', command, workingDirectory } as const;
      await change((files) => files.filter((file) => !this.#options.runsFile(rule, file)));
    };
    return {
      before: async (event) => {
        if (event.type === 'tool_call') {
          effects.set(event.call.id, event.effect);
          if (event.permission?.type === 'allow') await start(writtenPaths(event.effect));
        }
        if (event.type !== 'approval_decision') return;
        const effect = effects.get(event.callId);
        if (effect === undefined || (event.decision.type !== 'once' && event.decision.type !== 'session')) return;
        await start(writtenPaths(effect));
        await allow(effect);
      },
      end: async () => warnings.slice(0, 1),
    };
  }
}
