import { describe, expect, it } from 'vitest';
import { describeConverseFaults } from '../../../../../mock-llm-server/wire/bedrock/shape.ts';

const go = { role: 'user', content: [{ text: 'go' }] };
const config = (inferenceConfig: object) => ({ inferenceConfig });
const tool = (fields: object) => ({
  toolConfig: { tools: [{ toolSpec: { name: 'read', inputSchema: {}, ...fields } }] },
});
const called = (toolUseId: string) => ({
  messages: [go, { role: 'assistant', content: [{ toolUse: { toolUseId, name: 'read', input: {} } }] }],
});
const violates = (value: string, path: string, rule: string) =>
  `1 validation error detected: Value ${value} at '${path}' failed to satisfy constraint: Member must ${rule}`;
const CALL_ID = 'messages.2.member.content.1.member.toolUse.toolUseId';

/** A request, the message of the service, and the nearest request that it accepts. */
const ROWS: readonly (readonly [name: string, refused: object, message: string, accepted: object])[] = [
  [
    'a temperature',
    config({ temperature: 1.5 }),
    violates("'1.5'", 'inferenceConfig.temperature', 'have value less than or equal to 1'),
    config({ temperature: 1, topP: null }),
  ],
  [
    'an output limit',
    config({ maxTokens: 0 }),
    violates("'0'", 'inferenceConfig.maxTokens', 'have value greater than or equal to 1'),
    config({ maxTokens: 1 }),
  ],
  [
    'characters',
    called('a b'),
    violates("'a b'", CALL_ID, 'satisfy regular expression pattern: [a-zA-Z0-9_.:-]+'),
    called('functions.read:0'),
  ],
  [
    'a length',
    called('x'.repeat(65)),
    violates(`'${'x'.repeat(65)}'`, CALL_ID, 'have length less than or equal to 64'),
    called('x'.repeat(64)),
  ],
  [
    'a value of a list',
    { performanceConfig: { latency: 'fast' } },
    violates("'fast'", 'performanceConfig.latency', 'satisfy enum value set: [standard, optimized]'),
    { performanceConfig: { latency: 'optimized' } },
  ],
  [
    'a missing field',
    { serviceTier: {} },
    violates('null', 'serviceTier.type', 'not be null'),
    { serviceTier: { type: 'flex' } },
  ],
  [
    'an empty list',
    { toolConfig: { tools: [] } },
    violates("'[]'", 'toolConfig.tools', 'have length greater than or equal to 1'),
    tool({}),
  ],
];

describe('the model of Converse', () => {
  it.each(ROWS)('constrains %s', (_name, refused, message, accepted) => {
    expect([
      describeConverseFaults({ messages: [go], ...refused }),
      describeConverseFaults({ messages: [go], ...accepted }),
    ]).toEqual([message, undefined]);
  });

  it('counts the constraints that a request violates', () => {
    expect(describeConverseFaults({ ...tool({ name: '', description: '' }) })).toBe(
      "3 validation errors detected: Value '' at 'toolConfig.tools.1.member.toolSpec.name' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+; " +
        "Value '' at 'toolConfig.tools.1.member.toolSpec.name' failed to satisfy constraint: Member must have length greater than or equal to 1; " +
        "Value '' at 'toolConfig.tools.1.member.toolSpec.description' failed to satisfy constraint: Member must have length greater than or equal to 1",
    );
  });

  it('says nothing about values of other types', () => {
    expect(describeConverseFaults({ messages: 'go', inferenceConfig: { temperature: 'warm' } })).toBeUndefined();
  });
});
