import { describe, expect, it } from 'vitest';
import { createFactsRow, describeFacts, factsAfter } from '../../../../src/terminal/chat/session-facts.ts';
import { createFakeAgent, EMPTY_READING } from '../../../support/fakes/fake-agent.ts';

const FACTS = {
  model: 'mock/m',
  permissionMode: 'ask',
  sandbox: { type: 'on', program: 'bubblewrap' },
  inputTokens: 0,
  outputTokens: 0,
} as const;

describe('the facts about a session', () => {
  it.each([
    [{}, 'mock/m · ask · sandbox on'],
    [{ sandbox: undefined }, 'mock/m · ask'],
    [{ sandbox: { type: 'off', reason: 'none' } as const }, 'sandbox OFF · mock/m · ask'],
    [{ model: 'mock//home/ada/models/unsloth/Qwen3-30B.gguf' }, 'mock/…/Qwen3-30B.gguf · ask · sandbox on'],
    [{ model: 'a\u001b[2J' }, 'a\\u{1b}[2J · ask · sandbox on'],
    [{ agent: 'a\u0007b' }, 'mock/m · agent a\\u{7}b · ask · sandbox on'],
    [{ context: { tokens: 500, window: 2_000 } }, 'mock/m · ask · sandbox on · context 25 %'],
    [{ inputTokens: 9_999, outputTokens: 1 }, 'mock/m · ask · sandbox on · 9,999 tokens in, 1 out'],
    [{ inputTokens: 1_234_567, outputTokens: 10_400 }, 'mock/m · ask · sandbox on · 1235k tokens in, 10k out'],
  ])('with %j', (changes, row) => {
    expect(describeFacts({ ...FACTS, ...changes }).join(' · ')).toBe(row);
  });

  it('change with events', () => {
    const model = { provider: 'mock', model: 'm', wire: 'openai-chat' } as const;
    const usage = { type: 'usage', model, inputTokens: 5, outputTokens: 2 } as const;
    const twice = factsAfter(factsAfter(FACTS, usage), usage);
    expect(twice).toEqual({ ...FACTS, inputTokens: 10, outputTokens: 4 });
    expect(factsAfter(FACTS, { type: 'permission_mode', mode: 'plan' }).permissionMode).toBe('plan');
    expect(factsAfter(FACTS, { type: 'run_end', outcome: 'done', message: '' })).toBe(FACTS);
  });
});

describe('the row of facts', () => {
  it('counts all tokens of a session, like /cost, including those before it was continued', async () => {
    const rows: string[] = [];
    const row = createFactsRow(FACTS, (facts) => rows.push(facts.at(-1) ?? ''));
    const model = { provider: 'mock', model: 'm', wire: 'openai-chat' } as const;
    const usage = { type: 'usage', model, inputTokens: 5, outputTokens: 2 } as const;
    const agent = createFakeAgent([]);
    const measureContext = () => Promise.reject(new Error('not measured'));
    const sessionWith = (inputTokens: number, outputTokens: number) => {
      const reading = { ...EMPTY_READING, inputTokens, outputTokens };
      return { ...agent, measureContext, record: { ...agent.record, restored: reading } };
    };
    const continued = sessionWith(100, 10);
    row.note(usage);
    row.read(continued);
    expect(rows.at(-1)).toBe('105 tokens in, 12 out');
    row.note(usage);
    row.read(continued);
    expect(rows.at(-1)).toBe('110 tokens in, 14 out');
    // After /clear.
    row.read({ ...agent, measureContext, record: { ...agent.record } });
    expect(rows.at(-1)).toBe('sandbox on');
    row.note(usage);
    expect(rows.at(-1)).toBe('5 tokens in, 2 out');
    // After /load.
    row.read(sessionWith(7, 3));
    expect(rows.at(-1)).toBe('7 tokens in, 3 out');
  });

  it('is shown again after each change, and follows the agent', async () => {
    const rows: string[] = [];
    const row = createFactsRow(FACTS, (facts) => rows.push(facts.join(' · ')));
    row.note({ type: 'run_end', outcome: 'done', message: '' });
    expect(rows).toEqual(['mock/m · ask · sandbox on']);
    let calls = 0;
    const agent = {
      ...createFakeAgent([]),
      async measureContext() {
        calls += 1;
        if (calls > 1) throw new Error('gone');
        return { parts: [], tokens: 1, window: 4, limit: 3 };
      },
    };
    row.read(agent);
    await new Promise(setImmediate);
    expect(rows.at(-1)).toContain('context 25 %');
    row.read({ ...agent, chosen: { name: 'reviewer', prompt: '', path: 'reviewer.md' } });
    expect(rows.at(-1)).toContain(' · agent reviewer · ');
    row.read(agent);
    expect(rows.at(-1)).not.toContain('agent reviewer');
    row.read(agent);
    await new Promise(setImmediate);
    const count = rows.length;
    row.close();
    await new Promise(setImmediate);
    expect(rows).toHaveLength(count);
  });
});
