import path from 'node:path';
import { expect, it } from 'vitest';
import { listStoryPrompts } from '../../../src/cli/story-prompts.ts';

function listing(files: Readonly<Record<string, string>>) {
  const known = new Map(Object.entries(files).map(([name, text]) => [path.resolve('s', name), text]));
  const names = new Set(Object.keys(files).map((name) => name.split('/')[0] ?? name));
  return {
    resolve: path.resolve,
    list: async () => [...names],
    async readFile(name: string) {
      const text = known.get(name);
      if (text === undefined) throw new Error(`no such file: ${name}`);
      return text;
    },
  };
}

it('lists the first prompt of each story, in the order of their names', async () => {
  const files = listing({
    'b/scenario.json': '{"story":{"prompts":["second","never shown"]}}',
    'a/scenario.json': '{"story":{"prompts":["first"]}}',
    'c/scenario.json': '{"scenarios":[]}',
    'c/story.json': '{"prompts":["older"]}',
  });
  expect(await listStoryPrompts('s', files)).toEqual(['first', 'second', 'older']);
});

it.each([
  ['broken JSON', '{'],
  ['no story', '{"scenarios":[]}'],
  ['no prompts', '{"story":{}}'],
  ['prompts of another type', '{"story":{"prompts":[1]}}'],
  ['another type', '"story"'],
  ['null', 'null'],
])('leaves out %s', async (_what, text) => {
  expect(await listStoryPrompts('s', listing({ 'a/scenario.json': text, 'README.md': 'x' }))).toEqual([]);
});

it('lists nothing where there is no directory', async () => {
  const files = { ...listing({}), list: () => Promise.reject(new Error('no such directory')) };
  expect(await listStoryPrompts('s', files)).toEqual([]);
});
