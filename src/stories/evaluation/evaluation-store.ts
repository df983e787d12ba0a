import type * as z from 'zod';
import { FileSystemError } from '../../agent/errors.ts';
import type { FileSystem } from '../../agent/ports/file-system.ts';
import { type Answer, AnswerSchema } from './remember-answers.ts';
import { type RunResult, RunResultSchema } from './report/report-format.ts';

/** Answers of models, and the runs of evaluations that were interrupted. Only their owner may read them. */
export interface EvaluationStore {
  /** Creates the directories. Throws `FileSystemError`. */
  prepare(): Promise<void>;
  readAnswer(key: string): Promise<Answer | undefined>;
  writeAnswer(key: string, answer: Answer): Promise<void>;
  readRun(key: string): Promise<RunResult | undefined>;
  writeRun(key: string, result: RunResult): Promise<void>;
  removeRun(key: string): Promise<void>;
  /** Removes entries that were stored before this time. */
  removeOld(beforeMs: number): Promise<void>;
}

/** Largest file that is read; answers are shorter than that. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * The store in a directory. Files are written whole or not at all, and one that cannot be read counts as missing, so
 * that a damaged one costs no more than its answer.
 */
export function createEvaluationStore(
  directory: string,
  join: (...parts: readonly string[]) => string,
  fileSystem: FileSystem,
): EvaluationStore {
  const places = { answers: join(directory, 'answers'), runs: join(directory, 'runs') };
  const real = new Map<string, Promise<string>>();
  const open = async (place: string): Promise<string> => {
    await fileSystem.createDirectory(place, 'owner');
    return fileSystem.realPath(place);
  };
  const read = async <Value>(place: string, key: string, schema: z.ZodType<Value>): Promise<Value | undefined> => {
    try {
      const { bytes } = await fileSystem.readFile(join(place, `${key}.json`), MAX_BYTES);
      return schema.parse(JSON.parse(new TextDecoder().decode(bytes)));
    } catch {
      return undefined;
    }
  };
  const write = async (place: string, key: string, value: unknown): Promise<void> => {
    const opened = real.get(place) ?? open(place);
    real.set(place, opened);
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    await fileSystem.replaceFile(await opened, `${key}.json`, bytes, 0o600);
  };
  return {
    async prepare() {
      for (const place of Object.values(places)) await open(place);
    },
    readAnswer: (key) => read(places.answers, key, AnswerSchema),
    writeAnswer: (key, answer) => write(places.answers, key, answer),
    readRun: (key) => read(places.runs, key, RunResultSchema),
    writeRun: (key, result) => write(places.runs, key, result),
    removeRun: (key) => fileSystem.removeFile(join(places.runs, `${key}.json`)),
    async removeOld(beforeMs) {
      for (const place of Object.values(places)) {
        const entries = await fileSystem.list(place).catch((error: unknown) => {
          if (error instanceof FileSystemError) return [];
          throw error;
        });
        for (const { name } of entries) {
          const file = join(place, name);
          const { modifiedMs } = await fileSystem.stat(file);
          if (modifiedMs < beforeMs) await fileSystem.removeFile(file);
        }
      }
    },
  };
}
