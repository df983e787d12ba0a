import { describe, expect, it } from 'vitest';
import type { Reply } from '../../../../../mock-llm-server/conversation/conversation.ts';
import { digestOf, scenarioTagOf } from '../../../../../mock-llm-server/conversation/ids.ts';
import { createResponseId, parseResponseId } from '../../../../../mock-llm-server/wire/openai/shared.ts';

const digest = digestOf('x');
const replyFrom = (source: Reply['source']): Reply => ({
  digest,
  created: 1,
  model: 'm',
  reasoning: undefined,
  content: 'hi',
  toolCalls: [],
  finish: 'stop',
  usage: { inputTokens: 1, cachedTokens: 0, outputTokens: 1, reasoningTokens: 0 },
  source,
});
const id = createResponseId(replyFrom({ scenario: 'a', step: 3 }));

describe('the id of a response', () => {
  it('contains scenario, step and digest', () => {
    expect(id).toMatch(/^resp_[0-9a-f]{8}_3_[0-9a-f]{32}$/);
    const position = { scenarioTag: scenarioTagOf('a'), step: 3 };
    expect(parseResponseId(id)).toEqual({ id, digest: digest.slice(0, 24), position });
  });

  it('contains only the digest for a reply of no scenario', () => {
    const other = createResponseId(replyFrom(undefined));
    expect(other).toMatch(/^resp_[0-9a-f]{32}$/);
    expect(parseResponseId(other)).toEqual({ id: other, digest: digest.slice(0, 24) });
  });

  it.each([
    '',
    'resp_',
    'resp_67ccd2bed1ec8190b14f964abc0542670bb6a6b452d3795b',
    `resp_${'0'.repeat(32)}`,
    `resp_${'0'.repeat(8)}_0_${'0'.repeat(32)}`,
    id.replace('_3_', '_2_'),
    id.slice(1),
    `${id}0`,
    'msg_1',
  ])('cannot be %j, which no server generated', (unknown) => {
    expect(parseResponseId(unknown)).toBeUndefined();
  });
});
