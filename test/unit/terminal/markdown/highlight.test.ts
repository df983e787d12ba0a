import { expect, it } from 'vitest';
import { highlightLines } from '../../../../src/terminal/markdown/highlight.ts';

it.each([
  ['ts', 'switch (event.type) {', '<kwd:switch> (event<oper:.>type) {'],
  ['ts', "  case 'request': return x;", "  <kwd:case> <str:'request'><oper::> <kwd:return> x;"],
  ['js', `f(...this, {'a-b': 1})`, "<func:f>(<oper:...><kwd:this><oper:,> {<str:'a-b'><oper::> <num:1>})"],
  ['go', 'switch s.type {}', '<kwd:switch> s<oper:.>type {}'],
])('in %s, %s has a member that is no keyword, or a string before a colon', (language, code, expected) => {
  const [line] = highlightLines(code, language) ?? [];
  const shown = line?.parts.map(({ text, kind }) => (kind === undefined ? text : `<${kind}:${text}>`));
  expect(shown?.join('')).toBe(expected);
});
