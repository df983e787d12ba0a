import { expect, it } from 'vitest';
import { createApprover } from '../../../../src/app/driver/questions.ts';
import type { TerminalInput } from '../../../../src/app/terminal.ts';
import { PLAIN } from '../../../../src/terminal/output.ts';
import { askAtTerminal } from '../../../../src/terminal/question/ask-at-terminal.ts';
import type { FormRequest } from '../../../../src/tools/mcp/questions/forms.ts';
import { createScriptedTerminal } from '../../../support/fakes/scripted-terminal.ts';

const FORM: FormRequest = {
  id: 'q1',
  server: 'notes',
  message: 'Who\nare you?',
  schema: {
    properties: {
      name: { type: 'string', title: 'Your name', description: 'the first one', pattern: '^(a+)+$' },
      colour: { type: 'string', enum: ['red', 'green'], default: 'red' },
    },
    required: ['name'],
  },
};
const PAGE: FormRequest = { id: 'q1', server: 'notes', message: 'Log in', url: 'https://login.example/a?b=1' };

type Input = string | Exclude<TerminalInput, { type: 'line' }>;

async function fill(request: FormRequest, ...inputs: readonly Input[]) {
  const stop = new AbortController();
  const terminal = createScriptedTerminal(inputs);
  let screen = '';
  const { forms } = createApprover(() =>
    askAtTerminal({
      terminal,
      palette: PLAIN,
      interruptRun: () => stop.abort(new Error('stopped at the question')),
      write: async (text) => {
        screen += text;
        return true;
      },
    }),
  );
  const answer = await forms?.fill(request, stop.signal).catch(String);
  return { answer, screen, prompts: terminal.questions.map(({ prompt, text }) => [prompt, text ?? '']) };
}

it('a form asks for each field, shows the answers, and sends them', async () => {
  const { answer, screen, prompts } = await fill(FORM, 'y', ' ', 'Ada', '', 'y');
  expect(answer).toEqual({ action: 'accept', content: { name: 'Ada', colour: 'red' } });
  expect(screen).toContain('▌ ? the server notes asks you\n▌   Who\n▌   are you?\n');
  expect(screen).toContain('▌   - Your name – the first one (a text; pattern ^(a+)+$)\n');
  expect(screen).toContain('▌   - colour (one of 1 red, 2 green; if empty, "red")\n');
  expect(screen).toContain('▌   Your name must be given.\n');
  expect(screen).toContain('▌   notes gets:\n▌     name: "Ada"\n▌     colour: "red"\n');
  expect(prompts.map(([prompt]) => prompt)).toEqual([
    '▌   > ',
    '▌   Your name: ',
    '▌   Your name: ',
    '▌   colour: ',
    '▌   > ',
  ]);
});

it('a form lets the user change the fields before they are sent', async () => {
  const { answer, prompts } = await fill(FORM, 'y', 'Ada', '', 'e', 'Eve', 'green', 'y');
  expect(answer).toEqual({ action: 'accept', content: { name: 'Eve', colour: 'green' } });
  expect(prompts[4]).toEqual(['▌   Your name: ', 'Ada']);
});

it.each<readonly [string, FormRequest, readonly Input[], unknown]>([
  ['no', FORM, ['n'], { action: 'decline' }],
  ['Enter', FORM, [''], { action: 'decline' }],
  ['no at the end', FORM, ['y', 'Ada', '', 'n'], { action: 'decline' }],
  ['the end of the input', FORM, [], { action: 'cancel' }],
  ['the end of the input in a field', FORM, ['y'], { action: 'cancel' }],
  ['Ctrl-C', FORM, [{ type: 'interrupt', cleared: false }], 'AbortedError: The run was stopped.'],
  ['an address', PAGE, ['y'], { action: 'accept' }],
  ['no to an address', PAGE, ['n'], { action: 'decline' }],
  ['a question without fields', { ...FORM, schema: {} }, ['y'], { action: 'accept', content: {} }],
])('a form is answered after %s', async (_name, request, inputs, expected) => {
  expect((await fill(request, ...inputs)).answer).toEqual(expected);
});

it('a form shows an address completely, with its host', async () => {
  const { screen } = await fill(PAGE, 'n');
  expect(screen).toContain('to open this page of login.example in your browser:\n▌   https://login.example/a?b=1\n');
});
