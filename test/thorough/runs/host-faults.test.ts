import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { HOST_SCENARIOS, hostPlace, peakMegabytes, waitUntilIdle } from '../../support/hosts/host-conversation.ts';
import { LONG } from '../../support/random/property.ts';
import { serveScenarios } from '../../support/wires/serve-scenarios.ts';

const server = serveScenarios(HOST_SCENARIOS);

const FORMATS = ['stream-json', 'yume-json'] as const;

/** Answers of some 70 kB, of which the buffers between two processes take up to six. */
const BOOKS = 20;

describe('a host', () => {
  // acp-faults.test.ts kills one over ACP at a question.
  it.each(LONG ? ([...FORMATS, 'acp'] as const) : FORMATS)(
    'leaves a session that can be continued when it is killed in a run, over %s',
    async (format) => {
      const place = hostPlace(format, server.url);
      const bin = await place.startRelayed();
      bin.send(place.user('work'));
      await bin.waitFor(place.isCallResult);
      bin.signal('SIGKILL');
      expect(await bin.ended).toMatchObject({ signal: 'SIGKILL' });
      expect(await place.aftermath(bin)).toEqual({ problems: [], next: 'Hello.' });
      // The control: a line that is missing from the log is found.
      const log = place.log();
      const lines = readFileSync(log, 'utf8').split('\n');
      writeFileSync(log, lines.with(3, '{"broken').join('\n'));
      expect(await place.logProblems(bin)).not.toEqual([]);
    },
  );

  // One format is enough here: what holds output back is the same for both.
  it.runIf(process.platform === 'linux').each(LONG ? FORMATS : FORMATS.slice(0, 1))(
    'may send 5 MB at once, queue messages and read slowly, over %s',
    async (format) => {
      const place = hostPlace(format, server.url);
      const bin = await place.start({ partial: true });
      bin.send(place.user('word '.repeat(1_000_000)), place.user('say hello'));
      await bin.waitFor(place.isResult);
      await bin.waitFor(place.isResult);
      const asked = server.lines().length;
      const goOn = bin.pause();
      bin.send(...Array.from({ length: BOOKS }, () => place.user('print a book')), place.user('say hello'));
      await waitUntilIdle(bin.pid);
      // The agent waits for the reader: it asks the model nothing more.
      expect(server.lines().length - asked).toBeLessThan(BOOKS / 2);
      goOn();
      for (let result = 0; result < BOOKS + 1; result += 1) await bin.waitFor(place.isResult);
      expect(peakMegabytes(bin.pid)).toBeLessThan(150);
      bin.end();
      expect(await bin.ended).toEqual({ code: 0, signal: null, stderr: '' });
      expect(await place.aftermath(bin)).toEqual({ problems: [], next: 'Hello.' });
    },
  );
});
