import { expect, it } from 'vitest';
import { UsageError } from '../../../src/agent/errors.ts';
import { reportFailure } from '../../../src/app/exit.ts';

class ScenarioError extends Error {
  override readonly name = 'ScenarioError';
}

class ForeignFileError extends Error {
  override readonly name = 'ForeignFileError';
}

const FULL = 'ybs: The disk is full. Free some space or write the output elsewhere, then start again.\n';
const coded = (code: string) => Object.assign(new Error(`${code}: odd, write`), { code });

it.each([
  ['a usage error', new UsageError('no\u001b[2J'), 2, 'ybs: no\\u{1b}[2J\n'],
  ['a scenario file', new ScenarioError('a.json: $: x'), 2, 'ybs: a.json: $: x\n'],
  ['a recording of another tool', new ForeignFileError('a.har: x'), 2, 'ybs: a.har: x\n'],
  ['a full disk', coded('ENOSPC'), 1, FULL],
  ['an exceeded quota', coded('EDQUOT'), 1, FULL],
  ['another module', coded('MODULE_NOT_FOUND'), 1, 'ybs: MODULE_NOT_FOUND: odd, write\n'],
  ['another code', coded('EIO'), 1, 'ybs: EIO: odd, write\n'],
  ['anything else', new Error('broken'), 1, 'ybs: broken\n'],
  ['a thrown string', 'a string', 1, 'ybs: a string\n'],
])('an exit reports %s on standard error and returns the exit code', async (_name, error, code, text) => {
  let written = '';
  const result = await reportFailure(error, async (piece) => {
    written += piece;
    return true;
  });
  expect([result, written]).toEqual([code, text]);
});

it('an exit returns its code even when nothing can be written', async () => {
  expect(await reportFailure(new UsageError('x'), () => Promise.reject(new Error('ENOSPC')))).toBe(2);
});
