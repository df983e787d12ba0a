import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Check, NotRun, type World } from '../check.ts';
import { createDesk, ONE_RETRY, runPrompt } from '../run-ybs.ts';
import { whatHappened } from '../what-happened.ts';

/** More tokens than LiteLLM raises a limit to (16, as OpenAI's Responses demand), and fewer than the answers have. */
const LIMIT = 20;

/** Plays a prompt with a limit of the answer, and returns what happened and whether the file is there. */
async function playCut({ address, temporary }: World, prompt: string, maxTokens: number) {
  const desk = await createDesk(temporary);
  const ended = await runPrompt(prompt, { address, desk, settings: { llm: { max_tokens: maxTokens } } });
  return { ...whatHappened(ended), ended, workspace: desk.workspace };
}

/** Checks of answers that are cut, broken or not understood by the server. */
export const DAMAGE_CHECKS: readonly Check[] = [
  {
    name: 'broken arguments',
    async run({ address, temporary }) {
      const desk = await createDesk(temporary);
      const ended = await runPrompt('break the arguments', { address, desk, settings: ONE_RETRY });
      const { texts, calls, outcome, message } = whatHappened(ended);
      assert.ok(!existsSync(path.join(desk.workspace, 'broken.txt')), 'the call ran');
      assert.deepEqual(
        calls.filter((call) => call.outcome === 'ok'),
        [],
      );
      const shown = `${outcome}: ${message}\n${JSON.stringify(texts)}`;
      assert.ok(outcome !== 'done' || !(texts.at(-1) ?? '').includes('write_file'), `markup is the answer: ${shown}`);
      // Last, because facts about servers explain no other failure.
      assert.ok(texts.length > 0, `there was no answer: ${message}`);
    },
  },
  {
    name: 'markup that the server did not read',
    async run({ address, temporary }) {
      const desk = await createDesk(temporary, { 'notes.txt': 'The secret word is marmalade.\n' });
      const ended = await runPrompt('call in another markup', { address, desk });
      const { texts, calls } = whatHappened(ended);
      assert.deepEqual(
        calls.map(({ name, outcome }) => [name, outcome]),
        [['read_file', 'ok']],
        JSON.stringify(texts),
      );
    },
  },
  {
    name: 'a cut text',
    async run(world) {
      const { texts, finishes, outcome, code, message } = await playCut(world, 'tell a long story', LIMIT);
      assert.notEqual(outcome, 'done', `the run is done with ${JSON.stringify(texts)}`);
      assert.ok(code !== null && code > 0, `exit code ${code}`);
      assert.equal(finishes.at(-1), 'length', message);
      assert.match(message, /max_tokens/);
    },
  },
  {
    name: 'cut reasoning',
    async run(world) {
      // Claude thinks only in more than 1,024 tokens, and so does the mock.
      if (world.address.behind === 'mock as Anthropic') throw new NotRun('it does not think within so few tokens');
      const { texts, outcome, code, message } = await playCut(world, 'think for a long time', LIMIT);
      assert.notEqual(outcome, 'done', `the run is done with ${JSON.stringify(texts)}`);
      assert.ok(code !== null && code > 0, `exit code ${code}`);
      assert.match(message, /max_tokens/);
    },
  },
  {
    name: 'a cut call',
    async run(world) {
      const { calls, finishes, message, workspace, ended } = await playCut(world, 'write a long file', LIMIT);
      assert.ok(!existsSync(path.join(workspace, 'cut.txt')), 'the call ran');
      assert.equal(finishes[0], 'length', message);
      assert.deepEqual(
        calls.filter((call) => call.outcome === 'ok'),
        [],
        ended.stderr,
      );
    },
  },
];
