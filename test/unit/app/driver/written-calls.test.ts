import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../../src/agent/ports/events.ts';
import { withWrittenCalls } from '../../../../src/app/driver/written-calls.ts';

async function* of(events: readonly AgentEvent[]): AsyncGenerator<AgentEvent, void, void> {
  yield* events;
}

async function written(...events: readonly AgentEvent[]) {
  const seen: unknown[] = [];
  const effectOf = (name: string) => (name === 'write_file' ? 'write' : undefined);
  for await (const event of withWrittenCalls(of(events), effectOf)) {
    seen.push(event.type === 'tool_call_delta' ? event.written : event.type);
  }
  return seen;
}

const piece = (callId: string, text: string) =>
  ({ type: 'tool_call_delta', callId, name: 'write_file', text }) as const;
const held = (text: string) => ({ type: 'tool_call_delta', text }) as const;
const started: AgentEvent = { type: 'turn_start', turn: 1, model: { provider: 'p', wire: 'w', model: 'm' } };

describe('the calls that a model is writing', () => {
  it('are reported separately, with tool, effect, path and size so far', async () => {
    const facts = { name: 'write_file', effect: 'write' } as const;
    expect(
      await written(piece('a', '{"path":"x",'), piece('b', '{"path":"y"'), piece('a', '"content":"12'), started),
    ).toEqual([
      { ...facts, path: 'x', size: 0, tail: '' },
      { ...facts, path: 'y', size: 0, tail: '' },
      { ...facts, path: 'x', size: 2, tail: '12' },
      'turn_start',
    ]);
  });

  it('begin again with each answer, and after text that was not a call', async () => {
    const again = [piece('a', '{"content":"12'), started, piece('a', '{"content":"3')];
    expect(await written(...again)).toMatchObject([{ size: 2 }, 'turn_start', { size: 1, tail: '3' }]);
    const texts = [held('<tool_call>{"name":"now","x":"1'), { type: 'text_delta', text: 'x' } as const, held('<x')];
    expect(await written(...texts)).toEqual([{ name: 'now', size: 1, tail: '1' }, 'text_delta', { size: 0, tail: '' }]);
  });
});
