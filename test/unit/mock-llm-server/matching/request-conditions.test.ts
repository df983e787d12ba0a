import { describe, expect, it } from 'vitest';
import { PROTOCOLS, type Protocol } from '../../../../mock-llm-server/conversation/conversation.ts';
import { createJournal } from '../../../../mock-llm-server/journal/journal.ts';
import { createMockServer } from '../../../../mock-llm-server/server/app.ts';
import type { MockScenario } from '../../../../mock-llm-server/testing.ts';
import { scenarioSet } from '../builders.ts';

const asJson = [{ role: 'user', content: 'go, as JSON' }];
const messages = [{ role: 'user', content: 'go' }];
const contents = [{ role: 'user', parts: [{ text: 'go' }] }];
const schema = {
  type: 'object',
  title: 'Forecast',
  properties: { sun: { type: 'boolean' } },
  required: ['sun'],
  additionalProperties: false,
};

/** A request of each protocol for a text, for any JSON, and for the JSON of a schema; absent if it has no such form. */
const REQUESTS: Readonly<
  Record<Protocol, { path: string; text: object; json?: object; schema: object; name: string }>
> = {
  'openai-chat': {
    path: '/v1/chat/completions',
    text: { model: 'm', messages },
    json: { model: 'm', messages: asJson, response_format: { type: 'json_object' } },
    schema: {
      model: 'm',
      messages,
      response_format: { type: 'json_schema', json_schema: { name: 'weather', schema } },
    },
    name: 'weather',
  },
  'openai-responses': {
    path: '/v1/responses',
    text: { model: 'm', input: 'go', text: { format: { type: 'text' } } },
    json: { model: 'm', input: 'go, as JSON', text: { format: { type: 'json_object' } } },
    schema: { model: 'm', input: 'go', text: { format: { type: 'json_schema', name: 'weather', schema } } },
    name: 'weather',
  },
  'anthropic-messages': {
    path: '/v1/messages',
    text: { model: 'm', max_tokens: 9, messages },
    schema: { model: 'm', max_tokens: 9, messages, output_config: { format: { type: 'json_schema', schema } } },
    name: 'Forecast',
  },
  'bedrock-converse': {
    path: '/model/m/converse',
    text: { messages: [{ role: 'user', content: [{ text: 'go' }] }] },
    schema: {
      messages: [{ role: 'user', content: [{ text: 'go' }] }],
      outputConfig: {
        textFormat: {
          type: 'json_schema',
          structure: { jsonSchema: { name: 'weather', schema: JSON.stringify(schema) } },
        },
      },
    },
    name: 'weather',
  },
  gemini: {
    path: '/v1beta/models/m:generateContent',
    text: { contents },
    json: { contents, generationConfig: { responseMimeType: 'application/json' } },
    schema: { contents, generationConfig: { responseMimeType: 'application/json', responseJsonSchema: schema } },
    name: 'Forecast',
  },
  'gemini-interactions': {
    path: '/v1beta/interactions',
    text: { model: 'm', input: 'go' },
    json: { model: 'm', input: 'go', response_mime_type: 'application/json' },
    schema: { model: 'm', input: 'go', response_format: { type: 'text', mime_type: 'application/json', schema } },
    name: 'Forecast',
  },
  ollama: {
    path: '/api/chat',
    text: { model: 'm', messages, stream: false },
    json: { model: 'm', messages, stream: false, format: 'json' },
    schema: { model: 'm', messages, stream: false, format: schema },
    name: 'Forecast',
  },
};

/** The name of the scenario that answers a request, or the header of its miss. */
async function answererOf(
  triggers: Readonly<Record<string, MockScenario['trigger']>>,
  protocol: Protocol,
  body: object,
) {
  const journal = createJournal();
  const steps = [{ response: { content: 'This is not JSON.' } }];
  const scenarios = Object.entries(triggers).map(([name, trigger]) => ({ name, trigger, steps }));
  const app = createMockServer({ scenarios: scenarioSet({ scenarios }), journal });
  const headers = { 'anthropic-version': '2023-06-01' };
  const { path } = REQUESTS[protocol];
  const response = await app.request(path, { method: 'POST', headers, body: JSON.stringify(body) });
  return journal.entries[0]?.scenario ?? response.headers.get('x-mock-miss') ?? journal.entries[0]?.auxiliary;
}

describe.each(PROTOCOLS)('a trigger for requests of %s', (protocol) => {
  const { text, json, schema: withSchema, name } = REQUESTS[protocol];

  it('names the protocol', async () => {
    const triggers = Object.fromEntries(PROTOCOLS.map((each) => [`by ${each}`, { protocol: each }]));
    expect(await answererOf(triggers, protocol, text)).toBe(`by ${protocol}`);
    const family = { family: { text: 'go', protocol: { regex: '^(openai-|gemini|anthropic|bedrock|ollama)' } } };
    expect(await answererOf(family, protocol, text)).toBe('family');
  });

  it('explains that another protocol does not match', async () => {
    const other = protocol === 'gemini' ? 'ollama' : 'gemini';
    const miss = await answererOf({ only: { text: 'go', protocol: other } }, protocol, text);
    expect(miss).toBe('no_scenario_matched; nearest=only; failed=protocol');
  });

  it('names the type of the requested answer', async () => {
    const types = { text: 'text', any: 'json_object', typed: 'json_schema' };
    const triggers = Object.fromEntries(
      Object.entries(types).map(([key, type]) => [key, { text: 'go', response_format: { regex: `^${type}$` } }]),
    );
    expect(await answererOf(triggers, protocol, text)).toBe('text');
    expect(await answererOf(triggers, protocol, withSchema)).toBe('typed');
    if (json !== undefined) expect(await answererOf(triggers, protocol, json)).toBe('any');
  });

  it('names the schema of the requested answer', async () => {
    const triggers = { other: { response_format: 'invoice' }, wanted: { response_format: name.toLowerCase() } };
    expect(await answererOf(triggers, protocol, withSchema)).toBe('wanted');
    expect(await answererOf({ wanted: { text: 'go', response_format: name } }, protocol, text)).toBe(
      'no_scenario_matched; nearest=wanted; failed=response_format',
    );
  });
});

it('a scenario for a form of answers does not give way to generated JSON, one for any form does', async () => {
  const { schema: withSchema } = REQUESTS['openai-chat'];
  expect(await answererOf({ any: 'go' }, 'openai-chat', withSchema)).toBe('schema');
  expect(await answererOf({ typed: { text: 'go', response_format: 'weather' } }, 'openai-chat', withSchema)).toBe(
    'typed',
  );
});

it("the option of Gemini's enumerations has the type enum", async () => {
  const generationConfig = { responseMimeType: 'text/x.enum', responseSchema: { type: 'STRING', enum: ['a', 'b'] } };
  const triggers = { json: { response_format: 'json' }, option: { response_format: 'enum' } };
  expect(await answererOf(triggers, 'gemini', { contents, generationConfig })).toBe('option');
});
