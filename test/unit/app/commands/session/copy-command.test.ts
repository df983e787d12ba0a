import { expect, it } from 'vitest';
import type { Message } from '../../../../../src/agent/ports/messages.ts';
import { COPY_COMMAND } from '../../../../../src/app/commands/session/copy-command.ts';
import { COMMAND_CONTEXT } from '../../../../support/commands/command-text.ts';
import { createFakeAgent } from '../../../../support/fakes/fake-agent.ts';

async function copy(contents: readonly string[], hasClipboard = true, argument = '') {
  const messages: readonly Message[] = [
    { role: 'user', content: 'go' },
    ...contents.map((content): Message => ({ role: 'assistant', content, toolCalls: [] })),
    { role: 'user', content: 'more' },
  ];
  const copied: string[] = [];
  const result = await COPY_COMMAND.run(async () => ({ ...createFakeAgent([]), messages }), argument, {
    ...COMMAND_CONTEXT,
    ...(hasClipboard && { copy: (text: string) => copied.push(text) }),
  });
  return { copied, result };
}

it('/copy copies the last answer that has text', async () => {
  const { copied, result } = await copy(['one', 'two', ' \n']);
  expect(copied).toEqual(['two']);
  expect(result).toMatchObject({ type: 'text', text: expect.stringContaining('clipboard of the terminal') });
});

const CODE = 'Run:\n\n```sh\nls\n```\nor\n\n````md\n```\na\n```\n````\n';

// Claude Code copies the answer before the last with `/copy 2`, and code alone.
it.each([
  ['2', 'one'],
  ['code', '```\na\n```'],
  ['1 code', '```\na\n```'],
  ['code', 'a\n  b', '1. Run:\n\n    ```sh\n    a\n      b\n    ```\n2. Wait.'],
])('/copy %s copies %j', async (argument, text, answer = CODE) => {
  expect((await copy(['one', answer], true, argument)).copied).toEqual([text]);
});

it.each([
  ['3', 'Answers so far: 2.'],
  ['2 code', 'There is no code block in it.'],
  ['all', 'Type /copy, /copy 2 for the answer before the last, or /copy code.'],
  ['0', 'Type /copy, /copy 2 for the answer before the last, or /copy code.'],
])('/copy %s is refused', async (argument, text) => {
  expect((await copy(['one', CODE], true, argument)).result).toMatchObject({ text, isRefused: true });
});

it.each([
  [[], true, 'There is no answer yet.'],
  [['a'], false, 'ybs cannot write to a clipboard here. Select the text instead.'],
  [['é'.repeat(40_000)], true, 'The answer has 80,000 bytes, more than terminals copy. /export writes it to a file.'],
])('/copy rejects a text that cannot be copied', async (contents, hasClipboard, text) => {
  const { copied, result } = await copy(contents, hasClipboard);
  expect([copied, result]).toEqual([[], { type: 'text', text, isRefused: true }]);
});
