import { expect, it } from 'vitest';
import { argumentsObject } from '../../../../mock-llm-server/wire/encode.ts';

it.each([
  ['{"path":"漢字 🙂"}', 'json', { path: '漢字 🙂' }],
  ['', 'json', {}],
  [' \n', 'json', {}],
  ['*** Begin Patch', 'text', { input: '*** Begin Patch' }],
  ['{"path":', 'json', undefined],
  ['[1]', 'json', undefined],
  ['null', 'json', undefined],
  ['"x"', 'json', undefined],
] as const)('reads %j as %s', (text, input, object) => {
  expect(argumentsObject({ id: 'a', name: 'x', input, arguments: text })).toEqual(object);
});
