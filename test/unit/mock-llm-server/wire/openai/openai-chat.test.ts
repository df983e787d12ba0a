import { describe, expect, it } from 'vitest';
import { openaiChat } from '../../../../../mock-llm-server/wire/openai/chat/chat.ts';

describe('an error', () => {
  const fault = { type: 'unpaired_results' as const, index: 3, missing: [], orphans: [], hint: undefined };

  it.each([
    [
      'missing results',
      { ...fault, missing: ['a', 'b'] },
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The " +
        'following tool_call_ids did not have response messages: a, b',
    ],
    [
      'orphans',
      { ...fault, orphans: ['c'] },
      "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'. The " +
        'following tool_call_ids answer none: c',
    ],
    [
      'both, with a hint',
      { ...fault, missing: ['a'], orphans: ['c'], hint: 'Look.' },
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The " +
        'following tool_call_ids did not have response messages: a. ' +
        "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'. The " +
        'following tool_call_ids answer none: c. Look.',
    ],
    ['a hint alone', { ...fault, hint: 'Look.' }, 'Look.'],
  ])("describes %s with the API's message", (_name, answer, message) => {
    expect(openaiChat.encodeError(openaiChat.unpaired(answer))).toEqual({
      error: { message, type: 'invalid_request_error', param: 'messages.[3].role', code: null },
    });
  });

  it('names the code of a miss', () => {
    const miss = {
      type: 'error',
      status: 400,
      code: 'no_scenario_matched',
      message: 'none',
      param: 'messages',
    } as const;
    expect(openaiChat.encodeError(miss)).toEqual({
      error: { message: 'none', type: 'invalid_request_error', param: 'messages', code: 'no_scenario_matched' },
    });
  });
});
