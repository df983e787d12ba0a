import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../support/temporary-directory.ts';

// By its own name, as a user of the package imports it.
const root = path.join(import.meta.dirname, '../..');
const BODY = `
  const scenarios = [{ name: 'hi', trigger: 'hi', steps: [{ response: { content: 'Hello.' } }] }];
  const llm = await startMockLlm({ scenarios });
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] });
  const answer = await (await fetch(llm.url + '/v1/chat/completions', { method: 'POST', body })).json();
  await llm.close();`;

it.each([
  [
    'a script, as jest runs it',
    `async function run() { const { startMockLlm } = await import('ybs/testing'); ${BODY}
      console.log('text: ' + answer.choices[0].message.content, llm.requests[0].scenario); }
    run();`,
    [],
    'text: Hello. hi',
  ],
  [
    'node:test',
    `import test from 'node:test'; import assert from 'node:assert'; import { startMockLlm } from 'ybs/testing';
    test('asks', async () => { ${BODY} assert.equal(answer.choices[0].message.content, 'Hello.'); });`,
    ['--test-reporter=tap'],
    '# pass 1',
  ],
])('ybs/testing works in %s', async (_name, source, options, expected) => {
  const loader = `import { registerHooks } from 'node:module';
    registerHooks({ resolve: (name, context, next) => next(name, name === 'ybs/testing'
      ? { ...context, parentURL: ${JSON.stringify(new URL('../../package.json', import.meta.url).href)} } : context) });`;
  const file = path.join(temporaryDirectory(), 'asks.mjs');
  writeFileSync(file, source);
  const preload = `data:text/javascript,${encodeURIComponent(loader)}`;
  const { stdout } = await execa(process.execPath, ['--import', preload, ...options, file], {
    cwd: root,
    stdin: 'ignore',
  });
  expect(stdout).toContain(expected);
});
