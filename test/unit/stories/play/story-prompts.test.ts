import path from 'node:path';
import { expect, it } from 'vitest';
import { parseYaml } from '../../../../mock-llm-server/scenario/loading/parse-yaml.ts';
import { listStoryPrompts } from '../../../../src/stories/play/story-prompts.ts';
import { createStoryFiles } from '../../../support/stories/story-files.ts';

/** The stories below the directory `s` with these files. */
function listing(files: Readonly<Record<string, string>>) {
  const inDirectory = Object.entries(files).map(([name, text]) => [path.join('s', name), text]);
  return {
    ...createStoryFiles(Object.fromEntries(inDirectory)),
    parseYaml: async (text: string) => parseYaml(text, 'a story').value,
  };
}

it('the first prompt of each story is listed, in the order of their names', async () => {
  const files = listing({
    'b/scenario.json': '{"story":{"prompts":["second","never shown"]}}',
    'a/scenario.json': '{"story":{"prompts":["first"]}}',
    'c/scenario.json': '{"scenarios":[]}',
    'c/story.json': '{"prompts":["older"]}',
  });
  expect(await listStoryPrompts('s', 'w', files)).toEqual(['first', 'second', 'older']);
});

it('the scenario file of a directory is the one that the server reads', async () => {
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
  expect(await listStoryPrompts('s', 'w', files)).toEqual(prompts);
});

it.each([
  ['invalid JSON', '{'],
  ['a file without a story', '{"scenarios":[]}'],
  ['a story without prompts', '{"story":{}}'],
  ['prompts of another type', '{"story":{"prompts":[1]}}'],
  ['a session to continue', '{"story":{"prompts":["and then?"],"session":"session.jsonl"}}'],
  ['calls in another protocol', '{"story":{"prompts":["tidy"],"tool_protocol":"xnl"}}'],
  ['a prompt that names a file of the story', '{"story":{"prompts":["read @file:a.md"]}}'],
  ['another type', '"story"'],
  ['null', 'null'],
])('the list of prompts omits %s', async (_name, text) => {
  expect(await listStoryPrompts('s', 'w', listing({ 'a/scenario.json': text, 'README.md': 'x' }))).toEqual([]);
});

it('the list of prompts omits a story with files that the workspace does not have', async () => {
  const files = listing({
    'a/scenario.json': '{"story":{"prompts":["in place"]}}',
    'a/workspace/src/one.js': '1',
    'b/scenario.json': '{"story":{"prompts":["missing"]}}',
    'b/workspace/src/two.js': '2',
    'c/scenario.json': '{"story":{"prompts":["elsewhere"],"workspace":"../../shop"}}',
    'd.json': '{"story":{"prompts":["elsewhere, too"],"workspace":"../shop"}}',
    'e/scenario.json': '{"story":{"prompts":["a directory in place of a file"]}}',
    'e/workspace/src': 'a file',
    'f/scenario.json': '{"story":{"prompts":["a file in place of a directory"]}}',
    'f/workspace/README.md/x': 'a file',
    '../shop/README.md': 'x',
    '../w/README.md': 'y',
    '../w/src/one.js': 'z',
  });
  expect(await listStoryPrompts('s', 'w', files)).toEqual(['in place', 'elsewhere', 'elsewhere, too']);
  expect(await listStoryPrompts('s', 'nowhere', files)).toEqual([]);
});

it('the list of prompts is empty when the directory does not exist', async () => {
  const files = { ...listing({}), list: () => Promise.reject(new Error('no such directory')) };
  expect(await listStoryPrompts('s', 'w', files)).toEqual([]);
});
