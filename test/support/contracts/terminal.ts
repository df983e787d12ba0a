import { expect, it } from 'vitest';
import type { Terminal } from '../../../src/app/terminal.ts';
import { contractSuite, type Implementation } from './implementations.ts';

/** Opens a terminal on which these lines are typed before the input ends. */
export interface TerminalSubject {
  open(lines: readonly string[]): Terminal;
}

const QUESTION = { prompt: '> ', fresh: false };

/** Runs the contract of `Terminal`. */
export function terminalContract(implementations: readonly Implementation<TerminalSubject>[]): void {
  contractSuite('Terminal', implementations, (create) => {
    it('returns the lines in order, then always the end', async () => {
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

    it('reads no line when the signal is already aborted', async () => {
      const terminal = create().open(['one']);
      const reason = new Error('stopped before');
      await expect(terminal.readLine(QUESTION, AbortSignal.abort(reason))).rejects.toBe(reason);
      expect(await terminal.readLine(QUESTION)).toEqual({ type: 'line', text: 'one' });
      terminal.close();
    });

    it('ignores an abort after the line', async () => {
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
