import path from 'node:path';
import { expect, it } from 'vitest';
import { parseYaml } from '../../../mock-llm-server/scenario/loading/parse-yaml.ts';
import { listStoryPrompts } from '../../../src/stories/play/story-prompts.ts';

function listing(files: Readonly<Record<string, string>>) {
  const known = new Map(Object.entries(files).map(([name, text]) => [path.resolve('s', name), text]));
  const names = new Set(Object.keys(files).map((name) => name.split('/')[0] ?? name));
  return {
    resolve: path.resolve,
    list: async () => [...names],
    parseYaml: async (text: string) => parseYaml(text, 'a story').value,
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

it('reads the same scenario file of a directory as the server', async () => {
  const files = listing({
    'a/scenario.yaml': 'story:\n  prompts: [from yaml]\n',
    'b/scenario.yml': 'story: { prompts: [from yml] }',
    'c.yaml': 'story: { prompts: [from a file of its own] }',
    'd.json': '{"story":{"prompts":["from JSON of its own"]}}',
    'e/scenario.json': '{"story":{"prompts":["from JSON"]}}',
    'e/scenario.yaml': 'story: { prompts: [never shown] }',
    'f/scenario.yaml': 'story: { prompts: [',
  });
  const prompts = ['from yaml', 'from yml', 'from a file of its own', 'from JSON of its own', 'from JSON'];
  expect(await listStoryPrompts('s', files)).toEqual(prompts);
});

it.each([
  ['invalid JSON', '{'],
  ['no story', '{"scenarios":[]}'],
  ['no prompts', '{"story":{}}'],
  ['prompts of another type', '{"story":{"prompts":[1]}}'],
  ['a prompt that names a file of the story', '{"story":{"prompts":["read @file:a.md"]}}'],
  ['another type', '"story"'],
  ['null', 'null'],
])('leaves out %s', async (_name, text) => {
  expect(await listStoryPrompts('s', listing({ 'a/scenario.json': text, 'README.md': 'x' }))).toEqual([]);
});

it('lists nothing when the directory does not exist', async () => {
  const files = { ...listing({}), list: () => Promise.reject(new Error('no such directory')) };
  expect(await listStoryPrompts('s', files)).toEqual([]);
});
