import { expect, it } from 'vitest';
import type { Terminal } from '../../../src/ports/terminal.ts';
import { contractSuite, type Implementation } from './implementations.ts';

/** A terminal at which these lines are going to be typed, after which the input ends. */
export interface TerminalSubject {
  open(lines: readonly string[]): Terminal;
}

const QUESTION = { prompt: '> ', fresh: false };

/** What every terminal must do. */
export function terminalContract(implementations: readonly Implementation<TerminalSubject>[]): void {
  contractSuite('Terminal', implementations, (create) => {
    it('gives the lines in their order, then says for ever that it ended', async () => {
      const terminal = create().open(['one', '', 'three  ']);
      const read = () => terminal.readLine(QUESTION);
      expect([await read(), await read(), await read()]).toEqual([
        { type: 'line', text: 'one' },
        { type: 'line', text: '' },
        { type: 'line', text: 'three  ' },
      ]);
      expect([await read(), await read()]).toEqual([{ type: 'end' }, { type: 'end' }]);
      terminal.close();
    });

    it('does not ask when the signal has aborted', async () => {
      const terminal = create().open(['one']);
      const reason = new Error('stopped before');
      await expect(terminal.readLine(QUESTION, AbortSignal.abort(reason))).rejects.toBe(reason);
      expect(await terminal.readLine(QUESTION)).toEqual({ type: 'line', text: 'one' });
      terminal.close();
    });

    it('a signal that aborts after the answer changes nothing', async () => {
      const terminal = create().open(['one', 'two']);
      const stop = new AbortController();
      const first = await terminal.readLine(QUESTION, stop.signal);
      stop.abort();
      const second = await terminal.readLine(QUESTION);
      expect([first, second]).toEqual([
        { type: 'line', text: 'one' },
        { type: 'line', text: 'two' },
      ]);
      terminal.close();
    });
  });
}
