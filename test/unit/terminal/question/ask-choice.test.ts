import { expect, it } from 'vitest';
import type { TerminalInput } from '../../../../src/app/terminal.ts';
import { askChoice } from '../../../../src/terminal/question/ask-choice.ts';
import { createScriptedTerminal } from '../../../support/fakes/scripted-terminal.ts';

const CHOICES = [
  { value: 'a', label: 'first' },
  { value: 'b', label: 'second\n! forged' },
];
const CTRL_C: TerminalInput = { type: 'interrupt', cleared: false };

async function ask(inputs: readonly (string | Exclude<TerminalInput, { type: 'line' }>)[], drawsChoices: boolean) {
  const terminal = { ...createScriptedTerminal(inputs), drawsChoices };
  let screen = '';
  const say = async (text: string) => {
    screen += text;
    return true;
  };
  const answer = await askChoice({ terminal, say }, { title: 'Which?', prompt: '? ', choices: CHOICES });
  return { answer, screen, questions: terminal.questions };
}

it('a choice is passed as a list to a terminal that draws it', async () => {
  const { answer, screen, questions } = await ask(['b'], true);
  expect([answer, screen]).toEqual(['b', 'Which?\nArrow keys or typing choose, Enter takes one, Esc leaves.\n']);
  expect(questions).toEqual([{ prompt: '? ', fresh: true, text: '', choices: CHOICES }]);
});

it.each([
  [['2'], 'b'],
  [['3', '0', ' 1 '], 'a'],
  [[''], 'a'],
  [['other name'], 'other name'],
  [[CTRL_C], undefined],
  [[], undefined],
])('a choice has numbered rows on other terminals: %j', async (inputs, value) => {
  const { answer, screen } = await ask(inputs, false);
  expect(answer).toBe(value);
  expect(screen).toMatch(
    /^ {2}2\. second\\u\{a\}! forged\n {2}1\. first\nWhich\?\nType a number; Enter takes 1, Ctrl-C leaves\.\n/,
  );
  expect(screen.includes('Type a number from 1 to 2.')).toBe(inputs.length > 1);
});
