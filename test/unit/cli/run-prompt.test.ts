import { describe, expect, it } from 'vitest';
import { type ShowEvent, showAsJson, showAsText } from '../../../src/cli/follow-run.ts';
import { PLAIN } from '../../../src/cli/output.ts';
import { runOnce } from '../../../src/cli/run-prompt.ts';
import type { AgentEvent, RunOutcome } from '../../../src/ports/events.ts';
import { answers, createFakeAgent, DONE, type FakeRun } from '../../support/fake-agent.ts';

async function run(events: FakeRun, show: (write: (text: string) => Promise<boolean>) => ShowEvent, room = Infinity) {
  const written: string[] = [];
  const stop = new AbortController();
  const write = async (text: string) => {
    if (written.length >= room) return false;
    written.push(text);
    return true;
  };
  const code = await runOnce(createFakeAgent([events]), 'go', show(write), stop);
  return { code, written };
}

const asText = (write: (text: string) => Promise<boolean>) =>
  showAsText(write, { palette: PLAIN, showTokenUsage: true });

describe('one run', () => {
  const OUTCOMES: readonly (readonly [RunOutcome, number])[] = [
    ['done', 0],
    ['failed', 1],
    ['denied', 3],
    ['limit', 4],
    ['stuck', 5],
    ['aborted', 130],
  ];

  it.each(OUTCOMES)('that ends as %s has the exit code %i', async (outcome, code) => {
    const end: AgentEvent = { type: 'run_end', outcome, message: 'Over.' };
    expect((await run([end], asText)).code).toBe(code);
  });

  it('is printed as text', async () => {
    expect((await run(answers('Hello.'), asText)).written.join('')).toBe('Hello.\n');
  });

  it('is printed as one JSON object a line', async () => {
    const text = 'a\nb\u2028\ud800';
    const { written } = await run([{ type: 'text_delta', text }, DONE], showAsJson);
    expect(written.map((line) => line.indexOf('\n') === line.length - 1)).toEqual([true, true]);
    expect(written.map((line): unknown => JSON.parse(line))).toEqual([{ type: 'text_delta', text }, DONE]);
  });

  it('is stopped when nobody reads on', async () => {
    const events: FakeRun = [{ type: 'text_delta', text: 'a' }, { type: 'text_delta', text: 'b' }, 'hang', DONE];
    expect(await run(events, showAsJson, 1)).toMatchObject({ code: 130, written: [expect.stringContaining('"a"')] });
  });
});
