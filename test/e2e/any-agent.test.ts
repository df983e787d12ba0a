import { chmodSync, existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { findNetworkNamespace } from '../../src/adapters/network-namespace.ts';
import { AGENT_NAMES } from '../../src/stories/agents/agent-setup.ts';
import { isProcessRunning, waitUntil } from '../support/process-state.ts';
import { type BinResult, runBin, startBin } from '../support/run-bin.ts';
import { temporaryDirectory, writeFiles } from '../support/temporary-directory.ts';

const SAMPLE = path.join(import.meta.dirname, '../support/sample-agent.mjs');
/** Without `unshare` there is no network namespace, for which ybs would start once more. */
const WITHOUT_NAMESPACE = { PATH: path.dirname(process.execPath) };
const COMMAND = `"${process.execPath}" "${SAMPLE}" {prompt}`;

/**
 * Writes a story whose model reads `in.txt` and writes `out.txt`. An option in the prompt asks the agent for a mistake.
 */
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

function removeKept(result: BinResult): BinResult {
  for (const [, kept = ''] of result.stdout.matchAll(/the files are kept in (.*)/g)) {
    onTestFinished(() => rm(kept, { recursive: true, force: true }));
  }
  return result;
}

describe('ybs test --agent', () => {
  it('passes stories that another agent plays well, and finds its tool results', async () => {
    const directory = temporaryDirectory();
    writeStory(directory, 'one', { expected_result_contains: ['a secret of the file'] });
    writeStory(directory, 'two', { expected_outcome: 'failed', prompts: ['Copy "it" --crash'] });
    const { code, stdout, stderr } = await runBin(['test', '--agent', COMMAND, '.'], { directory });
    expect(stdout).toMatch(
      /^(! the agent can reach other hosts: .*\n)?passed one \(\d+\.\d s\)\npassed two .*\n2 passed, 0 failed\n$/,
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('finds a script of the current directory, and says where the agent can reach other hosts', async () => {
    const directory = temporaryDirectory();
    writeStory(directory, 'one');
    writeFiles(directory, { 'src/my-agent.mjs': `await import(${JSON.stringify(SAMPLE)});\n` });
    const args = ['test', '--agent', 'node src/my-agent.mjs {prompt}', 'one'];
    const { code, stdout } = await runBin(args, { directory, environment: WITHOUT_NAMESPACE });
    expect(stdout).toMatch(/^! the agent can reach other hosts: .*\npassed one .*\n1 passed, 0 failed\n$/);
    expect(code).toBe(0);
  });

  it('fails stories in which the agent, its requests, its results or its files are wrong, and says why', async () => {
    const directory = temporaryDirectory();
    const cases: readonly (readonly [name: string, story: object, expected: string, message: RegExp])[] = [
      ['silent', { prompts: ['Copy "it" --silent'] }, 'written\n', /^ {2}the agent sent no request to the model$/m],
      ['early', { prompts: ['Copy "it" --early'] }, 'written\n', /^ {2}the agent ended after step 0 of .*"early"/m],
      [
        'crash',
        { prompts: ['Copy "it" --crash'] },
        'written\n',
        /got failed: the exit code is 7\n[\s\S]*stderr:\n {2}the agent broke\n/,
      ],
      ['files', {}, 'other\n', /out\.txt differs \(- expected, \+ found\):\n/],
      [
        'results',
        { expected_result_contains: ['something else'] },
        'written\n',
        /no tool result contains "something else"/,
      ],
      [
        'unknown',
        { prompts: ['Do something else.'] },
        'written\n',
        /POST \/v1\/chat\/completions was answered 400: No scenario matches .*"copy \\"it\\""/,
      ],
      ['outside', { prompts: ['Copy "it" --outside'], expected_outcome: 'failed' }, 'other\n', /out\.txt differs/],
    ];
    for (const [name, story, expected] of cases) writeStory(directory, name, story, expected);
    const [result, namespace] = await Promise.all([
      runBin(['test', '--agent', COMMAND, ...cases.map(([name]) => name)], { directory }),
      findNetworkNamespace(process.platform),
    ]);
    const reports = removeKept(result)
      .stdout.split(/(?=^FAILED )/m)
      .filter((part) => part.startsWith('FAILED'));
    for (const [index, [name, , , message]] of cases.entries()) {
      expect(reports[index], name).toMatch(new RegExp(`^FAILED ${name} `));
      expect(reports[index], name).toMatch(message);
    }
    // The agent cannot reach other hosts, or the report gives the reason why it can.
    if (namespace.type === 'namespace') expect(reports.at(-1)).toContain('ENETUNREACH');
    else expect(result.stdout).toContain('! the agent can reach other hosts: ');
    expect(result.stdout).toMatch(/\n0 passed, 7 failed\n$/);
    expect(result.code).toBe(1);
  });

  it('ends with 130 when it is stopped, and stops the agent', async () => {
    const directory = temporaryDirectory();
    writeStory(directory, 'one', { prompts: ['Copy "it" --sleep'] });
    const environment = { TMPDIR: temporaryDirectory() };
    const running = startBin(['test', '--agent', COMMAND, 'one'], { directory, environment });
    const readPid = () => {
      const [file] = globSync('ybs-story-*/sleeping', { cwd: environment.TMPDIR });
      return file === undefined ? 0 : Number(readFileSync(path.join(environment.TMPDIR, file), 'utf8'));
    };
    await waitUntil(() => readPid() > 0, 'the agent runs');
    const pid = readPid();
    running.signal('SIGTERM');
    expect((await running.ended).code).toBe(130);
    await waitUntil(() => !isProcessRunning(pid), 'the agent ends');
    expect(readdirSync(environment.TMPDIR)).toEqual([]);
  });

  it('gives the prompt as one argument, a home of its own, all base URLs and no key of the user', async () => {
    const directory = temporaryDirectory();
    writeStory(directory, 'one');
    const hidden = { MY_TOKEN: 'real', HTTPS_PROXY: 'http://proxy', INIT_CWD: directory, ANTHROPIC_AUTH_TOKEN: 'real' };
    const environment = { ...WITHOUT_NAMESPACE, ...hidden, OPENAI_API_KEY: 'real', MY_SETTING: 'kept' };
    const command = COMMAND.replace('{prompt}', 'prefix={prompt}--environment');
    const result = await runBin(['test', '--agent', command, 'one'], { directory, environment });
    const [kept = ''] = /(?<=the files are kept in ).*/.exec(removeKept(result).stdout) ?? [];
    expect(readdirSync(kept).toSorted()).toEqual(['environment.json', 'in.txt', 'out.txt']);
    const text = await import(path.join(kept, 'environment.json'), { with: { type: 'json' } });
    const seen = z.record(z.string(), z.string()).parse(text.default);
    const base = seen['ANTHROPIC_BASE_URL'];
    expect(base).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(seen).toMatchObject({
      prompt: 'prefix=Please copy "it" for $HOME & {prompt} now.--environment',
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

  it('skips stories that only ybs can play, says why, and fails when nothing was played', async () => {
    const directory = temporaryDirectory();
    writeStory(directory, 'approved', { approvals: ['once'] });
    writeStory(directory, 'chat', { prompts: ['Copy "it".', 'Again.'] });
    writeStory(directory, 'played');
    const all = await runBin(['test', '--agent', COMMAND, 'approved', 'chat', 'played'], {
      directory,
      environment: WITHOUT_NAMESPACE,
    });
    expect(all.stdout).toMatch(
      /skipped approved: it has approvals, .*\nskipped chat: it has 2 prompts, .*\npassed played .*\n2 skipped, 1 passed, 0 failed\n$/,
    );
    expect(all.code).toBe(0);
    const none = await runBin(['test', '--agent', COMMAND, 'approved'], { directory, environment: WITHOUT_NAMESPACE });
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
    const environment = { PATH: `${directory}/bin:${WITHOUT_NAMESPACE.PATH}` };
    const { code, stdout } = await runBin(['test', '--agent', 'pi', 'one'], { directory, environment });
    expect(stdout).toMatch(/1 passed, 0 failed\n$/);
    expect(code).toBe(0);
  });

  it('refuses a command without a place for the prompt with exit code 2', async () => {
    const directory = temporaryDirectory();
    writeStory(directory, 'one');
    const args = ['test', '--agent', 'claud', 'one'];
    const { code, stdout, stderr } = await runBin(args, { directory, environment: WITHOUT_NAMESPACE });
    expect(stderr).toMatch(/Did you mean claude\? .*\{prompt\}/);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it('fails a story whose agent is not installed', async () => {
    const directory = temporaryDirectory();
    writeStory(directory, 'one');
    const args = ['test', '--agent', AGENT_NAMES[0] ?? '', 'one'];
    const result = await runBin(args, { directory, environment: WITHOUT_NAMESPACE });
    expect(removeKept(result).stdout).toMatch(/could not be started: .*\. Install it or correct the command\.\n/);
    expect(result.code).toBe(1);
  });
});
