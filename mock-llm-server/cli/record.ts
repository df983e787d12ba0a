import { type RunningRecording, startRecording } from '../record/record-session.ts';
import type { RecordCommand } from './record-arguments.ts';
import { batchLines } from './serve.ts';

/** Delay of the log. */
const LOG_DELAY_MS = 20;

/** Starts a recording for the command. Rejects with an error for the user if it cannot start. */
export async function runRecord(
  { upstreamKeyEnv, ...command }: RecordCommand,
  environment: Readonly<Record<string, string | undefined>>,
  writeLog: (text: string) => void,
): Promise<RunningRecording> {
  const lines = batchLines(writeLog, (flush) => setTimeout(flush, LOG_DELAY_MS));
  process.once('exit', lines.flush);
  const key = upstreamKeyEnv === undefined ? undefined : environment[upstreamKeyEnv];
  if (upstreamKeyEnv !== undefined && !key) {
    throw new Error(`the variable ${upstreamKeyEnv} is not set or empty; set it to the API key for the upstream`);
  }
  return startRecording({ ...command, key, log: lines.add });
}
