import { chmodSync, existsSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { findNetworkNamespace } from '../../src/adapters/network-namespace.ts';
import { AGENT_NAMES } from '../../src/stories/agents/agent-setup.ts';
import { type BinResult, runBin } from '../support/run-bin.ts';
import { temporaryDirectory, writeFiles } from '../support/temporary-directory.ts';

const SAMPLE = path.join(import.meta.dirname, '../support/sample-agent.mjs');
const COMMAND = `"${process.execPath}" "${SAMPLE}" {prompt}`;

/** Writes a story whose model reads `in.txt` and writes `out.txt`. */
function writeStory(directory: string, name: string, story: object = {}, expected = 'written\n'): void {
  const steps = [
    { intent: 'read_file', path: 'in.txt' },
    { intent: 'write_file', path: 'out.txt', content: 'written\n' },
    { response: { content: 'Done.' } },
  ];
  const content = {
    scenarios: [{ name, trigger: 'copy "it"', steps }],
    story: { prompts: [`Please copy "it" for $HOME & {prompt} now.`], ...story },
  };
  writeFiles(path.join(directory, name), {
    'scenario.json': JSON.stringify(content),
    'workspace/in.txt': 'a secret of the file\n',
    'expected/in.txt': 'a secret of the file\n',
    'expected/out.txt': expected,
  });
}

/** Plays `one` in a new directory with the sample agent and one of its mistakes. */
async function play(mistake: string, story?: object, expected?: string): Promise<BinResult> {
  const directory = temporaryDirectory();
  writeStory(directory, 'one', story, expected);
  const command = COMMAND.replace('{prompt}', `${mistake} {prompt}`);
  return removeKept(await runBin(['test', '--agent', command, 'one'], { directory }));
}

function removeKept(result: BinResult): BinResult {
  const kept = /the files are kept in (.*)/.exec(result.stdout)?.[1];
  if (kept !== undefined) onTestFinished(() => rm(kept, { recursive: true, force: true }));
  return result;
}

describe('ybs test --agent', () => {
  it('passes a story that another agent plays well, and finds its tool results', async () => {
    const directory = temporaryDirectory();
    writeStory(directory, 'one', { expected_result_contains: ['a secret of the file'] });
    const { code, stdout, stderr } = await runBin(['test', '--agent', COMMAND, 'one'], { directory });
    expect(stdout).toMatch(
      /^(! the agent can reach other hosts: .*\n)?passed one \(\d+\.\d s\)\n1 passed, 0 failed\n$/,
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('finds a script of the current directory, although the agent runs in the workspace', async () => {
    const directory = temporaryDirectory();
    writeStory(directory, 'one');
    writeFiles(directory, { 'src/my-agent.mjs': `await import(${JSON.stringify(SAMPLE)});\n` });
    const { code, stdout } = await runBin(['test', '--agent', 'node src/my-agent.mjs {prompt}', 'one'], { directory });
    expect(stdout).toMatch(/\n?1 passed, 0 failed\n$/);
    expect(code).toBe(0);
  });

  it.each([
    ['sends no request', '--silent', [/^ {2}the agent sent no request to the model$/m, /out\.txt is missing/]],
    ['ends early', '--early', [/^ {2}the agent ended after step 0 of the scenario "one", whose last step is 2;/m]],
    [
      'ends with another exit code',
      '--crash',
      [/^ {2}expected the outcome done, got failed: the exit code is 7$/m, /stderr:\n {2}the agent broke\n/],
    ],
  ])('fails a story whose agent %s', async (_name, mistake, messages) => {
    const { code, stdout } = await play(mistake);
    for (const message of messages) expect(stdout).toMatch(message);
    expect(stdout).toMatch(/\n0 passed, 1 failed\n$/);
    expect(code).toBe(1);
  });

  it('fails a story whose files or tool results differ', async () => {
    const files = await play('', {}, 'other\n');
    expect(files.stdout).toContain('out.txt differs (- expected, + found):\n');
    expect(files.code).toBe(1);
    const results = await play('', { expected_result_contains: ['something else'] });
    expect(results.stdout).toContain('no tool result contains "something else"');
    expect(results.code).toBe(1);
  });

  it('fails a story whose request no scenario answers, and says why', async () => {
    const { code, stdout } = await play('', { prompts: ['Do something else.'] });
    expect(stdout).toContain('POST /v1/chat/completions was answered 400: ');
    expect(stdout).toContain('No trigger is similar; the first of 1 is');
    expect(code).toBe(1);
  });

  it('passes a story that expects the agent to fail', async () => {
    const { code, stdout } = await play('--crash', { expected_outcome: 'failed' });
    expect(stdout).toMatch(/1 passed, 0 failed\n$/);
    expect(code).toBe(0);
  });

  it('gives the prompt as one argument, a home of its own, all base URLs and no key of the user', async () => {
    const directory = temporaryDirectory();
    writeStory(directory, 'one');
    const hidden = { MY_TOKEN: 'real', HTTPS_PROXY: 'http://proxy', INIT_CWD: directory, ANTHROPIC_AUTH_TOKEN: 'real' };
    const environment = { ...hidden, OPENAI_API_KEY: 'real', MY_SETTING: 'kept' };
    const command = COMMAND.replace('{prompt}', '--environment prefix={prompt}');
    const result = await runBin(['test', '--agent', command, 'one'], { directory, environment });
    const [kept = ''] = /(?<=the files are kept in ).*/.exec(removeKept(result).stdout) ?? [];
    expect(readdirSync(kept).toSorted()).toEqual(['environment.json', 'in.txt', 'out.txt']);
    const text = await import(path.join(kept, 'environment.json'), { with: { type: 'json' } });
    const seen = z.record(z.string(), z.string()).parse(text.default);
    const base = seen['ANTHROPIC_BASE_URL'];
    expect(base).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(seen).toMatchObject({
      prompt: 'prefix=Please copy "it" for $HOME & {prompt} now.',
      OPENAI_BASE_URL: `${base}/v1`,
      OPENAI_API_KEY: 'unused',
      ANTHROPIC_API_KEY: 'unused',
      GOOGLE_GEMINI_BASE_URL: base,
      GEMINI_API_KEY: 'unused',
      OLLAMA_HOST: base,
      PWD: kept,
      MY_SETTING: 'kept',
    });
    expect(Object.keys(hidden).filter((name) => name in seen)).toEqual([]);
    expect(existsSync(seen['HOME'] ?? directory)).toBe(false);
  });

  it('keeps the agent from other hosts, or says why it cannot', async () => {
    const [{ code, stdout }, namespace] = await Promise.all([
      play('--outside'),
      findNetworkNamespace(process.platform),
    ]);
    if (namespace.type === 'namespace') expect(stdout).toContain('ENETUNREACH');
    else expect(stdout).toContain('! the agent can reach other hosts: ');
    expect(code).toBe(1);
  });

  it('skips stories that only ybs can play, says why, and fails when nothing was played', async () => {
    const directory = temporaryDirectory();
    writeStory(directory, 'approved', { approvals: ['once'] });
    writeStory(directory, 'chat', { prompts: ['Copy "it".', 'Again.'] });
    writeStory(directory, 'played');
    const all = await runBin(['test', '--agent', COMMAND, 'approved', 'chat', 'played'], { directory });
    expect(all.stdout).toMatch(
      /skipped approved: it has approvals, .*\nskipped chat: it has 2 prompts, .*\npassed played .*\n2 skipped, 1 passed, 0 failed\n$/,
    );
    expect(all.code).toBe(0);
    const none = await runBin(['test', '--agent', COMMAND, 'approved'], { directory });
    expect(none.stdout).toMatch(/\n1 skipped, 0 passed, 0 failed\n$/);
    expect(none.code).toBe(1);
  });

  it('prepares a known agent from its name: home, configuration and arguments', async () => {
    const directory = temporaryDirectory();
    writeStory(directory, 'one');
    // Stands for the agent of this name: it reads the address from the configuration file that Pi has.
    const stub = [
      `#!${process.execPath}`,
      "const fs = require('node:fs');",
      "const models = JSON.parse(fs.readFileSync(process.env.HOME + '/.pi/agent/models.json', 'utf8'));",
      "if (process.env.ANTHROPIC_BASE_URL !== undefined || process.env.PI_OFFLINE !== '1') process.exit(9);",
      'process.env.OPENAI_BASE_URL = models.providers.mock.baseUrl;',
      `import(${JSON.stringify(SAMPLE)});`,
    ];
    writeFiles(directory, { 'bin/pi': stub.join('\n') });
    chmodSync(path.join(directory, 'bin/pi'), 0o755);
    const environment = { PATH: `${directory}/bin:${process.env['PATH']}` };
    const { code, stdout } = await runBin(['test', '--agent', 'pi', 'one'], { directory, environment });
    expect(stdout).toMatch(/1 passed, 0 failed\n$/);
    expect(code).toBe(0);
  });

  it.each([
    ['a command without a place for the prompt', 'claud', /Did you mean claude\? .*\{prompt\}/],
    ['a quote that is not closed', "x '{prompt}", /the quote ' is not closed/],
  ])('refuses %s with exit code 2', async (_name, command, message) => {
    const directory = temporaryDirectory();
    writeStory(directory, 'one');
    const { code, stdout, stderr } = await runBin(['test', '--agent', command, 'one'], { directory });
    expect(stderr).toMatch(message);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it('fails a story whose agent is not installed', async () => {
    const directory = temporaryDirectory();
    writeStory(directory, 'one');
    const environment = { PATH: '/usr/bin:/bin' };
    const result = await runBin(['test', '--agent', AGENT_NAMES[0] ?? '', 'one'], { directory, environment });
    expect(removeKept(result).stdout).toMatch(/could not be started: .*\. Install it or correct the command\.\n/);
    expect(result.code).toBe(1);
  });
});
