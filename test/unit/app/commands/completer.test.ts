import { describe, expect, it } from 'vitest';
import { completerOf, createCompleter } from '../../../../src/app/commands/completer.ts';
import { NO_COMPLETION } from '../../../../src/app/commands/completion.ts';
import { createTestStore } from '../../../support/agent/session-store.ts';
import { createFakeAgent, NO_EXTENSIONS } from '../../../support/fakes/fake-agent.ts';
import { createMemoryFileSystem } from '../../../support/fakes/memory-file-system.ts';

const NAMES: Readonly<Record<string, readonly string[]>> = {
  '.': ['src/', 'README.md', 'my notes.md', '.git/', '.env', 'odd.', 'out', 'a"b', 'a\nb', 'a\u202eb', 'my files/'],
  'src/': ['sum.js', 'sub/', '.hidden'],
  'my files/': ['a b.txt'],
  '/etc/': ['hosts'],
};
const complete = createCompleter({
  async list(directory, signal) {
    signal.throwIfAborted();
    const names = NAMES[directory];
    if (names === undefined) throw new Error(`no directory ${directory}`);
    return names.map((name) => ({ name: name.replace(/\/$/, ''), isDirectory: name.endsWith('/') }));
  },
  mayAttach: async (path) => !path.startsWith('out'),
  agents: async () => ['coder', 'reviewer', 'rest'],
  commands: async () => new Map(['tools', 'help', 'tasks', 'dev:plan'].map((name) => [name, `About ${name}`])),
  arguments: async (command, before) =>
    command !== 'give' ? [] : before.length === 0 ? ['apple', 'Apricot', 'a\nb'] : [`${before.join('+')}-to`],
});
const { signal } = new AbortController();

describe('the completer of the chat', () => {
  // `|` is the cursor; brackets enclose the part that the items replace.
  it.each<readonly [string, ...string[]]>([
    ['[/t]|', '/tasks', '/tools'],
    ['[/]|', '/dev:plan', '/help', '/tasks', '/tools'],
    ['[/DEV:]|', '/dev:plan'],
    ['[/ta]|sks now', '/tasks'],
    ['/give []|', 'Apricot', 'apple'],
    ['/give [ap]|', 'Apricot', 'apple'],
    [' /GIVE  x  y [X]|', 'x+y-to'],
    ['/give [@agent:re]|', '@agent:rest', '@agent:reviewer'],
    [
      'see [@file:]|',
      '@file:README.md',
      '@file:"a""b"',
      '@file:"my files/',
      '@file:"my notes.md"',
      '@file:"odd."',
      '@file:src/',
    ],
    ['[@file:src/s]|', '@file:src/sub/', '@file:src/sum.js'],
    ['[@file:src/.]|', '@file:src/.hidden'],
    ['([@file:R]|)', '@file:README.md'],
    ['[@file:"my]|', '@file:"my files/', '@file:"my notes.md"'],
    ['[@file:"my files/]|', '@file:"my files/a b.txt"'],
    ['[@file:/etc/h]|', '@file:/etc/hosts'],
    ['look [@agent:re]|', '@agent:rest', '@agent:reviewer'],
    ['[@]|', '@file:', '@agent:', '@!'],
    ['x [@a]|', '@agent:', '@file:"a""b"'],
    ['x [@src/s]|', '@file:src/sub/', '@file:src/sum.js'],
    ['([@REA]|)', '@file:README.md'],
    ['!cat [R]|', 'README.md'],
    ['[@file:"a""]|', '@file:"a""b"'],
    ['!cat [a]|', 'a\\"b'],
    ['!cat []|', 'README.md', 'a\\"b', 'my\\ files/', 'my\\ notes.md', 'odd.', 'out', 'src/'],
    ['!cat ["R]|', 'README.md'],
    ["!cat ['my]|", 'my\\ files/', 'my\\ notes.md'],
    ['!cat [ou]|', 'out'],
    ['@!cat [my]|', 'my\\ files/', 'my\\ notes.md'],
    ['!![src/s]|', 'src/sub/', 'src/sum.js'],
  ])('%j', async (line, ...items) => {
    const text = line.replaceAll(/[[\]|]/g, '');
    const plain = line.replaceAll(/[[\]]/g, '');
    const from = line.replaceAll('|', '').indexOf('[');
    const to = plain.indexOf('|');
    const { notes: _notes, ...found } = await complete(text, to, signal);
    expect({ ...found, items: found.items.toSorted() }).toEqual({ from, to, items: items.toSorted() });
  });

  it.each(['', 'hello', 'me@', 'x/t', '/etc/', '/none', '@file:zzz', '@file:ou', '@agent:zzz', '!', '! ', '/help me'])(
    'offers nothing for %j',
    async (text) => {
      expect(await complete(text, text.length, signal)).toEqual(NO_COMPLETION);
    },
  );

  it('does not complete a word that began far before the cursor', async () => {
    const text = `@file:${'sub/'.repeat(2000)}`;
    expect(await complete(text, text.length, signal)).toEqual(NO_COMPLETION);
    const long = `${'word '.repeat(2000)}@file:R`;
    expect((await complete(long, long.length, signal)).items).toEqual(['@file:README.md']);
  });

  it.each([
    ['100 of 101 that begin so', 101, true],
    ['all of 97', 97, undefined],
    ['those among the first 5,000 names of a directory', 5_000, true],
  ])('offers %s', async (_name, count, isPartial) => {
    const names = Array.from({ length: count }, (_, index) => ({ name: `a${index}`, isDirectory: false }));
    const sources = { list: async () => names, mayAttach: async () => true, agents: async () => [] };
    const found = createCompleter({ ...sources, commands: async () => new Map(), arguments: async () => [] });
    for (const text of ['@file:a', '@a', '!cat a']) {
      const { items, ...rest } = await found(text, text.length, signal);
      expect(items.length).toBe(Math.min(count + (text === '@a' ? 1 : 0), 100));
      expect(rest.isPartial, text).toBe(isPartial);
    }
    expect((await found('@file:a42', 9, signal)).isPartial).toBe(count === 5_000 ? true : undefined);
  });

  it('says what each command is', async () => {
    expect((await complete('/t', 2, signal)).notes).toEqual(['About tasks', 'About tools']);
    expect((await complete('@agent:re', 9, signal)).notes).toBeUndefined();
  });

  it('rejects when a directory cannot be listed', async () => {
    await expect(complete('@file:no/', 9, signal)).rejects.toThrow('no directory no/');
  });
});

