import { describe, expect, it } from 'vitest';
import { readHistory } from '../../../../src/cli/host/history-file.ts';
import { createMemoryFileSystem } from '../../../support/fakes/memory-file-system.ts';

const OPTIONS = { dryRun: false };

/** The texts of prompts with a history file of this content. */
async function texts(content: string, options: object = {}, prompts: readonly string[] = ['go', 'on']) {
  const { fileSystem } = createMemoryFileSystem({ '/w/h.json': content });
  const machine = { fileSystem, resolvePath: (path: string) => `/w/${path}` };
  const host = { historyFile: 'h.json', options: { ...OPTIONS, ...options } };
  const add = await readHistory(host, machine);
  return prompts.map((text) => add({ text }).text);
}

const said = (role: string, content: unknown) => ({ role, content });
const BLOCKS = [
  { type: 'text', text: 'Hi' },
  { type: 'tool_use', id: 'x' },
  { type: 'text', text: 'there' },
];
const HISTORY = JSON.stringify([
  said('user', 'Hello '),
  said('assistant', BLOCKS),
  said('tool', null),
  said('user', ''),
]);
const BLOCK = '<earlier_conversation>\nuser: Hello\nassistant: Hi\nthere\n</earlier_conversation>\n\ngo';

describe('--history-file', () => {
  it.each<readonly [string, string, object, readonly string[]]>([
    ['a list of messages', HISTORY, {}, [BLOCK, 'on']],
    ['an object with messages', `{"messages":${HISTORY},"id":1}`, {}, [BLOCK, 'on']],
    ['no messages', '[]', {}, ['go', 'on']],
    ['a continued session', 'broken', { resume: 'x' }, ['go', 'on']],
    ['the last session', 'broken', { continue: true }, ['go', 'on']],
  ])('with %s', async (_name, content, options, expected) => {
    expect(await texts(content, options)).toEqual(expected);
  });

  it('has no effect without a file', async () => {
    const { fileSystem } = createMemoryFileSystem({});
    const machine = { fileSystem, resolvePath: (path: string) => path };
    expect((await readHistory({ options: OPTIONS }, machine))({ text: 'go' })).toEqual({ text: 'go' });
    const missing = readHistory({ options: OPTIONS, historyFile: '/none' }, machine);
    await expect(missing).rejects.toThrow('--history-file /none cannot be used: /none: it does not exist');
  });

  it.each<readonly [string, string]>([
    ['broken', 'cannot be used: '],
    ['{"role":"user"}', 'cannot be used: it is not a list of messages with role and content.'],
    [JSON.stringify(['x'.repeat(4_000_000)]), 'is larger than 4000000 bytes.'],
  ])('rejects %.20s', async (content, expected) => {
    await expect(texts(content)).rejects.toThrow(expected);
  });
});
