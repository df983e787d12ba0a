import { describe, expect, it } from 'vitest';
import { createGeminiFaults } from '../../../../../mock-llm-server/wire/gemini/shape.ts';

const contents = [{ role: 'user', parts: [{ text: 'go' }] }];
const findFaults = createGeminiFaults('gemini');
const findVertexFaults = createGeminiFaults('vertex');
const declared = (parameters: object, more: object = {}) => ({
  tools: [{ functionDeclarations: [{ name: 'read', parameters, ...more }] }],
});
const property = (value: unknown) => declared({ type: 'OBJECT', properties: { x: value } });
const at = "'tools[0].function_declarations[0]";
const X = `${at}.parameters.properties[0].value`;
const signed = (thoughtSignature: string) => ({
  contents: [{ role: 'model', parts: [{ text: 'ok', thoughtSignature }] }],
});
const picture = (data: unknown) => ({
  contents: [{ role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data } }] }],
});
const unknown = (name: string, place: string) =>
  `Invalid JSON payload received. Unknown name "${name}" at ${place}': Cannot find field.`;

/** A request, the fault that the API names, and the nearest request that it accepts. */
const ROWS: readonly (readonly [name: string, refused: object, fault: string, accepted: object])[] = [
  [
    'a field of JSON Schema',
    property({ type: 'string', const: 'a' }),
    unknown('const', X),
    property({ type: 'string' }),
  ],
  [
    'a list of types',
    property({ type: ['string', 'null'] }),
    `Invalid JSON payload received. Unknown name "type" at ${X}': Proto field is not repeating, cannot start list.`,
    property({ type: 'STRING', nullable: true }),
  ],
  [
    'a type that it does not have',
    property({ type: 'any' }),
    `Invalid value at ${X}.type' (type.googleapis.com/google.ai.generativelanguage.v1beta.Type), "any"`,
    property({ type: 'Integer' }),
  ],
  [
    'numbers in an enum',
    property({ type: 'INTEGER', enum: [4] }),
    `Invalid value at ${X}.enum[0]' (TYPE_STRING), 4`,
    property({ type: 'STRING', enum: ['4'] }),
  ],
  [
    'a property that is no schema',
    property('string'),
    `Invalid value at ${X}' (type.googleapis.com/google.ai.generativelanguage.v1beta.Schema), "string"`,
    property({ type: 'STRING' }),
  ],
  [
    'a field of a declaration',
    declared({ type: 'OBJECT' }, { tools: [] }),
    unknown('tools', at),
    declared({ type: 'OBJECT' }),
  ],
  [
    'a tool of another service',
    { tools: [{ type: 'function' }] },
    unknown('type', "'tools[0]"),
    { tools: [{ google_search: {} }] },
  ],
  [
    'a text as a number',
    { generationConfig: { temperature: 'warm' } },
    `Invalid value at 'generation_config.temperature' (TYPE_FLOAT), "warm"`,
    { generation_config: { temperature: '0.5', max_output_tokens: '10' } },
  ],
  [
    'a fraction as an integer',
    { generationConfig: { maxOutputTokens: 1.5 } },
    "Invalid value at 'generation_config.max_output_tokens' (TYPE_INT32), 1.5",
    { generationConfig: { maxOutputTokens: 1 } },
  ],
  [
    'a parameter of another service',
    { generationConfig: { max_tokens: 5 } },
    unknown('max_tokens', "'generation_config"),
    { generationConfig: null },
  ],
  [
    'a result that is no object',
    { contents: [{ role: 'user', parts: [{ functionResponse: { name: 'read', response: 'ok' } }] }] },
    `Invalid value at 'contents[0].parts[0].function_response.response' (type.googleapis.com/google.protobuf.Struct), "ok"`,
    { contents: [{ role: 'user', parts: [{ functionResponse: { name: 'read', response: { result: 'ok' } } }] }] },
  ],
  [
    'a mode that it does not have',
    { toolConfig: { functionCallingConfig: { mode: 'required' } } },
    `Invalid value at 'tool_config.function_calling_config.mode' (type.googleapis.com/google.ai.generativelanguage.v1beta.FunctionCallingConfig.Mode), "required"`,
    { toolConfig: { functionCallingConfig: { mode: 'any' } } },
  ],
  // 'reasoning_content': a name that an agent took for the signature of another service.
  ...['dTBoZ0I=RXBzRkNr', 'CiQB0e2K…', 'reasoning_content', 'Q+_x', 'EvcDC3'].map(
    (signature) =>
      [
        `the signature ${signature}`,
        signed(signature),
        `Invalid value at 'contents[0].parts[0].thought_signature' (TYPE_BYTES), Base64 decoding failed for "${signature}"`,
        signed('skip_thought_signature_validator'),
      ] as const,
  ),
  [
    'a picture with a prefix',
    picture(`data:image/png;base64,iVBORw0KGg==`),
    `Invalid value at 'contents[0].parts[0].inline_data.data' (TYPE_BYTES), Base64 decoding failed for "data:image/png;base64,iVBORw0KGg=="`,
    picture('iVBO Rw0\nKGg'),
  ],
  [
    'a picture of a number',
    picture(5),
    "Invalid value at 'contents[0].parts[0].inline_data.data' (TYPE_BYTES), 5",
    picture('__8'),
  ],
];

describe('the messages of Gemini', () => {
  it.each(ROWS)('exclude %s', (_name, refused, fault, accepted) => {
    expect([findFaults({ contents, ...refused }), findFaults({ contents, ...accepted })]).toEqual([[fault], []]);
  });

  it('report every fault, and one at the top without a place', () => {
    expect(findFaults({ contents, stream: true, store: 1 })).toEqual([
      'Invalid JSON payload received. Unknown name "stream": Cannot find field.',
      "Invalid value at 'store' (TYPE_BOOL), 1",
    ]);
  });

  it('take one message for a list, and lists within lists', () => {
    expect(findFaults({ contents: contents[0], tools: [[{ googleSearch: {} }]] })).toEqual([]);
  });

  it('have more fields of JSON Schema on Vertex AI, whose name stands in the faults', () => {
    expect(findVertexFaults({ contents, ...property({ type: 'STRING', additionalProperties: false }) })).toEqual([]);
    expect(findVertexFaults({ contents, ...property('string') })).toEqual([
      `Invalid value at ${X}' (type.googleapis.com/google.cloud.aiplatform.v1beta1.Schema), "string"`,
    ]);
  });
});
