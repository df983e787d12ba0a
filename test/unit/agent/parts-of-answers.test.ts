import { describe, expect, it } from 'vitest';
import type { ImageContent, ProviderState } from '../../../src/agent/ports/messages.ts';
import { applyEvent, EMPTY_SESSION } from '../../../src/agent/session-state.ts';
import { eventsOf, runHarness } from '../../support/agent/agent-harness.ts';
import { scriptedCall as call, SCRIPTED } from '../../support/fakes/scripted-model.ts';
import { result, scriptedTools } from '../../support/fakes/scripted-tools.ts';

const image: ImageContent = { mediaType: 'image/png', data: 'iVBORw0KGgo=' };
const state: ProviderState = { model: 'test/scripted/scripted-model', items: [{ signature: 'abc' }] };

describe('runAgent', () => {
  it('keeps the state of the provider with the answer, and sends it back', async () => {
    const run = await runHarness({
      answers: [{ calls: [call('a', 'read', {})], events: [{ type: 'provider_state', state }] }, { text: 'Done.' }],
      tools: scriptedTools({ read: {} }),
    });
    expect(run.model.requests[1]?.messages[1]).toMatchObject({ role: 'assistant', providerState: state });
    expect(run.events.map(({ type }) => type)).not.toContain('provider_state');
  });

  it('sends the pictures of a tool result with its content', async () => {
    const run = await runHarness({
      answers: [{ calls: [call('a', 'look', {})] }, { text: 'A cat.' }],
      tools: scriptedTools({
        look: {
          async *run() {
            return { ...result('cat.png'), images: [image] };
          },
        },
      }),
    });
    expect(eventsOf(run, 'tool_result')).toMatchObject([{ content: 'cat.png', images: [image] }]);
    expect(run.model.requests[1]?.messages[2]).toMatchObject({ role: 'tool', images: [image] });
  });

  it('does not execute a call with a problem, and tells the model why', async () => {
    const problem = 'The tool_call has no id.';
    const tools = scriptedTools({ read: {} });
    const run = await runHarness({
      answers: [
        { events: [{ type: 'tool_call_delta', index: 0, name: 'read', arguments: '{}', problem }], end: 'tool_calls' },
        { text: 'Done.' },
      ],
      tools,
    });
    expect(tools.ran).toEqual([]);
    expect(eventsOf(run, 'tool_result')).toMatchObject([
      { outcome: 'failed', code: 'invalid_arguments', content: `${problem}\nerror: invalid_arguments` },
    ]);
  });

  it('names the files that the model knows after a call', async () => {
    const files = [{ realPath: '/w/a', digest: 'abc' }];
    const run = await runHarness({
      answers: [{ calls: [call('a', 'read', {})] }, { text: 'Done.' }],
      tools: scriptedTools({
        read: {
          async *run() {
            return { ...result('a'), files };
          },
        },
      }),
    });
    expect(eventsOf(run, 'tool_result')).toMatchObject([{ files }]);
  });

  it('names provider, wire and model at the start of every turn', async () => {
    const run = await runHarness({ answers: [{ text: 'Done.' }] });
    expect(eventsOf(run, 'turn_start')).toEqual([{ type: 'turn_start', turn: 1, model: SCRIPTED }]);
  });
});

describe('applyEvent', () => {
  it('replaces the history by the messages of a compaction', () => {
    const before = applyEvent(EMPTY_SESSION, { type: 'user_message', text: 'a long story' });
    const messages = [{ role: 'user', content: 'a short story' }] as const;
    const compaction = { type: 'compaction', tokensBefore: 900, tokensAfter: 100, messages } as const;
    expect(applyEvent(before, compaction).messages).toEqual(messages);
  });
});
