import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Check, World } from '../check.ts';
import { createDesk, type Ended, ONE_RETRY, runPrompt } from '../run-ybs.ts';
import { textOf, type WhatHappened, whatHappened } from '../what-happened.ts';

const FILES = { 'notes.txt': 'The secret word is marmalade.\n', 'more.txt': 'Nothing else.\n' };

const LINES = (name: string) => Array.from({ length: 12 }, (_, index) => `  ${name}(${index + 1});\n`).join('');

const ODD =
  '🎉 "quotes" and \'single\' ones,\na \\ backslash, \\n as two characters,\n\ta tab, {"json": [1, null]},\n' +
  '<tag> &amp; </tool> 日本語 ünïcödé\n';

/** 60 KB that are half as many tokens: a tokenizer of bytes has one token for two exclamation marks. */
const LONG = `${'!'.repeat(98)}\n\n`.repeat(600);

/** Plays a prompt in a workspace with these files, and asserts that the run is done with these texts and calls. */
async function play(
  { address, temporary }: World,
  prompt: string,
  expected: {
    readonly texts: readonly string[];
    readonly calls: readonly (readonly [name: string, outcome: string])[];
  },
  {
    files = FILES,
    settings = {},
  }: { readonly files?: Readonly<Record<string, string>>; readonly settings?: object } = {},
): Promise<{ readonly run: WhatHappened; readonly ended: Ended; readonly workspace: string }> {
  const desk = await createDesk(temporary, files);
  const ended = await runPrompt(prompt, { address, desk, settings: { ...settings } });
  const run = whatHappened(ended);
  const { texts, calls, outcome, code, message } = run;
  assert.deepEqual(
    { texts, calls: calls.map((call) => [call.name, call.outcome]), outcome, code },
    { ...expected, outcome: 'done', code: 0 },
    `${message}\n${ended.stderr}`,
  );
  return { run, ended, workspace: desk.workspace };
}

/** Checks of answers and calls that are as the model meant them. */
export const ANSWER_CHECKS: readonly Check[] = [
  {
    name: 'a text',
    async run(world) {
      const text = 'Hello, world. Ünïcödé 🎉 日本語!';
      const { ended, run } = await play(world, 'say hello', { texts: [text], calls: [] });
      assert.equal(textOf(ended.events, 'text_delta').trim(), text);
      assert.deepEqual(run.finishes, ['stop']);
    },
  },
  {
    name: 'a text before a call',
    async run(world) {
      const texts = ['I look at the file first.', 'The secret word is marmalade.'];
      const { ended, run } = await play(world, 'look first', { texts, calls: [['read_file', 'ok']] });
      const shown = textOf(ended.events, 'text_delta');
      for (const text of texts) assert.equal(shown.split(text).length, 2, `the user sees ${JSON.stringify(shown)}`);
      assert.match(run.calls[0]?.content ?? '', /marmalade/);
      assert.deepEqual(run.finishes, ['tool_calls', 'stop']);
    },
  },
  {
    name: 'parallel calls',
    async run(world) {
      const calls = [['read_file', 'ok'] as const, ['read_file', 'ok'] as const];
      const { run } = await play(world, 'open two files', { texts: ['', 'I have seen both files.'], calls });
      assert.deepEqual(
        run.calls.map((call) => call.arguments),
        [{ path: 'notes.txt' }, { path: 'more.txt' }],
      );
    },
  },
  {
    name: 'three turns',
    async run(world) {
      await play(world, 'take three turns', {
        texts: ['', 'Now I search.', 'It took three turns.'],
        calls: [
          ['list_files', 'ok'],
          ['search_files', 'ok'],
        ],
      });
    },
  },
  {
    name: 'odd characters in arguments',
    async run(world) {
      const texts = ['', 'The odd characters are in the file.'];
      const { workspace } = await play(world, 'write odd characters', { texts, calls: [['write_file', 'ok']] });
      assert.equal(await readFile(path.join(workspace, 'odd.txt'), 'utf8'), ODD);
    },
  },
  {
    name: 'a result of 60 KB',
    async run(world) {
      const settings = { context: { max_tokens: 49_152, max_tool_output_chars: 100_000 } };
      const { run } = await play(
        world,
        'read the long file',
        { texts: ['', 'That was a long file.'], calls: [['run_shell', 'ok']] },
        { files: { 'long.txt': LONG }, settings },
      );
      assert.ok(run.calls[0]?.content.includes(LONG.trimEnd()), 'the result is not whole');
    },
  },
  {
    name: 'an edit of many lines',
    async run(world) {
      const files = { 'list.txt': `begin\n${LINES('old')}end\n` };
      const calls = [['read_file', 'ok'] as const, ['edit_file', 'ok'] as const];
      const texts = ['', '', 'Twelve lines are renamed.'];
      const { workspace } = await play(world, 'rename in many lines', { texts, calls }, { files });
      assert.equal(await readFile(path.join(workspace, 'list.txt'), 'utf8'), `begin\n${LINES('fresh')}end\n`);
    },
  },
  {
    name: 'an unknown tool',
    async run(world) {
      const texts = ['', 'I do without that tool.'];
      const calls = [['query_database', 'failed'] as const];
      const { run } = await play(world, 'use a tool that is not there', { texts, calls }, { settings: ONE_RETRY });
      assert.match(run.calls[0]?.content ?? '', /There is no tool "query_database"/);
    },
  },
];
