import { expect, it } from 'vitest';
import { splitWords } from '../../../src/stories/agents/agent-setup.ts';

it.each([
  ['', []],
  ['  \t\n ', []],
  ['agent -p {prompt}', ['agent', '-p', '{prompt}']],
  ['  agent \t x\n', ['agent', 'x']],
  ['agent --p={prompt}', ['agent', '--p={prompt}']],
  ['"my agent" \'two words\'', ['my agent', 'two words']],
  ['a"b c"d', ['ab cd']],
  ['\'\' ""', ['', '']],
  [`'it"s' "it's"`, ['it"s', "it's"]],
  ['"a \\" b" a\\ b \\"', ['a " b', 'a b', '"']],
  ["'a\\' b", ['a\\', 'b']],
  ['C:\\agents\\mine.exe {prompt}', ['C:\\agents\\mine.exe', '{prompt}']],
  ['a\\\\b', ['a\\b']],
  [
    '$HOME `date` $(x) *.ts ~ a|b; c && d > e',
    ['$HOME', '`date`', '$(x)', '*.ts', '~', 'a|b;', 'c', '&&', 'd', '>', 'e'],
  ],
])('the words of %j are %j', (text, words) => {
  expect(splitWords(text)).toEqual({ type: 'words', words });
});

it.each([
  ['agent "x', '"'],
  ['agent \'x"', "'"],
])('%j has an unclosed quote', (text, quote) => {
  expect(splitWords(text)).toEqual({ type: 'unclosed', quote });
});
