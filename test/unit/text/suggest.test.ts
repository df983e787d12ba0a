import { describe, expect, it } from 'vitest';
import { choiceProblem, suggest } from '../../../src/text/suggest.ts';

describe('suggestions for a misspelled name', () => {
  it.each([
    ['reed_file', ['read_file', 'edit_file', 'run_shell'], ['read_file', 'edit_file']],
    ['raed_file', ['rod_file', 'read_file'], ['read_file', 'rod_file']],
    ['README', ['readme', 'readme.md', 'src'], ['readme', 'readme.md']],
    ['help', ['helpx', 'HELP', 'help'], ['help', 'HELP', 'helpx']],
    ['halp', ['help', 'quit'], ['help']],
    ['hlep', ['step', 'help'], ['help']],
    ['nope', ['mode'], []],
    ['efort', ['effort', 'export'], ['effort', 'export']],
    ['loda', ['load', 'model'], ['load']],
    ['deny', ['denied', 'automatic'], ['denied']],
    ['index.html', ['index.md', 'main.ts'], ['index.md']],
    ['ab', ['ac', 'ad', 'ae', 'af'], ['ac', 'ad', 'ae']],
    ['a', ['b', 'abcdef'], []],
    ['', ['a', 'ab'], []],
    ['zzzz', ['help', 'quit'], []],
    ['x', [], []],
    ['mode', ['model', 'permission-mode', 'mo'], ['permission-mode', 'model', 'mo']],
    ['MODE', ['mode', 'permission-mode'], ['mode', 'permission-mode']],
    ['mode', ['a_mode', 'mode'], ['mode', 'a_mode']],
    ['mod', ['permission-mode'], []],
  ])('for %j among %j are %j', (name, known, expected) => {
    expect(suggest(name, known, 3)).toEqual(expected);
  });

  it('are limited to one name when no number is given', () => {
    expect(suggest('ab', ['ac', 'ad'])).toEqual(['ac']);
  });
});

it.each([
  ['full-acces', '/mode cannot be "full-acces". Did you mean full-access? Choose one of ask, full-access.'],
  ['zzzzzzzzzzz', '/mode cannot be "zzzzzzzzzzz". Choose one of ask, full-access.'],
])('the message about the unknown value %s names it and the choices', (value, message) => {
  expect(choiceProblem('/mode', value, ['ask', 'full-access'])).toBe(message);
});
