import { expect, it } from 'vitest';
import { headerParameters } from '../../../../../src/tools/mcp/connection/parameter-headers.ts';

const header = { type: 'string', 'x-mcp-header': 'Region' };
const REGION = { path: ['region'], name: 'Region' };
const schema = (properties: object, more: object = {}) => ({ type: 'object', properties: { ...properties }, ...more });

it.each([
  ['of a parameter', schema({ region: header }), [REGION]],
  ['of a parameter in an object', schema({ a: schema({ b: header }) }), [{ path: ['a', 'b'], name: 'Region' }]],
  ['beside a parameter of its name', schema({ region: header, 'x-mcp-header': { type: 'string' } }), [REGION]],
  ['beside an example with its name', schema({ region: header, a: { examples: [{ 'x-mcp-header': 'a' }] } }), [REGION]],
  ['beside a default with its name', schema({ region: header }, { default: { 'x-mcp-header': 'a' } }), [REGION]],
  ['beside a text with its name', schema({ region: { ...header, description: '"x-mcp-header":' } }), [REGION]],
])('finds the header %s', (_name, given, found) => {
  expect(headerParameters(given)).toEqual(found);
});

it.each([
  ['at the root', schema({}, { 'x-mcp-header': 'A' })],
  ['in an item', schema({ a: { type: 'array', items: header } })],
  ['in one of several schemas', schema({ a: { anyOf: [header, { type: 'null' }] } })],
  ['in an item below the properties of one', schema({ a: { items: schema({ b: header }) } })],
  ['twice, in two cases', schema({ a: header, b: { ...header, 'x-mcp-header': 'REGION' } })],
  ['of an object', schema({ a: { ...header, type: 'object' } })],
  ['with a space', schema({ a: { ...header, 'x-mcp-header': 'a b' } })],
  ['that is a number', schema({ a: { ...header, 'x-mcp-header': 1 } })],
])('refuses a header %s', (_name, given) => {
  expect(headerParameters(given)).toBeUndefined();
});
