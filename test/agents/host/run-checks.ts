import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startMockLlm } from '../../../mock-llm-server/testing.ts';
import { messageOf } from '../../../src/core/errors.ts';
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

/** Runs checks with the SDK in `directory` as the host of `command`, over a mock model. */
export async function runChecks(
  checks: readonly HostCheck[],
  directory: string,
  command: string,
): Promise<readonly CheckResult[]> {
  const sdk = await loadSdk(directory);
  await using server = await startMockLlm({ scenarios: HOST_SCENARIOS });
  const results: CheckResult[] = [];
  for (const { name, check } of checks) {
    const home = await mkdtemp(path.join(os.tmpdir(), 'ybs-host-'));
    const workspace = path.join(home, 'project');
    await mkdir(workspace);
    let stderr = '';
    const env = { PATH: process.env['PATH'], HOME: home, ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'sk-test' };
    const run: CheckHost['run'] = async (prompt, options = {}, follow) => {
      const messages: SdkMessage[] = [];
      const stop = new AbortController();
      const timer = setTimeout(() => stop.abort(), HANGS_MS);
      const base = {
        ...{ pathToClaudeCodeExecutable: command, cwd: workspace, env, settingSources: [], abortController: stop },
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
      results.push({ name, failure: undefined });
    } catch (error) {
      results.push({ name, failure: `${messageOf(error)}${stderr === '' ? '' : `\nstandard error:\n${stderr}`}` });
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  }
  return results;
}
