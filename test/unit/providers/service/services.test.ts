import { describe, expect, it } from 'vitest';
import { WIRE_RULES } from '../../../../src/providers/service/service-rules.ts';
import { rulesFor, SERVICES } from '../../../../src/providers/service/services.ts';
import type { Wire } from '../../../../src/providers/wires.ts';

const CHAT = WIRE_RULES['openai-chat'];
const MISTRAL = { callIds: 'nine', order: 'bridged', files: 'user', returned: ['content'] };

describe('the rules of a service', () => {
  it.each<readonly [name: string, wire: Wire, host: string, model: string, rules: object]>([
    [
      'OpenAI',
      'openai-chat',
      'api.openai.com',
      'gpt-5.4',
      { limitName: 'max_completion_tokens', returned: [], maxTools: 128 },
    ],
    [
      'OpenAI in Europe',
      'openai-responses',
      'eu.api.openai.com',
      'gpt-5.4',
      { maxTools: 128, returnsSummaries: false },
    ],
    [
      'Azure',
      'openai-chat',
      'acme.openai.azure.com',
      'prod',
      { limitName: 'max_completion_tokens', returned: [], maxTools: 128 },
    ],
    [
      'Azure, Responses',
      'openai-responses',
      'acme.openai.azure.com',
      'prod',
      { maxTools: 128, returnsSummaries: false },
    ],
    [
      'Copilot',
      'openai-chat',
      'api.githubcopilot.com',
      'gpt-5-mini',
      { limitName: 'max_completion_tokens', maxTools: 128, returnsSummaries: false },
    ],
    ['Groq', 'openai-chat', 'api.groq.com', 'moonshotai/kimi-k2', { returned: ['reasoning'], maxTools: 128 }],
    ['Cerebras', 'openai-chat', 'api.cerebras.ai', 'gpt-oss-120b', { returned: ['reasoning'] }],
    ['Mistral', 'openai-chat', 'api.mistral.ai', 'anything', MISTRAL],
    ['a model of Mistral on another host', 'openai-chat', '10.0.0.1', 'mistralai/Devstral-Small-2507', MISTRAL],
    ['xAI', 'openai-chat', 'api.x.ai', 'grok-4', { emptyContent: 'blank' }],
    ['Moonshot', 'openai-chat', 'api.moonshot.cn', 'kimi-k2.5', { missingReasoning: ' ', schema: 'moonshot' }],
    ['DeepSeek', 'openai-chat', 'api.deepseek.com', 'deepseek-v4-pro', { missingReasoning: '' }],
    [
      'Gemini over chat completions',
      'openai-chat',
      'generativelanguage.googleapis.com',
      'gemini-3-pro',
      { schema: 'gemini', namesResults: true },
    ],
    ['Vertex AI', 'gemini', 'europe-west1-aiplatform.googleapis.com', 'gemini-3-pro', { sendsCallIds: false }],
    ['Gemini', 'gemini', 'generativelanguage.googleapis.com', 'gemini-3-pro', {}],
    ['an unknown server', 'openai-chat', 'localhost', 'qwen3', {}],
    ['a name that only ends like a host', 'openai-chat', 'notx.ai', 'qwen3', {}],
  ])('%s', (_name, wire, host, model, rules) => {
    expect(rulesFor(wire, `https://${host}/v1`, model)).toEqual({ ...WIRE_RULES[wire], ...rules });
  });

  it('are those of the wire on another wire of the service', () => {
    expect(rulesFor('anthropic-messages', 'https://api.deepseek.com/anthropic', 'deepseek-chat')).toEqual(
      WIRE_RULES['anthropic-messages'],
    );
  });

  it('change something and have a source', () => {
    for (const { rules, source } of SERVICES) {
      expect(Object.entries(rules).some(([name, value]) => Reflect.get(CHAT, name) !== value)).toBe(true);
      expect(source).toMatch(/^https:\/\//);
    }
  });
});