it('the names that an agent knows are completed', async () => {
  const agent = {
    ...createFakeAgent([]),
    extensions: async () => ({
      ...NO_EXTENSIONS,
      agents: [{ name: 'coder', prompt: 'x', path: 'x' }],
      commands: ['help', 'help:me'].map((name) => ({ name, body: 'x', path: 'x' })),
    }),
  };
  const completer = completerOf(async () => agent);
  const items = async (text: string) => (await completer(text, text.length, signal)).items;
  expect(await items('@agent:')).toEqual(['@agent:coder']);
  expect(await items('/he')).toEqual(['/help', '/help:me']);
  expect(await items('@file:')).toEqual(['@file:a.md']);
});

it.each<readonly [string, ...string[]]>([
  ['/mode pl', 'plan'],
  ['/mode plan p'],
  ['/effort ', 'none', 'low', 'medium', 'high'],
  ['/permissions re', 'read_file'],
  ['/permissions read_file a', 'automatic', 'ask_once', 'ask_always'],
  ['/permissions read_file automatic '],
  ['/approvals ', 'clear'],
  ['/config ui', 'ui.color'],
  ['/provider ope', 'openai', 'openrouter', 'openai-compatible'],
  ['/provider openai '],
  ['/agent ', 'coder', 'none'],
  ['/load s', 'saved'],
  ['/help '],
  ['/nope '],
])('the argument in %j is completed', async (text, ...expected) => {
  const sessions = createTestStore(createMemoryFileSystem().fileSystem);
  await (await sessions.create('saved')).append({ type: 'user_message', text: 'x' }, '');
  const extensions = async () => ({ ...NO_EXTENSIONS, agents: [{ name: 'coder', prompt: 'x', path: 'x' }] });
  const completer = completerOf(async () => ({ ...createFakeAgent([]), extensions, sessions }));
  expect((await completer(text, text.length, signal)).items).toEqual(expected);
});
