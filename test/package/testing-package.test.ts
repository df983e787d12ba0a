import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../support/processes/temporary-directory.ts';

const root = path.join(import.meta.dirname, '../..');
const page = readFileSync(path.join(root, 'docs/mock-llm-server.md'), 'utf8');
const snippets = [...page.matchAll(/^```[jt]s\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);

/** The only snippet of the page that contains `part`. */
function snippet(part: string): string {
  const found = snippets.filter((text) => text.includes(part));
  if (found.length !== 1 || found[0] === undefined) throw new Error(`${found.length} snippets contain ${part}`);
  return found[0];
}

/** Creates a project with the package, vitest and a client installed; returns its directory. */
function project(files: Readonly<Record<string, string>>): string {
  const directory = temporaryDirectory();
  mkdirSync(path.join(directory, 'node_modules'));
  symlinkSync(root, path.join(directory, 'node_modules/ybs'), 'junction');
  for (const name of ['vitest', 'openai']) {
    symlinkSync(path.join(root, 'node_modules', name), path.join(directory, 'node_modules', name), 'junction');
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(directory, name), text);
  return directory;
}

/** The current Node, and that of the system if it has one. */
const nodes = [...new Set([process.execPath, '/usr/bin/node'])].filter((file) => existsSync(file));

/** The globals of jest. */
const JEST = `
  const assert = require('node:assert');
  const { after, before, test } = require('node:test');
  const expect = (value) => ({ toBe: (wanted) => assert.strictEqual(value, wanted) });
  Object.assign(globalThis, { afterAll: after, beforeAll: before, test, expect });`;

const YAML = 'scenarios: [{ name: yaml, trigger: hi, steps: [{ response: { content: From YAML. } }] }]';

/** Without the options of this test run, which other versions of Node.js may not know. */
const ENVIRONMENT = { NODE_OPTIONS: undefined };

describe.each(nodes)('a CommonJS script without require of modules, on %s', (node) => {
  const flags = ['--no-experimental-require-module', '--no-warnings'];

  it('can use every export', async () => {
    const script = `const testing = require('ybs/testing');
      const { createVirtualClock, mockLlmFetch, ScenarioError } = testing;
      const steps = [{ response: { content: 'Hello.' } }];
      const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] });
      const ask = async (scenarios) => {
        const answer = await mockLlmFetch({ scenarios })('http://x/v1/chat/completions', { method: 'POST', body });
        return (await answer.json()).choices[0].message.content;
      };
      (async () => {
        console.log(Object.keys(testing).join(), createVirtualClock().now());
        console.log(await ask([{ name: 'hi', trigger: 'hi', steps }]), await ask('a.yaml'));
        await ask('nowhere').catch((error) => console.log(error instanceof ScenarioError));
      })();`;
    const cwd = project({ 'script.cjs': script, 'a.yaml': YAML });
    const { stdout } = await execa(node, [...flags, 'script.cjs'], { cwd, env: ENVIRONMENT, stdin: 'ignore' });
    expect(stdout.split('\n')).toEqual([
      'ScenarioError,createVirtualClock,defineScenarios,mockLlmFetch,startMockLlm 0',
      'Hello. From YAML.',
      'true',
    ]);
  });

  it('can use the example for jest', async () => {
    const cwd = project({ 'greets.test.cjs': JEST + snippet("require('ybs/testing')") });
    const { stdout } = await execa(node, [...flags, '--test', '--test-reporter=tap', 'greets.test.cjs'], {
      cwd,
      env: ENVIRONMENT,
    });
    expect(stdout).toContain('# pass 1');
  });

  it('cannot require modules, which the tests above assume', async () => {
    const cwd = project({ 'm.mjs': '', 'm.cjs': "require('./m.mjs')" });
    const { stderr } = await execa(node, [...flags, 'm.cjs'], { cwd, env: ENVIRONMENT, reject: false });
    expect(stderr).toContain('ERR_REQUIRE_ESM');
  });
});

it('node:test runs the example of the page', async () => {
  const cwd = project({ 'greets.test.mjs': snippet("from 'node:test'") });
  const { stdout } = await execa(process.execPath, ['--test', '--test-reporter=tap', 'greets.test.mjs'], { cwd });
  expect(stdout).toContain('# pass 1');
});

it('vitest runs the examples of the page', async () => {
  const cwd = project({
    'greets.test.ts': snippet("the agent greets', async () => {\n  await using"),
    'slow.test.ts': snippet('createVirtualClock'),
    'client.test.ts': snippet('mockLlmFetch'),
  });
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const env = { VITEST: undefined, VITEST_POOL_ID: undefined, VITEST_WORKER_ID: undefined, NO_COLOR: '1' };
  const { stdout } = await execa(process.execPath, [vitest, 'run', '--root', cwd], { cwd, env, stdin: 'ignore' });
  expect(stdout).toMatch(/Tests +3 passed/);
});

it('the package has types for modules and for CommonJS', async () => {
  const use = `import { createVirtualClock, startMockLlm, type Clock, type MockScenario } from 'ybs/testing';
    const clock: Clock = createVirtualClock();
    const scenario: MockScenario = { name: 'n', trigger: 't', steps: [{ response: { content: 'c' } }] };
    export const url: Promise<string> = startMockLlm({ scenarios: [scenario], clock }).then((llm) => llm.url);`;
  const cwd = project({
    'module.mts': use,
    'common.cts': use,
    'wrong.cts': "import { startMockLlm } from 'ybs/testing';\nexport const wrong: number = startMockLlm;",
  });
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
  const options = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--types',
    'node',
    '--typeRoots',
    `${root}/node_modules/@types`,
  ];
  const check = (module: string, ...files: string[]) =>
    execa(process.execPath, [compiler, ...options, '--target', 'es2023', '--module', module, ...files], {
      cwd,
      reject: false,
    });
  expect((await check('node16', 'module.mts', 'common.cts')).stdout).toBe('');
  expect((await check('node16', 'wrong.cts')).stdout).toContain("is not assignable to type 'number'");
});
