import { describe, expect, it } from 'vitest';
import { withTextCalls } from '../../../../src/providers/text-calls/with-text-calls.ts';
import { collect } from '../../../support/contracts/language-model.ts';
import { createScriptedModel, type ScriptedAnswer } from '../../../support/fakes/scripted-model.ts';

const tools = [
  { name: 'now', description: 'Tells the time.', parameters: { type: 'object' }, effect: 'read' as const },
];
const CALL = '<tool_call>{"name": "now", "arguments": {}}</tool_call>';

interface Answer {
  readonly reasoning: string;
  readonly text: string;
  readonly calls: number;
}

/** The calls and texts that are read in each of the answers of one model. */
async function answers(...scripted: readonly ScriptedAnswer[]): Promise<readonly Answer[]> {
  const model = withTextCalls(createScriptedModel(...scripted));
  const read: Answer[] = [];
  for (const _ of scripted) {
    const events = await collect(model.stream({ system: '', messages: [], tools }, new AbortController().signal));
    const textOf = (type: 'text_delta' | 'reasoning_delta'): string =>
      events.flatMap((event) => (event.type === type ? [event.text] : [])).join('');
    read.push({
      reasoning: textOf('reasoning_delta'),
      text: textOf('text_delta'),
      calls: events.filter((event) => event.type === 'tool_call_delta').length,
    });
  }
  return read;
}

// https://github.com/nbramia/LifeOS/issues/568, https://github.com/antirez/ds4/issues/678
const UNOPENED = 'hm\n</think>\n\nHello';

describe('reasoning whose start stands in the prompt', () => {
  it.each<readonly [name: string, answer: ScriptedAnswer, read: Answer]>([
    ['whole', { text: 'so\n</think>\n\nDone' }, { reasoning: 'so\n', text: 'Done', calls: 0 }],
    ['in pieces', { text: ['s', 'o\n</th', 'ink>\n\nDo', 'ne'] }, { reasoning: 'so\n', text: 'Done', calls: 0 }],
    ['with a call', { text: `so\n</think>\n\n${CALL}` }, { reasoning: 'so\n', text: '', calls: 1 }],
    ['with its start', { text: '<think>so</think>Done' }, { reasoning: 'so', text: 'Done', calls: 0 }],
    ['without its end', { text: 'Done' }, { reasoning: 'Done', text: 'Done', calls: 0 }],
    ['without its end, with a call', { text: `Now\n${CALL}` }, { reasoning: `Now\n${CALL}`, text: 'Now\n', calls: 1 }],
    [
      'that was cut',
      { text: `Now\n${CALL}`, end: 'length' },
      { reasoning: `Now\n${CALL}`, text: `Now\n${CALL}`, calls: 0 },
    ],
  ])('is read from the second answer on: %s', async (_name, answer, read) => {
    expect(await answers({ text: UNOPENED }, answer)).toEqual([{ reasoning: '', text: UNOPENED, calls: 0 }, read]);
  });

  it.each<readonly [name: string, first: ScriptedAnswer]>([
    ['a tag within a line', { text: 'Write </think> at the end.' }],
    ['a tag in a fenced block', { text: 'As in:\n```\nhm\n</think>\nHello\n```' }],
    ['a tag after reasoning of its own', { text: UNOPENED, reasoning: 'hm' }],
  ])('is not expected after %s', async (_name, first) => {
    expect((await answers(first, { text: 'Done' }))[1]).toEqual({ reasoning: '', text: 'Done', calls: 0 });
  });

  it('is no longer expected after an answer without it, and still after one without text', async () => {
    const read = await answers({ text: UNOPENED }, { text: '' }, { text: 'One' }, { text: 'Two' });
    expect(read.slice(1)).toEqual([
      { reasoning: '', text: '', calls: 0 },
      { reasoning: 'One', text: 'One', calls: 0 },
      { reasoning: '', text: 'Two', calls: 0 },
    ]);
  });
});
