import { describe, expect, it } from 'vitest';
import { findTarget } from '../../../../src/providers/target/find-target.ts';

function targetOf(config: Parameters<typeof findTarget>[0], environment = {}) {
  const target = findTarget(config, environment);
  if (target.type === 'refused') throw new Error(target.message);
  return target;
}

describe('the wire of a provider', () => {
  it.each<readonly [name: string, config: Parameters<typeof findTarget>[0], wire: string, other: string | undefined]>([
    ['OpenAI at its own address', { provider: 'openai' }, 'openai-responses', 'openai-chat'],
    [
      'OpenAI in a region',
      { provider: 'openai', endpoint: 'https://eu.api.openai.com/v1' },
      'openai-responses',
      'openai-chat',
    ],
    [
      'OpenAI at another address',
      { provider: 'openai', endpoint: 'http://localhost:8080' },
      'openai-chat',
      'openai-responses',
    ],
    ['OpenAI with a chosen wire', { provider: 'openai', api_kind: 'openai-chat' }, 'openai-chat', undefined],
    ['codex anywhere', { provider: 'codex', endpoint: 'http://localhost:8080' }, 'openai-responses', 'openai-chat'],
    [
      'a model that Copilot has over responses only',
      { provider: 'copilot', model: 'gpt-5.5' },
      'openai-responses',
      'openai-chat',
    ],
    ['a codex model of Copilot', { provider: 'copilot', model: 'gpt-5.3-codex' }, 'openai-responses', 'openai-chat'],
    ['a Claude of Copilot', { provider: 'copilot', model: 'claude-sonnet-5' }, 'openai-chat', 'openai-responses'],
    ['the default model of Copilot', { provider: 'copilot' }, 'openai-chat', 'openai-responses'],
    ['Anthropic', { provider: 'anthropic' }, 'anthropic-messages', undefined],
  ])('%s', (_name, config, wire, otherWire) => {
    expect(targetOf(config)).toMatchObject({ wire, otherWire });
  });

  it('stays that of the protocol at an address that cannot be read', () => {
    expect(findTarget({ provider: 'openai', endpoint: 'nowhere' }, {})).toMatchObject({ type: 'refused' });
  });
});

describe('OLLAMA_HOST', () => {
  // https://docs.ollama.com/faq, and what the program of Ollama itself reads.
  it.each([
    ['http://gpu.example:11434', 'http://gpu.example:11434'],
    ['https://gpu.example', 'https://gpu.example'],
    ['http://gpu.example/ollama', 'http://gpu.example/ollama'],
    ['gpu.example', 'http://gpu.example:11434'],
    ['gpu.example:8080', 'http://gpu.example:8080'],
    ['0.0.0.0', 'http://127.0.0.1:11434'],
    ['0.0.0.0:8080', 'http://127.0.0.1:8080'],
    ['[::]:8080', 'http://127.0.0.1:8080'],
    [':8080', 'http://127.0.0.1:8080'],
    ['[::1]', 'http://[::1]:11434'],
  ])('%s', (value, url) => {
    const { endpoint } = targetOf({ provider: 'ollama', endpoint: value }, { OLLAMA_HOST: value });
    expect(endpoint.url).toBe(url);
  });

  it.each(['a b', 'gpu:port'])('that is no address is refused by its name: %s', (value) => {
    const refusal = findTarget({ provider: 'ollama', endpoint: value }, { OLLAMA_HOST: value });
    expect(refusal).toMatchObject({
      type: 'refused',
      message: expect.stringContaining('The endpoint in OLLAMA_HOST is invalid'),
    });
  });

  it('does not change the form of an endpoint of the configuration', () => {
    expect(findTarget({ provider: 'ollama', endpoint: 'gpu.example' }, {})).toMatchObject({ type: 'refused' });
  });
});
