import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ScenarioFile } from '../../../mock-llm-server/scenario/format.ts';
import { readStory } from '../../../src/stories/load-story.ts';
import { createStoryFiles } from '../../support/stories/story-files.ts';

const scenarios: ScenarioFile = { scenarios: [{ name: 'n', trigger: 't', steps: [{ response: { content: 'c' } }] }] };

describe('a scenario file', () => {
  it('with a story has the name of its directory, and its workspace in the same directory', async () => {
    const story = { prompts: ['go'] };
    const files = createStoryFiles({ 'stories/one/workspace/a.txt': '', 'stories/one/expected/a.txt': '' });
    expect(await readStory({ file: 'stories/one/scenario.json', content: { ...scenarios, story } }, files)).toEqual({
      name: 'one',
      file: path.resolve('stories/one/scenario.json'),
      source: { file: 'stories/one/scenario.json', content: { ...scenarios, story } },
      story,
      workspace: path.resolve('stories/one/workspace'),
      expected: path.resolve('stories/one/expected'),
      expectedPath: path.resolve('stories/one/expected'),
    });
  });

  it('may name the log of a session, which must exist', async () => {
    const source = {
      file: 'one/scenario.json',
      content: { ...scenarios, story: { prompts: ['go'], session: 's.jsonl' } },
    };
    expect(await readStory(source, createStoryFiles({ 'one/s.jsonl': '' }))).toMatchObject({
      session: path.resolve('one/s.jsonl'),
    });
    await expect(readStory(source, createStoryFiles({}))).rejects.toThrow('$.story.session: ');
  });

  it('with another name has that name; its directories may be elsewhere or missing', async () => {
    const story = { prompts: ['go'], workspace: '../shop' };
    const source = { file: 'stories/two.json', content: { ...scenarios, story } };
    const playable = await readStory(source, createStoryFiles({ 'shop/a.txt': '' }));
    expect(playable).toMatchObject({
      name: 'two',
      source,
      story,
      workspace: path.resolve('shop'),
      expected: undefined,
    });
    expect(playable.expectedPath).toBe(path.resolve('stories/expected'));
  });

  it.each([
    ['stories/one/scenario.yaml', 'one'],
    ['stories/one/scenario.yml', 'one'],
    ['stories/two.yaml', 'two'],
    ['stories/scenario', 'scenario'],
  ])('%s has the name %s', async (file, name) => {
    expect(
      await readStory({ file, content: { ...scenarios, story: { prompts: ['go'] } } }, createStoryFiles({})),
    ).toMatchObject({
      name,
    });
  });

  it('in the older format has its story beside it', async () => {
    const files = createStoryFiles({ 'old/story.json': '{"prompts":["hello world"]}' });
    const { story } = await readStory({ file: 'old/scenario.json', content: scenarios }, files);
    expect(story).toEqual({ prompts: ['hello world'] });
  });

  it('may name expected files that --update creates', async () => {
    const content = { ...scenarios, story: { prompts: ['go'], expected: 'after' } };
    const source = { file: 'one/scenario.json', content };
    const created = await readStory(source, createStoryFiles({}), { createsExpected: true });
    expect(created).toMatchObject({ expected: undefined, expectedPath: path.resolve('one/after') });
    await expect(readStory(source, createStoryFiles({ 'one/after': 'x' }), { createsExpected: true })).rejects.toThrow(
      'directory',
    );
    await expect(readStory(source, createStoryFiles({}))).rejects.toThrow('is not a directory');
  });

  const REFUSED: readonly (readonly [string, ScenarioFile, Readonly<Record<string, string>>, RegExp])[] = [
    [
      'no story',
      scenarios,
      {},
      /^old\/scenario\.json: \$\.story: is missing; add \{"prompts": \["what the user types"\]\}/,
    ],
    ['broken JSON', scenarios, { 'old/story.json': '{' }, /story\.json: not valid JSON: /],
    [
      'an invalid story',
      scenarios,
      { 'old/story.json': '{"prompts":[]}' },
      /story\.json: is not a valid story:[\s\S]*prompts/,
    ],
    [
      'a missing workspace',
      { ...scenarios, story: { prompts: ['go'], workspace: 'w' } },
      {},
      /\$\.story\.workspace: .*w is not a directory$/,
    ],
    [
      'a file instead of a directory',
      { ...scenarios, story: { prompts: ['go'] } },
      { 'old/expected': '' },
      /\$\.story\.expected: .*expected is not a directory$/,
    ],
  ];

  it.each(REFUSED)('is rejected for %s', async (_name, content, files, message) => {
    await expect(readStory({ file: 'old/scenario.json', content }, createStoryFiles(files))).rejects.toThrow(message);
  });
});
