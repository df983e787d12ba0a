import { expect, it } from 'vitest';
import { nearestName } from '../../../../mock-llm-server/scenario/nearest-name.ts';

it.each([
  ['pra', ['hi', 'par', 'long-story'], 'par'],
  ['gret', ['fix', 'greet'], 'greet'],
  ['fxi', ['greet', 'fix'], 'fix'],
  ['fix', ['six', 'fix-the-login-form'], 'fix-the-login-form'],
  ['fix-the-login-form-now', ['now', 'fix-the-login-form'], 'fix-the-login-form'],
  ['FIX', ['fax', 'fix'], 'fix'],
  ['helo', ['hallo', 'hello', 'hell'], 'hello'],
  ['a', ['b', 'a b'], 'a b'],
  ['ba', ['xx', 'ab'], 'ab'],
  ['grusse', ['ende', 'grüße'], 'grüße'],
  ['xyz', ['first', 'second'], 'first'],
  ['', ['first'], 'first'],
  ['🙂x', ['🙃', '🙂'], '🙂'],
  ['x', [], undefined],
])('%j among %j', (written, names, expected) => {
  expect(nearestName(written, names)).toBe(expected);
});

it('does not look at more of a name than anybody writes', () => {
  expect(nearestName('x'.repeat(1_000_000), ['a', 'x'.repeat(1_000_000)])).toBe('x'.repeat(1_000_000));
});
