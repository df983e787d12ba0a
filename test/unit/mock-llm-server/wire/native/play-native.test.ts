import { describe, expect, it } from 'vitest';
import { createMockServer } from '../../../../../mock-llm-server/server/app.ts';
import { scenarioSet } from '../../../../support/stories/builders.ts';

const CHUNK = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'gpt-5' };
const chunk = (delta: object, finish: string | null = null) => ({
  ...CHUNK,
  choices: [{ index: 0, delta, finish_reason: finish }],
});

/** A step with a native answer of Chat Completions, which one request gets. */
async function ask(body: object, step: object = {}, response: object = {}) {
  const events = [
    chunk({ role: 'assistant', content: '' }),
    chunk({ content: '{{text 1}}' }),
    { ...chunk({}, 'stop'), x_groq: { id: 'req_1' } },
  ];
  const native = { protocol: 'openai-chat', events };
  const steps = [{ response: { content: 'one two three', native, ...response }, ...step }];
  const app = createMockServer({ scenarios: scenarioSet({ scenarios: [{ name: 's', trigger: 'go', steps }] }) });
  const sent = { model: 'm', stream: true, messages: [{ role: 'user', content: 'go' }], ...body };
  const answer = await app.request('/v1/chat/completions', { method: 'POST', body: JSON.stringify(sent) });
  return answer.text();
}

describe('a native answer', () => {
  it('is sent with the texts of the step, cut into pieces', async () => {
    const text = await ask({});
    expect([...text.matchAll(/"content":"([^"]*)"/g)].map(([, piece]) => piece)).toEqual(['', 'one', ' two', ' three']);
    expect(text).toContain('"x_groq":{"id":"req_1"}');
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  it('leaves a request that is not streamed to the fields beside it', async () => {
    expect(JSON.parse(await ask({ stream: false }))).toMatchObject({
      system_fingerprint: 'fp_mock',
      choices: [{ message: { content: 'one two three' } }],
    });
  });

  it('is sent whole, because its service did not keep the limit either', async () => {
    expect(await ask({ max_tokens: 1, stop: ['two'] })).toContain('x_groq');
  });

  it('ends at the point of a fault', async () => {
    const text = await ask({}, { fault: { cut: true, at: { characters: 4 } } });
    expect([...text.matchAll(/"content":"([^"]*)"/g)].map(([, piece]) => piece)).toEqual(['', 'one', ' ']);
  });

  it('is not sent if a fault changes the answer', async () => {
    expect(await ask({}, { fault: { empty_answer: true } })).not.toContain('x_groq');
  });

  it('keeps an error that is part of its events, in place of the fault of the step', async () => {
    const native = { protocol: 'openai-chat', events: [{ error: { message: 'Overloaded' } }], replaces_fault: true };
    const text = await ask({}, { fault: { status: 500 } }, { native });
    expect(text).toBe('data: {"error":{"message":"Overloaded"}}\n\ndata: [DONE]\n\n');
  });
});
