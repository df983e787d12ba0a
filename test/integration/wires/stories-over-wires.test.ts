import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadScenarioFiles, nodeScenarioFiles } from '../../../mock-llm-server/scenario/loading/load.ts';
import type { AgentEvent } from '../../../src/agent/ports/events.ts';
import { createUpdateEncoder } from '../../../src/hosts/acp/updates.ts';
import { nodeStoryDisk } from '../../../src/node/files/node-story-disk.ts';
import { WIRE_NAMES, type Wire } from '../../../src/providers/wires.ts';
import { readStory } from '../../../src/stories/load-story.ts';
import { eventProblems, updateProblems } from '../../support/agent/published-schema.ts';
import { hostLineProblems, LINE_PROBLEMS, linesOf } from '../../support/hosts/host-lines.ts';
import { LONG } from '../../support/random/property.ts';
import { playOverWire } from '../../support/wires/play-over-wire.ts';
import { wireExclusion } from '../../support/wires/stories-on-wires.ts';

const files = await loadScenarioFiles([path.join(import.meta.dirname, '../../../scenarios')], nodeScenarioFiles);
const stories = await Promise.all(files.map((source) => readStory(source, nodeStoryDisk)));

/** The troubles of each story that has one, as their events name them. Other stories have none. */
const TROUBLES: Readonly<Record<string, readonly string[]>> = {
  'context-overflow-compacts': ['retry: context_overflow', 'compaction'],
  'long-conversation-compacts': ['compaction'],
  'tool-call-as-text': ['warning: recovered_tool_call'],
  'stream-cut-then-retry': ['retry: cut_off'],
  'refused-system-message': ['retry: bad_request'],
  'rate-limit-retry-after': ['retry: rate_limit'],
  'repeats-itself-until-stopped': ['warning: repetition', 'run_end: stuck'],
  'empty-answer': [...Array<string>(3).fill('retry: incomplete_answer'), 'run_end: failed'],
  'approval-times-out': ['run_end: denied'],
  'denied-twice': ['run_end: denied'],
  'interrupted-call-has-a-result': ['run_end: aborted'],
};

function troubleOf(event: AgentEvent): readonly string[] {
  switch (event.type) {
    case 'warning':
    case 'retry':
      return [`${event.type}: ${event.code}`];
    case 'compaction':
      return [event.type];
    case 'run_end':
      return event.outcome === 'done' ? [] : [`run_end: ${event.outcome}`];
    default:
      return [];
  }
}

const TROUBLED = Object.keys(TROUBLES);
const PLAIN = stories.map(({ name }) => name).filter((name) => !TROUBLED.includes(name));

/**
 * The wires that a story is played over: two for one with a trouble, one for any other. They take turns, so that each
 * gets several stories; the long tests play all over each.
 */
function wiresOf(name: string): readonly Wire[] {
  const wires = WIRE_NAMES.filter((wire) => wireExclusion(name, wire) === undefined);
  if (LONG) return wires;
  const first = (TROUBLED.includes(name) ? TROUBLED : PLAIN).indexOf(name) % wires.length;
  return [...wires, ...wires].slice(first, first + (TROUBLED.includes(name) ? 2 : 1));
}

describe.each(WIRE_NAMES)('over %s', (wire) => {
  const played = stories.filter(({ name }) => wiresOf(name).includes(wire));

  it('several stories are played', () => {
    expect(played.length).toBeGreaterThan(5);
  });

  it.each(played.map((story) => [story.name, story] as const))(
    'the story %s passes, and each request continues the one before with the answers as they came',
    async (name, story) => {
      const { result, events, prefixProblems, history } = await playOverWire(story, wire);
      expect(result).toEqual({ type: 'passed', name, durationMs: expect.any(Number) });
      expect(events.flatMap(eventProblems)).toEqual([]);
      expect(await hostLineProblems(events)).toEqual([]);
      expect(events.flatMap(createUpdateEncoder({ notices: true, window: 1_000 })).flatMap(updateProblems)).toEqual([]);
      expect(events.flatMap(createUpdateEncoder({ replays: true })).flatMap(updateProblems)).toEqual([]);
      expect(events.flatMap(troubleOf)).toEqual(TROUBLES[name] ?? []);
      const said = events.flatMap((event) => (event.type === 'assistant_message' ? [event.message.content] : []));
      expect(said.filter((text) => /<(think|tool_call)>/.test(text))).toEqual([]);
      expect(prefixProblems).toEqual([]);
      expect(history).toEqual([]);
    },
  );
});

it('every story is played over a wire', () => {
  const missing = stories.filter(({ name }) => wiresOf(name).length === 0);
  expect(missing.map(({ name }) => name)).toEqual([]);
});

describe('the checks of the lines for hosts', () => {
  const story = stories.find(({ name }) => name === 'list-and-search');
  if (story === undefined) throw new Error('the story is missing');

  it.each(['stream-json', 'yume-json'] as const)('find each line of %s that is broken', async (format) => {
    const { result, events } = await playOverWire(story, 'openai-chat');
    expect(result).toEqual({ type: 'passed', name: story.name, durationMs: expect.any(Number) });
    const whole = (await linesOf(format, events)).lines;
    const problems = LINE_PROBLEMS[format];
    expect(problems(whole)).toEqual([]);
    expect(whole.length).toBeGreaterThan(5);
    for (const [index, line] of whole.entries()) {
      expect(problems(whole.with(index, { ...line, later: 1 }))).not.toEqual([]);
      expect(problems(whole.with(index, { ...line, type: 'unheard_of' }))).not.toEqual([]);
    }
    const isCall = (line: object): boolean => JSON.stringify(line).includes('"type":"tool_use"');
    expect(problems(whole.filter((line) => !isCall(line)))).toContainEqual(
      expect.stringContaining('without its tool_use'),
    );
    expect(problems(whole.filter(({ type }) => type !== 'result'))).not.toEqual([]);
  });
});

describe('with a small context window', () => {
  it('a story passes all the same, and the user is warned once', async () => {
    const story = stories.find(({ name }) => name === 'list-and-search');
    if (story === undefined) throw new Error('the story is missing');
    const small = { context: { max_tokens: 5_000 }, llm: { max_tokens: 512 } };
    const { result, events, prefixProblems } = await playOverWire(story, 'openai-chat', small);
    expect(result).toMatchObject({ type: 'passed' });
    expect(prefixProblems).toEqual([]);
    const message =
      'mock-model has a context window of only 5,000 tokens. Long tasks need 16,000 or more; see context.max_tokens.';
    expect(events.filter(({ type }) => type === 'warning')).toEqual([
      { type: 'warning', code: 'small_window', message },
    ]);
  });
});
