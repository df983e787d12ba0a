import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { startMockLlm } from '../../../mock-llm-server/testing.ts';
import { ybsEntry } from '../../support/processes/entry.ts';
import { pathWithQuickNpm } from '../../support/processes/quick-npm.ts';
import { binEnvironment } from '../../support/processes/run-bin.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';
import { missingSandbox } from '../../support/sandbox/require-sandbox.ts';

const root = path.join(import.meta.dirname, '../../..');
const page = readFileSync(path.join(root, 'docs/ci.md'), 'utf8');

const Step = z.looseObject({ name: z.string().optional(), run: z.string().optional() });
const Workflow = z.looseObject({
  name: z.string(),
  jobs: z.record(z.string(), z.looseObject({ steps: z.array(Step) })),
});
const workflows = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text = '']) => Workflow.parse(parse(text)));

/** The command of a step of a workflow on the page. */
function commandOf(workflow: string, step: string): string {
  const steps = Object.values(workflows.find(({ name }) => name === workflow)?.jobs ?? {}).flatMap((job) => job.steps);
  const command = steps.find(({ name }) => name === step)?.run;
  if (command === undefined) throw new Error(`docs/ci.md has no step ${step} in the workflow ${workflow}`);
  return command;
}

/** The first step of the page installs the sandbox. On a machine without one, the command runs with `--no-sandbox`. */
const unsandboxed = (await missingSandbox()) === undefined ? '' : '--no-sandbox ';

/** A repository with `examples/playground` and its own `npx` and `npm`, and a way to run a step there as GitHub does. */
async function openRunner(url: string) {
  const directory = temporaryDirectory();
  const temporary = temporaryDirectory();
  cpSync(path.join(root, 'examples/playground'), directory, { recursive: true });
  writeFiles(temporary, { npx: `#!/bin/sh\nshift\nexec '${process.execPath}' '${ybsEntry}' ${unsandboxed}"$@"\n` });
  const environment = binEnvironment({
    ...{ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'sk-test', RUNNER_TEMP: temporary, BASE: 'origin/main' },
    PATH: `${temporary}${path.delimiter}${pathWithQuickNpm()}`,
  });
  const options = { cwd: directory, env: environment, extendEnv: false, reject: false, stdin: 'ignore' } as const;
  const git = async (...args: readonly string[]) => {
    const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
    const { exitCode, stderr } = await execa('git', [...identity, ...args], options);
    if (exitCode !== 0) throw new Error(stderr);
  };
  await execa('chmod', ['755', path.join(temporary, 'npx')]);
  await git('init', '-q', '-b', 'main');
  await git('add', '.');
  await git('commit', '-qm', 'start');
  return {
    directory,
    temporary,
    git,
    step: (command: string) => execa('bash', ['-e', '-c', command], options),
  };
}

describe.skipIf(process.platform === 'win32')('the workflow', () => {
  it('review writes the answer of the model about the change, and nothing else', async () => {
    const steps = [{ response: { content: 'src/cart.js:13: free from 49.90 on.' }, expect: { messages: 1 } }];
    const trigger = 'SHIPPING_FROM = 4990;\n';
    await using server = await startMockLlm({ scenarios: [{ name: 'review', trigger, steps }] });
    const runner = await openRunner(server.url);
    await runner.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    const cart = path.join(runner.directory, 'src/cart.js');
    writeFileSync(cart, readFileSync(cart, 'utf8').replace('SHIPPING_FROM = 5000', 'SHIPPING_FROM = 4990'));
    await runner.git('commit', '-qam', 'change');
    const { exitCode, stderr, stdout } = await runner.step(commandOf('review', 'Review'));
    expect({ exitCode, stderr, stdout }).toEqual({ exitCode: 0, stderr: '', stdout: '' });
    expect(readFileSync(path.join(runner.directory, 'review.md'), 'utf8')).toBe(
      'src/cart.js:13: free from 49.90 on.\n',
    );
  });

  it('fix makes a patch with which the tests pass', async () => {
    await using server = await startMockLlm({ scenarios: path.join(root, 'scenarios') });
    const { step, temporary } = await openRunner(server.url);
    expect((await step(commandOf('fix', 'Test'))).exitCode).not.toBe(0);
    const fixed = await step(commandOf('fix', 'Fix'));
    expect(fixed).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('1 file changed: src/cart.js') });
    for (const name of ['Check', 'Patch']) expect(await step(commandOf('fix', name))).toMatchObject({ exitCode: 0 });
    expect(readFileSync(path.join(temporary, 'fix.patch'), 'utf8')).toContain(
      '\n+  if (amount >= FREE_SHIPPING_FROM) return 0;\n',
    );
  });

  it('ends with the exit codes of the page when a key is missing, and when a call would need approval', async () => {
    await using server = await startMockLlm({ scenarios: path.join(root, 'scenarios') });
    const { step, temporary } = await openRunner(server.url);
    writeFileSync(path.join(temporary, 'test.log'), 'not ok\n');
    const fix = commandOf('fix', 'Fix');
    const keyless = await step(`unset OPENAI_API_KEY OPENAI_BASE_URL\n${fix}`);
    expect(keyless).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('needs an API key') });
    expect((await step(fix.replace('full-access', 'ask'))).exitCode).toBe(3);
  });
});
