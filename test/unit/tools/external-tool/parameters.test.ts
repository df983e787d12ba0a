import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/agent/ports/json.ts';
import { findArgumentProblem, sampleArguments } from '../../../../src/tools/external-tool/parameters.ts';

const schema: JsonObject = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    count: { type: 'integer' },
    ratio: { type: 'number' },
    list: { type: 'array' },
    map: { type: 'object', properties: { inner: { type: 'string' } }, required: ['inner'] },
    flag: { type: 'boolean' },
    nothing: { type: 'null' },
    either: { type: ['integer', 'null'] },
    free: {},
    odd: true,
  },
  required: ['text'],
};

describe('the arguments of a call', () => {
  it.each<[JsonObject]>([
    [{ text: 'x' }],
    [{ text: 'x', count: 1, ratio: 0.5, list: [], map: {}, flag: false, nothing: null, either: null, free: 1, odd: 1 }],
    [{ text: 'x', either: 3, unknown: 'parameters are for the tool to judge' }],
    [{ text: 'x', constructor: 1 }],
  ])('fit: %j', (args) => {
    expect(findArgumentProblem(args, schema)).toBeUndefined();
  });

  it.each<[JsonObject, string]>([
    [{}, 'text is missing'],
    [{ text: 1 }, 'text must be of type string'],
    [{ text: 'x', count: 1.5 }, 'count must be of type integer'],
    [{ text: 'x', list: {} }, 'list must be of type array'],
    [{ text: 'x', map: [] }, 'map must be of type object'],
    [{ text: 'x', nothing: 0 }, 'nothing must be of type null'],
    [{ text: 'x', either: 'x' }, 'either must be of type integer or null'],
  ])('do not fit: %j', (args, problem) => {
    expect(findArgumentProblem(args, schema)).toBe(problem);
  });

  it('fit an empty schema', () => {
    expect(findArgumentProblem({ a: 1 }, {})).toBeUndefined();
  });
});

describe('the sample arguments of a trial call', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['no schema', {}, {}],
    ['no required properties', { properties: { a: { type: 'string' } } }, {}],
    [
      'plain values',
      {
        properties: schema['properties'] ?? {},
        required: ['text', 'count', 'ratio', 'list', 'map', 'flag', 'nothing', 'either', 'free', 'odd'],
      },
      {
        text: 'example',
        count: 1,
        ratio: 1,
        list: [],
        map: { inner: 'example' },
        flag: false,
        nothing: null,
        either: 1,
        free: 'example',
      },
    ],
    [
      'values that the schema offers',
      { properties: { a: { default: 5 }, b: { enum: ['x', 'y'] }, c: { examples: ['z'] } }, required: ['a', 'b', 'c'] },
      { a: 5, b: 'x', c: 'z' },
    ],
  ])('are %s', (_name, given, expected) => {
    expect(sampleArguments(given)).toEqual(expected);
  });
});
