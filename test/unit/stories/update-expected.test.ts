import { describe, expect, it } from 'vitest';
import { updateRefusal } from '../../../src/stories/load-story.ts';
import type { PlayableStory } from '../../../src/stories/play/play-story.ts';

/** A story in its own directory, with the given changes. */
function story(name: string, more: Partial<PlayableStory> = {}): PlayableStory {
  return {
    name,
    file: `/stories/${name}/scenario.json`,
    source: { file: '', content: { scenarios: [] } },
    story: { prompts: ['go'] },
    workspace: `/stories/${name}/workspace`,
    expected: undefined,
    expectedPath: `/stories/${name}/expected`,
    ...more,
  };
}

const shared = '/stories/shared';
const flat = { file: '/stories/flat.json', workspace: undefined, expectedPath: '/stories/expected' };

describe('--update', () => {
  it.each<[string, PlayableStory, readonly PlayableStory[]]>([
    ['of a story directory', story('one'), [story('two')]],
    [
      'of a directory whose name starts like a workspace',
      story('one', { expectedPath: '/stories/one/workspace-2' }),
      [],
    ],
    ['of a flat file that exist', story('flat', { ...flat, expected: '/stories/expected' }), []],
    ['of a flat file that it names', story('flat', { ...flat, story: { prompts: ['go'], expected: 'expected' } }), []],
    ['of a scenario in YAML', story('one', { file: '/stories/one/scenario.yml' }), []],
  ])('writes the expected files %s', (_name, playable, others) => {
    expect(updateRefusal(playable, [playable, ...others])).toBeUndefined();
  });

  it.each<[string, PlayableStory, readonly PlayableStory[], RegExp]>([
    ['its own workspace', story('one', { expectedPath: '/stories/one/workspace' }), [], /workspace of one/],
    [
      'a part of a workspace',
      story('one', { expectedPath: '/stories/two/workspace/a' }),
      [story('two')],
      /workspace of two/,
    ],
    [
      'a directory around a workspace',
      story('one', { expectedPath: '/shop', workspace: '/shop/src' }),
      [],
      /workspace/,
    ],
    ['the directory of the story', story('one', { expectedPath: '/stories/one/' }), [], /contains a story/],
    ['the root', story('one', { expectedPath: '/' }), [], /contains a story/],
    [
      'a directory of Windows with a story',
      story('one', { file: 'C:\\s\\scenario.json', expectedPath: 'C:\\s' }),
      [],
      /a story/,
    ],
    [
      'a directory of two stories',
      story('one', { expectedPath: shared }),
      [story('two', { expectedPath: shared })],
      /two also expects/,
    ],
    [
      'a part of another story',
      story('one', { expectedPath: `${shared}/a` }),
      [story('two', { expectedPath: shared })],
      /two also expects/,
    ],
    ['a new directory beside a flat file', story('flat', flat), [], /every story in this directory/],
  ])('does not write %s', (_name, playable, others, reason) => {
    expect(updateRefusal(playable, [playable, ...others])).toMatch(reason);
  });
});
