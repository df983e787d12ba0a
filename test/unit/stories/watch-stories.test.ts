import { describe, expect, it } from 'vitest';
import type { PlayableStory, StoryResult } from '../../../src/stories/play/play-story.ts';
import { playAgainOnChange, type WatchPorts, watchedPath } from '../../../src/stories/watch-stories.ts';

const story = (name: string): PlayableStory => ({
  name,
  file: `/${name}.json`,
  source: { file: '', content: { scenarios: [] } },
  story: { prompts: ['go'] },
  workspace: '/shop',
  expected: undefined,
  expectedPath: `/${name}/expected`,
});

const failed: StoryResult = { type: 'failed', name: 'a', durationMs: 1, problems: ['x'], kept: '/tmp/kept' };

/** Watches with these fingerprints, one for each check, and stops when there are no more. */
async function watch(fingerprints: readonly string[], more: Partial<WatchPorts> = {}) {
  const actions: string[] = [];
  const stop = new AbortController();
  let look = 0;
  const outcome = await playAgainOnChange([story('a')], ['stories'], {
    async load() {
      actions.push('load');
      return [story('b')];
    },
    async play(stories) {
      actions.push(`play ${stories.map(({ name }) => name).join()}`);
      return { outcome: 'failed', results: [failed] };
    },
    stop: stop.signal,
    async write(text) {
      actions.push(text.trim());
      return true;
    },
    disk: {
      async fingerprint(paths) {
        actions.push(`look ${paths.join()}`);
        const found = fingerprints[look++];
        if (look >= fingerprints.length) stop.abort();
        return found ?? '';
      },
      remove: async (directory) => void actions.push(`remove ${directory}`),
    },
    clock: {
      sleep: async (_ms, signal) => signal.throwIfAborted(),
    },
    ...more,
  });
  return { outcome, actions: actions.filter((action, index) => action !== actions[index - 1]) };
}

const FIRST = 'look stories,/shop,/a/expected';
const WAITING = 'waiting for a change; Ctrl-C ends';

describe('watching stories', () => {
  it('plays them again once the files have settled after a change, and removes the directories of failed stories', async () => {
    const { outcome, actions } = await watch(['1', '1', '2', '3', '3', '3', '3', '3']);
    expect(outcome).toBe('aborted');
    const next = 'look stories,/shop,/a/expected,/b/expected';
    expect(actions).toEqual([
      ...[FIRST, 'play a', WAITING, FIRST, 'remove /tmp/kept', 'load'],
      ...[next, 'play b', WAITING, next],
    ]);
  });

  it('does not play them again without a change', async () => {
    const { actions } = await watch(['1', '1', '1', '1', '1']);
    expect(actions).toEqual([FIRST, 'play a', WAITING, FIRST]);
  });

  it('plays again at once after a change during the first play', async () => {
    const { actions } = await watch(['1', '2', '2', '2', '2', '2']);
    expect(actions).toContain('load');
  });

  it('reports an invalid file and waits for the next change', async () => {
    const load = async () => {
      throw new Error('a.json: not valid\u001b');
    };
    const { actions } = await watch(['1', '2', '2', '2', '2', '2'], { load });
    expect(actions.slice(4)).toEqual(['remove /tmp/kept', 'a.json: not valid\\u{1b}', FIRST, WAITING, FIRST]);
  });

  it('ends when the play was stopped or the output is closed', async () => {
    const play: WatchPorts['play'] = async () => ({ outcome: 'aborted', results: [] });
    expect((await watch(['1', '1', '1'], { play })).outcome).toBe('aborted');
    const unread = await watch(['1', '1', '1'], { write: async () => false });
    expect(unread.actions).toEqual([FIRST, 'play a']);
  });
});

it.each([
  ['stories', 'stories'],
  ['stories/one.json', 'stories/one.json'],
  ['stories/**', 'stories/'],
  ['stories/a*/scenario.json', 'stories/'],
  ['*.json', '.'],
  ['/abs/{a,b}', '/abs/'],
])('watchedPath(%j) is %j', (argument, path) => {
  expect(watchedPath(argument)).toBe(path);
});
