import { expect, it } from 'vitest';
import type { ServiceName } from '../../../mock-llm-server/conversation/conversation.ts';
import { startMockLlm } from '../../../mock-llm-server/testing.ts';
import type { ModelRequest } from '../../../src/agent/ports/language-model.ts';
import { systemClock } from '../../../src/node/system.ts';
import { fitRequest } from '../../../src/providers/service/fit-request.ts';
import { type ServiceRules, WIRE_RULES } from '../../../src/providers/service/service-rules.ts';
import { rulesFor, SERVICES } from '../../../src/providers/service/services.ts';
import { PROVIDERS } from '../../../src/providers/target/presets.ts';
import { loadWire, WIRES, type Wire } from '../../../src/providers/wires.ts';

/** A conversation that began with another model: ids of another form, a call without text, a note behind its result. */
const request: ModelRequest = {
  system: 'Be brief.',
  messages: [
    { role: 'user', content: 'go' },
    {
      role: 'assistant',
      content: '',
      toolCalls: [{ id: 'toolu_01AbCdEfGhIjKlMnOpQrStUv', name: 'tool_0', arguments: '{"paths":[]}' }],
    },
    { role: 'tool', toolCallId: 'toolu_01AbCdEfGhIjKlMnOpQrStUv', content: 'ok', isError: false },
    { role: 'user', content: 'And the rest.' },
  ],
  tools: Array.from({ length: 130 }, (_, index) => ({
    name: `tool_${index}`,
    description: 'A tool.',
    effect: 'read' as const,
    parameters: {
      type: 'object',
      properties: { paths: { type: 'array' }, kind: { anyOf: [{ const: 'a' }, { type: 'null' }] }, any: {} },
      additionalProperties: false,
    },
  })),
};

/** Each service of ybs: its name here, wire, host, model, and the rule that refuses the plain form of the wire. */
const ROWS: readonly (readonly [string, ServiceName, Wire, string, string, string | undefined])[] = [
  ['OpenAI', 'openai', 'openai-chat', 'api.openai.com', 'gpt-5.1', 'openai/too-many-tools'],
  ['OpenAI', 'openai', 'openai-responses', 'api.openai.com', 'gpt-5.1', 'openai/too-many-tools'],
  ['models of OpenAI that reason', 'openai', 'openai-chat', 'localhost', 'gpt-5.1', 'openai/too-many-tools'],
  ['Azure OpenAI', 'azure', 'openai-chat', 'a.openai.azure.com', 'gpt-5.1', 'azure/too-many-tools'],
  ['Azure OpenAI', 'azure', 'openai-responses', 'a.openai.azure.com', 'gpt-5.1', 'azure/too-many-tools'],
  ['GitHub Copilot', 'copilot', 'openai-chat', 'api.githubcopilot.com', 'gpt-5-mini', 'copilot/too-many-tools'],
  ['Groq', 'groq', 'openai-chat', 'api.groq.com', 'openai/gpt-oss-120b', 'groq/range'],
  ['Cerebras', 'cerebras', 'openai-chat', 'api.cerebras.ai', 'gpt-oss-120b', undefined],
  ['Mistral', 'mistral', 'openai-chat', 'api.mistral.ai', 'mistral-large-latest', 'mistral/call-id'],
  ['xAI', 'xai', 'openai-chat', 'api.x.ai', 'grok-4', 'xai/null-content'],
  ['Moonshot', 'moonshot', 'openai-chat', 'api.moonshot.ai', 'kimi-k2.5', 'moonshot/missing-reasoning'],
  ['DeepSeek', 'deepseek', 'openai-chat', 'api.deepseek.com', 'deepseek-v4-pro', 'deepseek/missing-reasoning'],
  ['Vertex AI', 'gemini', 'gemini', 'us-central1-aiplatform.googleapis.com', 'gemini-2.5-pro', undefined],
  ['Gemini', 'gemini', 'gemini', 'generativelanguage.googleapis.com', 'gemini-2.5-pro', undefined],
];

it('has a row for each service of the table', () => {
  const named = ROWS.map(([name]) => name);
  expect(SERVICES.map(({ name }) => name).filter((name) => !named.includes(name))).toEqual([]);
});

/** Sends the request in a form, and returns the status and the rules that the request breaks. */
async function send(service: ServiceName, wire: Wire, model: string, rules: ServiceRules, asked = request) {
  await using llm = await startMockLlm({ scenarios: [], default_response: 'Done.', lint: 'warn' });
  const form = { rules, maxTokens: 4096 };
  const endpoint = `${llm.url}/as/${service}${WIRES[wire].basePath}`;
  const { headers, pictureHeaders } = PROVIDERS.get(service) ?? {};
  const options = {
    provider: 'mock',
    headers,
    pictureHeaders,
    label: 'The mock',
    endpoint,
    model,
    maxTokens: 4096,
    form: () => form,
  };
  const languageModel = (await loadWire(wire))({ ...options, timeoutMs: 10_000, clock: systemClock });
  for await (const event of languageModel.stream(fitRequest(asked, rules), new AbortController().signal)) void event;
  return llm.requests.flatMap(({ lint }) => lint.map((text) => /\(rule ([^)]*)\)/.exec(text)?.[1] ?? text));
}

it.each(ROWS)(
  '%s (%s over %s) accepts the form that the table gives a request',
  async (_name, service, wire, host, model, plain) => {
    const rules = rulesFor(wire, `https://${host}/v1`, model);
    // The table knows the greatest number of tools by the address alone.
    expect(await send(service, wire, model, { maxTools: 128, ...rules })).toEqual([]);
    if (plain !== undefined) expect(await send(service, wire, model, WIRE_RULES[wire])).toContain(plain);
  },
);

it.each(['openai-chat', 'openai-responses'] as const)('GitHub Copilot accepts a picture over %s', async (wire) => {
  const images = [{ mediaType: 'image/png', data: 'iVBORw0KGgo=' }] as const;
  const asked: ModelRequest = { ...request, messages: [{ role: 'user', content: 'Look.', images }] };
  const rules = rulesFor(wire, 'https://api.githubcopilot.com/v1', 'gpt-5-mini');
  expect(await send('copilot', wire, 'gpt-5-mini', { ...rules, maxTools: 128 }, asked)).toEqual([]);
});
