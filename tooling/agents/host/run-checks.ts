import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startMockLlm } from '../../../mock-llm-server/testing.ts';
import { messageOf } from '../../../src/agent/errors.ts';
import { readTranscript, transcriptText } from '../../../test/support/hosts/host-transcript.ts';
import type { CheckHost, HostCheck } from './checks.ts';
import { HOST_SCENARIOS } from './scenarios.ts';
import { loadSdk, type SdkMessage } from './sdk.ts';

/** Time after which a check hangs. */
const HANGS_MS = 30_000;

/** Result of a check: the reason of its failure, with what ybs wrote on standard error. */
export interface CheckResult {
  readonly name: string;
  readonly failure: string | undefined;
}

/** The program that records the conversation of a host with ybs. */
const RECORDER = path.join(import.meta.dirname, 'record-host.mjs');

/**
 * Runs checks with the SDK in `directory` as the host of `command`, over a mock model. With `transcripts`, the
 * conversations of the checks that pass are written to this directory.
 */
export async function runChecks(
  checks: readonly HostCheck[],
  directory: string,
  command: string,
  transcripts?: string,
): Promise<readonly CheckResult[]> {
  const sdk = await loadSdk(directory);
  await using server = await startMockLlm({ scenarios: HOST_SCENARIOS });
  const results: CheckResult[] = [];
  for (const { name, check, transcript } of checks) {
    const home = await mkdtemp(path.join(os.tmpdir(), 'ybs-host-'));
    const workspace = path.join(home, 'project');
    await mkdir(workspace);
    let stderr = '';
    const env = { PATH: process.env['PATH'], HOME: home, ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'sk-test' };
    const raw = path.join(home, 'transcript.jsonl');
    const kept = transcripts === undefined || transcript === undefined ? undefined : `${transcript}.jsonl`;
    const run: CheckHost['run'] = async (prompt, options = {}, follow) => {
      const records = kept !== undefined && !existsSync(raw);
      const recording = { YBS_RECORDED: command, YBS_TRANSCRIPT: raw };
      const messages: SdkMessage[] = [];
      const stop = new AbortController();
      const timer = setTimeout(() => stop.abort(), HANGS_MS);
      const base = {
        ...{ cwd: workspace, settingSources: [], abortController: stop },
        pathToClaudeCodeExecutable: records ? RECORDER : command,
        env: { ...env, ...(records && recording) },
        stderr: (text: string) => {
          stderr += text;
        },
      };
      const query = sdk.query({ prompt, options: { ...base, ...options } });
      try {
        for await (const message of query) {
          messages.push(message);
          await follow?.(message, query);
        }
        return { messages, error: undefined };
      } catch (error) {
        return { messages, error: messageOf(error) };
      } finally {
        clearTimeout(timer);
      }
    };
    try {
      await check({ sdk, workspace, run });
      if (transcripts !== undefined && kept !== undefined) {
        await writeFile(path.join(transcripts, kept), transcriptText(readTranscript(raw)));
      }
      results.push({ name, failure: undefined });
    } catch (error) {
      results.push({ name, failure: `${messageOf(error)}${stderr === '' ? '' : `\nstandard error:\n${stderr}`}` });
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  }
  return results;
}
