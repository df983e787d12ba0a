import { chmodSync, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { AGENT_NAMES } from '../../../src/stories/agents/agent-setup.ts';
import { runMain } from '../../support/processes/run-main.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';
import { COMMAND, removeKept, SAMPLE, writeAgentStory } from '../../support/stories/agent-story.ts';

/** Without `unshare` there is no network namespace, in which ybs would start itself again. */
const WITHOUT_NAMESPACE = { PATH: path.dirname(process.execPath) };

describe('ybs test --agent', () => {
  it('finds a script of the current directory, and warns if the agent can reach other hosts', async () => {
    const directory = temporaryDirectory();
    writeAgentStory(directory, 'one');
    writeFiles(directory, { 'src/my-agent.mjs': `await import(${JSON.stringify(SAMPLE)});\n` });
    const args = ['test', '--agent', 'node src/my-agent.mjs {prompt}', 'one'];
    const { code, stdout } = await runMain(args, { directory, environment: WITHOUT_NAMESPACE });
    expect(stdout).toMatch(/^! the agent can reach other hosts: .*\npassed one .*\n1 passed, 0 failed\n$/);
    expect(code).toBe(0);
  });

  it('passes the prompt as one argument, its own home directory, all base URLs and no key of the user', async () => {
    const directory = temporaryDirectory();
    writeAgentStory(directory, 'one');
    const hidden = { MY_TOKEN: 'real', HTTPS_PROXY: 'http://proxy', INIT_CWD: directory, ANTHROPIC_AUTH_TOKEN: 'real' };
    const environment = { ...WITHOUT_NAMESPACE, ...hidden, OPENAI_API_KEY: 'real', MY_SETTING: 'kept' };
    const command = COMMAND.replace('{prompt}', 'prefix={prompt}--environment');
    const result = await runMain(['test', '--agent', command, 'one'], { directory, environment });
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

  it('names the arguments of a call that a tool of the agent requires', async () => {
    const directory = temporaryDirectory();
    const call = { name: 'read_file', arguments: { file: 'in.txt' } };
    const steps = [{ response: { tool_calls: [call] } }, { response: { content: 'Done.' } }];
    const content = { scenarios: [{ name: 's', trigger: 'copy', steps }], story: { prompts: ['copy'] } };
    writeFiles(directory, { 'one/scenario.json': JSON.stringify(content) });
    const args = ['test', '--agent', COMMAND, 'one'];
    const { code, stdout } = removeKept(await runMain(args, { directory, environment: WITHOUT_NAMESPACE }));
    expect(stdout).toContain('\n  step 0 of "s": the schema of read_file requires the arguments path\n');
    expect(code).toBe(1);
  });

  it('skips stories that only ybs can play, with the reason, and fails if no story was played', async () => {
    const directory = temporaryDirectory();
    writeAgentStory(directory, 'approved', { approvals: ['once'] });
    writeAgentStory(directory, 'chat', { prompts: ['Copy "it".', 'Again.'] });
    writeAgentStory(directory, 'played');
    const all = await runMain(['test', '--agent', COMMAND, 'approved', 'chat', 'played'], {
      directory,
      environment: WITHOUT_NAMESPACE,
    });
    expect(all.stdout).toMatch(
      /skipped approved: it has approvals, .*\nskipped chat: it has 2 prompts, .*\npassed played .*\n2 skipped, 1 passed, 0 failed\n$/,
    );
    expect(all.code).toBe(0);
    const none = await runMain(['test', '--agent', COMMAND, 'approved'], { directory, environment: WITHOUT_NAMESPACE });
    expect(none.stdout).toMatch(/\n1 skipped, 0 passed, 0 failed\n$/);
    expect(none.code).toBe(1);
  });

  it('prepares a known agent from its name: home, configuration and arguments', async () => {
    const directory = temporaryDirectory();
    writeAgentStory(directory, 'one');
    // Stands for the agent of this name: it reads the address from the configuration file of Pi.
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
    const { code, stdout } = await runMain(['test', '--agent', 'pi', 'one'], { directory, environment });
    expect(stdout).toMatch(/1 passed, 0 failed\n$/);
    expect(code).toBe(0);
  });

  it('rejects a command without a placeholder for the prompt with exit code 2', async () => {
    const directory = temporaryDirectory();
    writeAgentStory(directory, 'one');
    const args = ['test', '--agent', 'claud', 'one'];
    const { code, stdout, stderr } = await runMain(args, { directory, environment: WITHOUT_NAMESPACE });
    expect(stderr).toMatch(/Did you mean claude\? .*\{prompt\}/);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it('fails a story whose agent is not installed', async () => {
    const directory = temporaryDirectory();
    writeAgentStory(directory, 'one');
    const args = ['test', '--agent', AGENT_NAMES[0] ?? '', 'one'];
    const result = await runMain(args, { directory, environment: WITHOUT_NAMESPACE });
    expect(removeKept(result).stdout).toMatch(/could not be started: .*\. Install it or correct the command\.\n/);
    expect(result.code).toBe(1);
  });
});
