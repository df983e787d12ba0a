import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../src/agent/ports/json.ts';
import {
  type ExternalToolEntry,
  nameFromFile,
  parseDescription,
  readDefinition,
} from '../../../../src/tools/external-tool/definition.ts';

const described = { name: 'web_search', description: 'Search the web.' };
const read = (value: JsonValue, entry?: ExternalToolEntry) => readDefinition(value, 'from_file', entry);

describe('the description of a tool', () => {
  it('has defaults for all fields except the description', () => {
    expect(read({ description: ' Do it. ' })).toEqual({
      name: 'from_file',
      description: 'Do it.',
      parameters: { type: 'object', properties: {} },
      timeoutSeconds: 30,
      input: 'both',
    });
  });

  it('is overridden by the entry in the configuration', () => {
    const entry = { name: 'search', path: '/x', enabled: true, timeout_seconds: 9, description: 'Mine.' };
    expect(read({ ...described, timeout_seconds: 5, input: 'argument' }, entry)).toMatchObject({
      name: 'search',
      description: 'Mine.',
      timeoutSeconds: 9,
      input: 'argument',
    });
  });

  it('may have unknown fields, which a later version may use', () => {
    expect(read({ ...described, network: true, type: 'executable' }).name).toBe('web_search');
  });

  it.each<[string, JsonValue, RegExp]>([
    ['a list', [], /must be a JSON object/],
    ['null', null, /must be a JSON object/],
    ['a text', 'web_search', /must be a JSON object/],
    ['no description', { name: 'x' }, /its description is not valid/],
    ['an empty description', { name: 'x', description: ' ' }, /its description is not valid: is empty/],
    ['a very long description', { name: 'x', description: 'x'.repeat(5_000) }, /4096/],
    ['a name with a dash', { ...described, name: 'web-search' }, /its name is not valid: must be 1 to 64 of a-z/],
    ['a name in capitals', { ...described, name: 'Search' }, /its name/],
    ['a name that begins with a digit', { ...described, name: '1st' }, /its name/],
    ['an empty name', { ...described, name: '' }, /its name/],
    ['a name of 65 characters', { ...described, name: 'x'.repeat(65) }, /its name/],
    ['a number as the name', { ...described, name: 7 }, /its name/],
    ['a name with a line feed at its end', { ...described, name: 'x\n' }, /its name/],
    ['a list of parameters', { ...described, parameters: [] }, /parameters must be a JSON object/],
    ['a time of zero', { ...described, timeout_seconds: 0 }, /its timeout_seconds/],
    ['a time of a year', { ...described, timeout_seconds: 31_536_000 }, /its timeout_seconds/],
    ['an unknown form of input', { ...described, input: 'file' }, /its input/],
  ])('is refused: %s', (_name, value, problem) => {
    expect(() => read(value)).toThrow(problem);
  });

  it('is refused when it is nested so deeply that reading it would exceed the stack', () => {
    const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
    const text = JSON.stringify(described).replace('}', `,"parameters":{"x":${deep}}}`);
    expect(() => read(parseDescription(text))).toThrow('nested too deeply');
  });

  it.each(['', '{"name": "x"', 'usage: web-search QUERY', '{} {}'])('is refused when it is not JSON: %j', (text) => {
    expect(() => parseDescription(text)).toThrow('not valid JSON');
  });

  it.each([
    ['web-search', 'web_search'],
    ['web-search.sh', 'web_search'],
    ['Run.Tests.mjs', 'run.tests'],
  ])('gets from the file name %s the name %s', (file, name) => {
    expect(nameFromFile(file)).toBe(name);
  });
});

describe('the parameters of a tool', () => {
  const parametersOf = (parameters: JsonObject) => read({ ...described, parameters }).parameters;

  it.each<[string, JsonObject, JsonObject]>([
    ['an empty map', {}, { type: 'object', properties: {} }],
    [
      'the map of the specification',
      {
        query: { type: 'string', required: true, description: 'Search query' },
        max_results: { type: 'integer', required: false, default: 5 },
      },
      {
        type: 'object',
        properties: {
          query: { type: 'string', description: 'Search query' },
          max_results: { type: 'integer', default: 5 },
        },
        required: ['query'],
      },
    ],
    [
      'a JSON Schema',
      {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: { a: { type: 'string' } },
        required: ['a'],
      },
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
    ],
    ['a JSON Schema without properties', { type: 'object' }, { type: 'object', properties: {} }],
    [
      'a parameter called type',
      { type: { type: 'string', required: true } },
      { type: 'object', properties: { type: { type: 'string' } }, required: ['type'] },
    ],
    [
      'a JSON Schema with "required": true, which providers reject',
      {
        type: 'object',
        properties: { a: { type: 'string', required: true }, b: { required: false } },
        required: ['b'],
      },
      { type: 'object', properties: { a: { type: 'string' }, b: {} }, required: ['b', 'a'] },
    ],
    [
      'maps inside lists and alternatives',
      {
        list: { type: 'array', items: { type: 'object', properties: { a: { type: 'string', required: true } } } },
        one: { anyOf: [{ type: 'null' }, true] },
      },
      {
        type: 'object',
        properties: {
          list: { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } },
          one: { anyOf: [{ type: 'null' }, true] },
        },
      },
    ],
    [
      'several types',
      { a: { type: ['string', 'null'] } },
      { type: 'object', properties: { a: { type: ['string', 'null'] } } },
    ],
    [
      'names of built-in properties',
      { constructor: { type: 'string' } },
      { type: 'object', properties: { constructor: { type: 'string' } } },
    ],
    [
      'any item',
      { a: { type: 'array', items: true } },
      { type: 'object', properties: { a: { type: 'array', items: true } } },
    ],
  ])('may be %s', (_name, parameters, expected) => {
    expect(parametersOf(parameters)).toEqual(expected);
  });

  it('have equal bytes for equal descriptions', () => {
    const parameters = { b: { type: 'string' }, a: { type: 'string', required: true } };
    expect(JSON.stringify(parametersOf(parameters))).toBe(JSON.stringify(parametersOf(structuredClone(parameters))));
  });

  it.each<[string, JsonObject, RegExp]>([
    ['another type', { type: 'array' }, /must have the type object/],
    ['an unknown type', { a: { type: 'int' } }, /parameters.properties.a.type must be one of string, number/],
    ['an empty list of types', { a: { type: [] } }, /must be one of/],
    ['a type that is not a name', { a: { type: 7 } }, /must be one of/],
    [
      'a string as a parameter',
      { query: 'string' },
      /properties.query must be an object, such as \{"type": "string"\}/,
    ],
    ['a list as a parameter', { query: [] }, /must be an object/],
    ['a name with a space', { 'a b': {} }, /"a b" cannot be the name of a parameter/],
    ['a list of properties', { type: 'object', properties: [] }, /properties must be an object/],
    ['a number as required', { type: 'object', required: 1 }, /required must be/],
    ['numbers as required', { type: 'object', required: [1] }, /required must be/],
    ['a string as anyOf', { a: { anyOf: 'x' } }, /anyOf must be a list/],
  ])('are refused: %s', (_name, parameters, problem) => {
    expect(() => parametersOf(parameters)).toThrow(problem);
  });

  it('are refused with a name that would change a prototype', () => {
    const parameters: JsonObject = JSON.parse('{"__proto__": {"type": "string"}}');
    expect(() => parametersOf(parameters)).toThrow('"__proto__" cannot be the name of a parameter');
  });
});
