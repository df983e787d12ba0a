import { expect, it } from 'vitest';
import type { AgentEvent } from '../../../../src/agent/ports/events.ts';
import { createStreamJson } from '../../../../src/hosts/stream-json/stream-json.ts';
import { createFakeAgent } from '../../../support/fake-agent.ts';

it('asks about a later call with the id of one whose input the host has changed', async () => {
  let asked = 0;
  const stream = createStreamJson(
    { partial: false, asksHost: true },
    {
      writeLine: async () => {
        asked += 1;
        return stream.requests.answer('q', { response: { behavior: 'allow', updatedInput: { file_path: 'b' } } });
      },
      ...{ newId: () => 'q', now: () => 0, version: '1', wait: async () => {}, warn: async () => {} },
    },
  );
  const request = { callId: 'c1', toolName: 'write_file', effect: { summary: '', paths: [] }, reason: 'It writes.' };
  const ask = () => stream.approver?.decide(request, new AbortController().signal);
  const result: AgentEvent = {
    ...{ type: 'tool_result', callId: 'c1', toolName: 'write_file', outcome: 'ok' },
    ...{ content: '', summary: '', durationMs: 0 },
  };
  expect(await ask()).toMatchObject({ type: 'change' });
  stream.format.encode(result, createFakeAgent([]));
  expect(await ask()).toMatchObject({ type: 'change' });
  expect(asked).toBe(2);
});
