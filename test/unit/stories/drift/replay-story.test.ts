import { describe, expect, it } from 'vitest';
import type { Story } from '../../../../mock-llm-server/scenario/format.ts';
import type { ApprovalDecision, ApprovalRequest } from '../../../../src/agent/ports/approver.ts';
import type { AgentEvent } from '../../../../src/agent/ports/events.ts';
import { answerAt, checkReplayable, renewStory, replaceRecording } from '../../../../src/stories/drift/replay-story.ts';
import type { PlayableStory } from '../../../../src/stories/play/play-story.ts';
import { approveInOrder } from '../../../../src/stories/play/play-with-ybs.ts';
import { createMemoryStoryDisk } from '../../../support/fakes/memory-story-disk.ts';

const playable: PlayableStory = {
  name: 'one',
  file: '/s/one/scenario.json',
  source: { file: 'one/scenario.json', content: { scenarios: [] } },
  story: { prompts: ['go'], expected: '../shared' },
  workspace: '/s/one/workspace',
  expected: undefined,
  expectedPath: '/s/shared',
};

describe('checkReplayable', () => {
  const lock = { version: 1, agent: 'ybs', volatile: [], steps: [] } as const;

  it('accepts a story with a directory of its own and a lock', () => {
    expect(() => checkReplayable({ ...playable, source: { ...playable.source, lock } })).not.toThrow();
  });

  it.each([
    ['a file among others', { ...playable, file: '/s/one.json' }, 'only a story in a directory of its own'],
    ['a story without a lock', playable, 'Write it with: ybs test --rebase one/scenario.json'],
  ])('refuses %s', (_what, story, message) => {
    expect(() => checkReplayable(story)).toThrow(message);
  });
});

it('approveInOrder returns the answers of the story, then those of another approver', async () => {
  const request: ApprovalRequest = { callId: 'c', toolName: 't', reason: '', effect: { summary: '', paths: [] } };
  const other = { decide: async (): Promise<ApprovalDecision> => ({ type: 'unavailable' }) };
  const { decide } = approveInOrder(['once', { deny: 'no' }], other);
  const { signal } = new AbortController();
  expect([await decide(request, signal), await decide(request, signal), await decide(request, signal)]).toEqual([
    { type: 'once' },
    { type: 'deny', feedback: 'no' },
    { type: 'unavailable' },
  ]);
});

describe('answerAt', () => {
  /** Runs with two answers each; `seen` are the events that were taken from them. */
  async function* runs(seen: string[]): AsyncGenerator<AsyncGenerator<AgentEvent>> {
    for (const first of [0, 2]) yield run(first, seen);
  }

  async function* run(first: number, seen: string[]): AsyncGenerator<AgentEvent> {
    for (const number of [first, first + 1]) {
      yield { type: 'turn_start', turn: 1, model: { provider: 'p', wire: 'w', model: 'm' } };
      seen.push(`answer ${number}`);
      yield {
        type: 'assistant_message',
        message: { role: 'assistant', content: `${number}`, toolCalls: [] },
        finish: 'stop',
      };
      seen.push(`after ${number}`);
    }
  }

  it('returns an answer of any run and stops there', async () => {
    const seen: string[] = [];
    expect(await answerAt(runs(seen), 2)).toMatchObject({ message: { content: '2' }, model: 'm' });
    expect(seen.at(-1)).toBe('answer 2');
  });

  it('returns nothing for an answer that no run has', async () => {
    expect(await answerAt(runs([]), 4)).toBeUndefined();
  });
});

it('renewStory takes only the approvals and the outcome from the new run', () => {
  const old: Story = {
    prompts: ['go'],
    approvals: ['once'],
    expected_outcome: 'limit',
    expected_result_contains: ['x'],
  };
  expect(renewStory(old, {})).toEqual({ prompts: ['go'], expected_result_contains: ['x'] });
  expect(renewStory(old, { approvals: ['deny'], expected_outcome: 'denied' })).toEqual({
    ...old,
    approvals: ['deny'],
    expected_outcome: 'denied',
  });
});

describe('replaceRecording', () => {
  async function replace(left: Readonly<Record<string, string>>) {
    const disk = createMemoryStoryDisk({
      '/s/one': { 'scenario.json': 'old', 'note.md': 'mine' },
      '/s/one/workspace': { 'a.txt': 'a' },
      '/left': left,
    });
    const stories: Story[] = [];
    const files = async (story: Story) => {
      stories.push(story);
      return new Map<string, string>([['scenario.json', 'new']]);
    };
    const resolve = (...parts: readonly string[]) => parts.join('/').replace(/\/[^/]+\/\.\.$/, '');
    const writeFile = async (path: string, text: string) => {
      const [, directory = '', name = ''] = /^(.*)\/([^/]+)$/.exec(path) ?? [];
      disk.directories.get(directory)?.set(name, new TextEncoder().encode(text));
    };
    await replaceRecording(playable, { files, workspace: '/left' }, { ...disk, resolve, writeFile });
    const story = Object.fromEntries(disk.directories.get('/s/one') ?? []);
    const text = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes);
    return {
      story: stories[0],
      scenario: text(story['scenario.json']),
      note: text(story['note.md']),
      directories: [...disk.directories.keys()],
    };
  }

  it('writes the new files into the directory of the story and keeps the others', async () => {
    const { story, scenario, note, directories } = await replace({ 'a.txt': 'a' });
    expect([scenario, note, story?.expected]).toEqual(['new', 'mine', '../shared']);
    expect(directories).toEqual(['/s/one', '/s/one/workspace', '/left']);
  });

  it('makes new files expected ones of the story', async () => {
    const { story, directories } = await replace({ 'a.txt': 'b' });
    expect(story).toEqual({ prompts: ['go'] });
    expect(directories).toContain('/tmp/1/expected');
  });
});
