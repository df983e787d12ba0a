import { describe, expect, it } from 'vitest';
import { PROTOCOLS, type Protocol } from '../../../../mock-llm-server/conversation/conversation.ts';
import { createJournal } from '../../../../mock-llm-server/journal/journal.ts';
import { createMockServer } from '../../../../mock-llm-server/server/app.ts';
import type { MockScenario } from '../../../../mock-llm-server/testing.ts';
import { scenarioSet } from '../../../support/stories/builders.ts';
import { REQUESTS } from '../wire/wire-requests.ts';

const schema = {
  type: 'object',
  title: 'Forecast',
  properties: { sun: { type: 'boolean' } },
  required: ['sun'],
  additionalProperties: false,
};
const named = { type: 'json_schema', name: 'weather', schema };
const bedrock = { jsonSchema: { name: 'weather', schema: JSON.stringify(schema) } };
const google = { responseMimeType: 'application/json' };

/** The fields that ask for any JSON, absent in protocols without that form, those for a schema, and its name. */
const FORMS: Readonly<Record<Protocol, { json?: object; schema: object; name: string }>> = {
  'openai-chat': {
    json: { response_format: { type: 'json_object' } },
    schema: { response_format: { type: 'json_schema', json_schema: { name: 'weather', schema } } },
    name: 'weather',
  },
  'openai-responses': {
    json: { text: { format: { type: 'json_object' } } },
    schema: { text: { format: named } },
    name: 'weather',
  },
  'anthropic-messages': { schema: { output_config: { format: { type: 'json_schema', schema } } }, name: 'Forecast' },
  'bedrock-converse': {
    schema: { outputConfig: { textFormat: { type: 'json_schema', structure: bedrock } } },
    name: 'weather',
  },
  gemini: {
    json: { generationConfig: google },
    schema: { generationConfig: { ...google, responseJsonSchema: schema } },
    name: 'Forecast',
  },
  'gemini-interactions': {
    json: { response_mime_type: 'application/json' },
    schema: { response_format: { type: 'text', mime_type: 'application/json', schema } },
    name: 'Forecast',
  },
  ollama: { json: { format: 'json' }, schema: { format: schema }, name: 'Forecast' },
};

/** The name of the scenario that answers a request, or the header of its miss. */
async function answererOf(
  triggers: Readonly<Record<string, MockScenario['trigger']>>,
  protocol: Protocol,
  fields: object,
  prompt = 'go',
) {
  const journal = createJournal();
  const steps = [{ response: { content: 'This is not JSON.' } }];
  const scenarios = Object.entries(triggers).map(([name, trigger]) => ({ name, trigger, steps }));
  const app = createMockServer({ scenarios: scenarioSet({ scenarios }), journal });
  const headers = { 'anthropic-version': '2023-06-01' };
  const [path, body] = REQUESTS[protocol](prompt, false);
  const init = { method: 'POST', headers, body: JSON.stringify({ ...body, ...fields }) };
  const response = await app.request(path, init);
  return journal.entries[0]?.scenario ?? response.headers.get('x-mock-miss') ?? journal.entries[0]?.auxiliary;
}

describe.each(PROTOCOLS)('a trigger for requests of %s', (protocol) => {
  const { json, schema: withSchema, name } = FORMS[protocol];

  it('names the protocol', async () => {
    const triggers = Object.fromEntries(PROTOCOLS.map((each) => [`by ${each}`, { protocol: each }]));
    expect(await answererOf(triggers, protocol, {})).toBe(`by ${protocol}`);
    const family = { family: { text: 'go', protocol: { regex: '^(openai-|gemini|anthropic|bedrock|ollama)' } } };
    expect(await answererOf(family, protocol, {})).toBe('family');
  });

  it('explains that another protocol does not match', async () => {
    const other = protocol === 'gemini' ? 'ollama' : 'gemini';
    const miss = await answererOf({ only: { text: 'go', protocol: other } }, protocol, {});
    expect(miss).toBe('no_scenario_matched; nearest=only; failed=protocol');
  });

  it('names the type of the requested answer', async () => {
    const types = { text: 'text', any: 'json_object', typed: 'json_schema' };
    const triggers = Object.fromEntries(
      Object.entries(types).map(([key, type]) => [key, { text: 'go', response_format: { regex: `^${type}$` } }]),
    );
    const stated = protocol === 'openai-responses' ? { text: { format: { type: 'text' } } } : {};
    expect(await answererOf(triggers, protocol, stated)).toBe('text');
    expect(await answererOf(triggers, protocol, withSchema)).toBe('typed');
    if (json !== undefined) expect(await answererOf(triggers, protocol, json, 'go, as JSON')).toBe('any');
  });

  it('names the schema of the requested answer', async () => {
    const triggers = { other: { response_format: 'invoice' }, wanted: { response_format: name.toLowerCase() } };
    expect(await answererOf(triggers, protocol, withSchema)).toBe('wanted');
    expect(await answererOf({ wanted: { text: 'go', response_format: name } }, protocol, {})).toBe(
      'no_scenario_matched; nearest=wanted; failed=response_format',
    );
  });
});

it('a scenario for a form of answers does not give way to generated JSON, one for any form does', async () => {
  const { schema: withSchema } = FORMS['openai-chat'];
  expect(await answererOf({ any: 'go' }, 'openai-chat', withSchema)).toBe('schema');
  expect(await answererOf({ typed: { text: 'go', response_format: 'weather' } }, 'openai-chat', withSchema)).toBe(
    'typed',
  );
});

it("the option of Gemini's enumerations has the type enum", async () => {
  const generationConfig = { responseMimeType: 'text/x.enum', responseSchema: { type: 'STRING', enum: ['a', 'b'] } };
  const triggers = { json: { response_format: 'json' }, option: { response_format: 'enum' } };
  expect(await answererOf(triggers, 'gemini', { generationConfig })).toBe('option');
});
