import { describe, expect, it } from 'vitest';
import type { ServiceName } from '../../../../mock-llm-server/conversation/conversation.ts';
import { createJournal } from '../../../../mock-llm-server/journal/journal.ts';
import { createMockServer, type MockServerOptions } from '../../../../mock-llm-server/server/app.ts';
import { mockLlmFetch, startMockLlm } from '../../../../mock-llm-server/testing.ts';
import { scenarioSet } from '../../../support/stories/builders.ts';
import { RULE_CASES } from './cases/cases.ts';

const refused = { ...RULE_CASES['mistral/extra-field']?.refused, model: 'any' };
const step = { response: { content: 'Counted.' } };

/** The status of the request that only Mistral refuses, and its service in the journal. */
async function ask(options: Partial<MockServerOptions>, as?: ServiceName, path = '/v1/chat/completions') {
  const scenario = { name: 'only', trigger: 'never said', steps: [step] };
  const named = { name: 'named', trigger: 'go', steps: [step], ...(as && { as }) };
  const scenarios = scenarioSet({ scenarios: [scenario, named], default_response: { content: 'Hello.' } });
  const journal = createJournal();
  const log: string[] = [];
  const app = createMockServer({ scenarios, journal, log: (line) => log.push(line), ...options });
  const answer = await app.request(path, { method: 'POST', body: JSON.stringify(refused) });
  return [answer.status, journal.entries[0]?.service, log[0]?.slice(0, 60)];
}

describe('the service of a request', () => {
  it.each<readonly [string, Parameters<typeof ask>, readonly unknown[]]>([
    ['nothing', [{}], [200, undefined]],
    ['the option', [{ as: 'mistral' }], [422, 'mistral']],
    ['the scenario', [{}, 'mistral'], [422, 'mistral']],
    ['the scenario before the option', [{ as: 'mistral' }, 'deepseek'], [200, 'deepseek']],
    ['the path before both', [{ as: 'deepseek' }, 'deepseek', '/as/mistral/v1/chat/completions'], [422, 'mistral']],
  ])('is that of %s', async (_name, input, expected) => {
    expect((await ask(...input)).slice(0, 2)).toEqual(expected);
  });

  it('is in the log line as the client wrote the path', async () => {
    const [, , line] = await ask({}, undefined, '/as/mistral/v1/chat/completions');
    expect(line).toMatch(/^\/as\/mistral\/v1\/chat\/completions 422 Extra inputs/);
  });
});

// The recordings of vLLM 0.32.0, llama.cpp 11434 and Ollama 0.17.4 answer such histories.
describe('a history that some servers do not check', () => {
  const call = { id: 'call_1', type: 'function', function: { name: 'read', arguments: '{}' } };
  const use = { type: 'tool_use', id: 'toolu_1', name: 'read', input: {} };
  const unpaired = [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: '', tool_calls: [call] },
    { role: 'user', content: 'again' },
  ];
  const send = async (path: string, body: object, options: Partial<MockServerOptions>, as?: ServiceName) => {
    const named = { name: 'named', trigger: 'again', steps: [step], ...(as && { as }) };
    const journal = createJournal();
    const app = createMockServer({ scenarios: scenarioSet({ scenarios: [named] }), journal, ...options });
    const init = { method: 'POST', headers: { 'anthropic-version': '2023-06-01' }, body: JSON.stringify(body) };
    return [(await app.request(path, init)).status, (journal.entries[0]?.lint.length ?? 0) > 0];
  };

  it.each<readonly [string, readonly unknown[], Partial<MockServerOptions>, ServiceName | undefined, string]>([
    ['is refused', [400, true], {}, undefined, ''],
    ['is a note as the option says vllm', [200, true], { as: 'vllm' }, undefined, ''],
    ['is a note as the scenario says vllm', [200, true], {}, 'vllm', ''],
    ['is a note as the scenario says vllm before the option', [200, true], { as: 'openai' }, 'vllm', ''],
    ['is refused as the path says openai before the scenario', [400, true], {}, 'vllm', '/as/openai'],
    ['is refused as the scenario says deepseek', [400, true], {}, 'deepseek', ''],
  ])('%s', async (_name, expected, options, as, prefix) => {
    const body = { model: 'any', messages: unpaired };
    expect(await send(`${prefix}/v1/chat/completions`, body, options, as)).toEqual(expected);
  });

  it.each<readonly [ServiceName, string, number, object]>([
    ['llamacpp', 'an empty text and no limit', 200, { messages: [{ role: 'user', content: '' }] }],
    ['ollama', 'an empty text without a limit', 400, { messages: [{ role: 'user', content: '' }] }],
    ['ollama', 'an empty text', 200, { max_tokens: 9, messages: [{ role: 'user', content: '' }] }],
    [
      'vllm',
      'an empty answer',
      200,
      { max_tokens: 9, messages: [unpaired[0], { role: 'assistant', content: [] }, unpaired[2]] },
    ],
    [
      'sglang',
      'a call without its result',
      200,
      { max_tokens: 9, messages: [unpaired[0], { role: 'assistant', content: [use] }, unpaired[2]] },
    ],
    ['anthropic', 'an empty text', 400, { max_tokens: 9, messages: [{ role: 'user', content: '' }] }],
  ])('%s answers over Messages %s with %i', async (as, _what, status, body) => {
    const scenarios = scenarioSet({
      scenarios: [{ name: 'a', trigger: 'b', steps: [step] }],
      default_response: { content: 'Hello.' },
    });
    const path = `/as/${as}/v1/messages`;
    expect((await send(path, { model: 'any', ...body }, { scenarios }))[0]).toBe(status);
  });
});

describe('an unknown service', () => {
  it('in a path is a 404 that lists the services', async () => {
    const app = createMockServer({
      scenarios: scenarioSet({ scenarios: [{ name: 'a', trigger: 'b', steps: [step] }] }),
    });
    const answer = await app.request('/as/depseek/v1/chat/completions', { method: 'POST', body: '{}' });
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain(
      'There is no service \\"depseek\\"; did you mean deepseek? The services are openai, azure,',
    );
  });

  it('in options is an error that lists the services', async () => {
    const options = JSON.parse('{"scenarios":[],"as":"depseek"}');
    await expect(startMockLlm(options)).rejects.toThrow('did you mean deepseek? The services are openai, azure,');
    expect(() => mockLlmFetch(options)).toThrow('did you mean deepseek?');
  });

  it('and an unknown rule are errors', async () => {
    const options = JSON.parse('{"scenarios":[],"allow":["mistral/call-i"]}');
    await expect(startMockLlm(options)).rejects.toThrow(
      'There is no rule "mistral/call-i"; did you mean mistral/call-id?',
    );
  });
});
