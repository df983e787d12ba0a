import { describe, expect, it } from 'vitest';
import { type Change, MISTAKES, PURPOSES } from './history-changes.ts';
import { type HistoryWireName, historyClient, type Json, WIRE_NAMES } from './history-wires.ts';

/**
 * The verdict on each mistake over each wire, in the order of `WIRE_NAMES`: the status of a refusal, `lint` for a
 * finding of the history, `–` where nothing can be known or the service allows it, and `.` where the protocol has
 * nothing to change.
 */
const VERDICTS: Readonly<Record<string, string>> = {
  'the text is dropped': 'lint lint lint lint lint lint lint lint lint',
  'the text of an earlier answer is dropped': 'lint lint lint lint lint lint lint lint lint',
  'the text is changed': 'lint lint lint lint lint lint lint lint lint',
  'the last text is changed': 'lint lint lint lint lint – lint lint –',
  'the texts of two answers are swapped': 'lint lint lint lint lint lint lint lint lint',
  'the text is there twice': 'lint 400 lint lint lint lint lint lint lint',
  'the text comes after the call': '. lint lint 400 lint lint lint . .',
  'the tool is renamed': 'lint lint lint lint lint lint lint lint lint',
  'the tool of an earlier answer is renamed': 'lint lint lint lint lint lint lint lint lint',
  'an argument is changed': 'lint lint lint lint lint lint lint lint lint',
  'the arguments are emptied': 'lint lint lint lint lint lint lint lint lint',
  'an argument is dropped': 'lint lint lint lint lint lint lint lint lint',
  'a nested argument is changed': 'lint lint lint lint lint lint lint lint lint',
  'the first of two calls is dropped with its result': 'lint lint lint lint 400 lint lint lint lint',
  'the second of two calls is dropped with its result': 'lint lint lint lint lint lint lint lint lint',
  'the calls are in another order': 'lint lint lint lint 400 lint lint lint lint',
  'the answers are in another order': 'lint lint lint lint lint lint lint lint lint',
  'an answer is there twice': 'lint 400 lint lint lint 400 lint lint 400',
  'the thinking of the last answer is dropped': 'lint lint 400 400 – – lint lint lint',
  'the thinking is changed': 'lint lint 400 400 lint lint lint lint lint',
  'the thinking is emptied': 'lint – 400 400 – – – lint lint',
  'the thinking of two answers is swapped': 'lint lint lint lint lint lint lint lint lint',
  'the thinking comes after the call': '. 400 400 400 lint lint lint . .',
  'the signature of the last answer is dropped': '. 404 400 400 400 lint lint . .',
  'the signature is changed': '. 400 400 400 lint lint lint . .',
  'the phase of one text is dropped': '. lint . . . . . . .',
  'the phase is changed': '. lint . . . . . . .',
  'a result is missing': '400 400 400 400 400 400 400 lint lint',
  'a result is there twice': '400 lint 400 400 400 400 lint lint 400',
  'a result has a foreign id': '400 400 400 400 lint . 400 lint .',
  'a call has a foreign id': '400 400 400 400 lint . 400 lint .',
  'the last call has no result': '400 400 400 400 400 400 400 lint lint',
  'the calls of an earlier answer have no results': '400 400 400 400 400 400 400 lint lint',
  'a result comes after the next answer': '400 lint 400 400 400 400 lint lint lint',
  'the results of two answers are swapped': '400 lint 400 400 400 – lint lint –',
};

/** Changes that a wire without ids cannot tell from others: the results before a step say which one it is. */
const POSITIONAL: Partial<Record<HistoryWireName, readonly string[]>> = {
  'gemini without ids': ['a summary in place of the beginning', 'an answer left out with its results'],
};

/** Requests that do not think, so that none of the thinking has to come back. */
const WITHOUT_THINKING: Partial<Record<HistoryWireName, Json>> = {
  'anthropic-messages': { thinking: { type: 'disabled' } },
  'bedrock-converse': { additionalModelRequestFields: {} },
};

describe.each(WIRE_NAMES.map((name, index) => ({ name, index })))('the history of $name', ({ name, index }) => {
  const { wire, play, send } = historyClient(name);

  it.each(Object.entries<Change>(MISTAKES))('is checked: %s', async (mistake, change) => {
    const pieces = await play();
    const changed = change(pieces, wire);
    const isSame = JSON.stringify(wire.join(changed)) === JSON.stringify(wire.join(pieces));
    const { status, history } = await send(changed);
    const verdict = status === 200 ? (history.length > 0 ? 'lint' : '–') : String(status);
    expect(isSame ? '.' : verdict).toBe(VERDICTS[mistake]?.split(' ')[index]);
  });

  it.each(Object.entries(PURPOSES))('may have %s', async (purpose, change) => {
    if (POSITIONAL[name]?.includes(purpose)) return;
    const changed = change(await play(), wire);
    const { status, findings } = await send(changed, purpose === 'no thinking' ? WITHOUT_THINKING[name] : undefined);
    expect([status, ...findings]).toEqual([200]);
  });
});
