import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { HostBin } from '../support/hosts/host-bin.ts';
import { HOST_SCENARIOS, hostPlace, peakMegabytes, waitUntilIdle } from '../support/hosts/host-conversation.ts';
import { randomNumbers } from '../support/kills/story-kills.ts';
import { serveScenarios } from '../support/wires/serve-scenarios.ts';

const RUNS = 10;
const MESSAGES = 1_000;
/** Answers of 20 kB, for a fast and for a slow reader. With zod and its library, ACP has less room for the history. */
const ANSWERS = { 'stream-json': 60, 'yume-json': 60, acp: 60 } as const;

const server = serveScenarios(HOST_SCENARIOS);

describe.each(['stream-json', 'yume-json', 'acp'] as const)('a host that uses %s', (format) => {
  // Over ACP a message has to wait for the end of the one before.
  const queues = format !== 'acp';

  it.each<readonly [string, (bin: HostBin) => void]>([
    ['the host is killed', (bin) => bin.signal('SIGKILL')],
    ['the input is closed', (bin) => bin.end()],
    ['the output is closed', (bin) => bin.hangUp()],
    ['ybs is killed', (bin) => bin.signal('SIGKILL')],
    ['ybs is asked to stop', (bin) => bin.signal('SIGTERM')],
  ])(`has a session that can be continued when, at ${RUNS} random points, %s`, async (name, fault) => {
    const random = randomNumbers(13);
    const points = new Set<number>();
    for (let run = 0; run < RUNS; run += 1) {
      const place = hostPlace(format, server.url);
      const bin = name === 'the host is killed' ? await place.startRelayed() : await place.start();
      bin.send(place.user('work'));
      await bin.waitFor(place.isStart);
      const calls = Math.floor(random.next().value * 25);
      for (let call = 0; call < calls; call += 1) await bin.waitFor(place.isCallResult);
      await setTimeout(random.next().value * 10);
      fault(bin);
      await bin.ended;
      points.add(bin.lines.length);
      expect(await place.aftermath(bin), `run ${run}: after ${calls} calls ${name}`).toEqual({
        ...{ problems: [], next: 'Hello.' },
      });
    }
    // The control: the points differ, unless the run goes on to its end.
    expect(points.size > RUNS / 2).toBe(!(queues && name === 'the input is closed'));
  });

  it(`may send ${MESSAGES} messages`, async () => {
    const place = hostPlace(format, server.url);
    const bin = await place.start();
    if (queues) bin.send(...Array.from({ length: MESSAGES }, () => place.user('say hello')));
    for (let result = 0; result < MESSAGES; result += 1) {
      if (!queues) bin.send(place.user('say hello'));
      await bin.waitFor(place.isResult);
    }
    const peak = peakMegabytes(bin.pid);
    bin.end();
    expect(await bin.ended).toEqual({ code: 0, signal: null, stderr: '' });
    expect(await place.aftermath(bin)).toEqual({ problems: [], next: 'Hello.' });
    console.log(`${format}: ${MESSAGES} messages, at most ${peak.toFixed(0)} MB`);
    expect(peak).toBeLessThan(150);
  });

  it('may slowly read many times the size of its pipe, of which ybs buffers no more than for a fast reader', async () => {
    const peaks: number[] = [];
    const size = queues ? 5 : 1;
    for (const slow of [false, true]) {
      const place = hostPlace(format, server.url);
      const bin = await place.start({ partial: true });
      for (let batch = 0; batch < ANSWERS[format] / size; batch += 1) {
        bin.send(...Array.from({ length: size }, () => place.user('print much')));
        const goOn = slow ? bin.pause() : () => {};
        if (slow) await waitUntilIdle(bin.pid);
        goOn();
        for (let result = 0; result < size; result += 1) await bin.waitFor(place.isResult);
      }
      bin.send(place.user('say hello'));
      await bin.waitFor(place.isResult);
      peaks.push(peakMegabytes(bin.pid));
      bin.end();
      expect(await bin.ended).toEqual({ code: 0, signal: null, stderr: '' });
      expect(await place.aftermath(bin)).toEqual({ problems: [], next: 'Hello.' });
    }
    const [fast = 0, slow = 0] = peaks;
    console.log(`${format}: at most ${fast.toFixed(0)} MB with a fast reader, ${slow.toFixed(0)} MB with a slow one`);
    expect(slow).toBeLessThan(fast * 1.25);
    expect(slow).toBeLessThan(150);
  });
});

it('a host may send 1,000 prompts at once over acp, of which all but the first are rejected', async () => {
  const place = hostPlace('acp', server.url);
  const bin = await place.start();
  bin.send(...Array.from({ length: MESSAGES }, () => place.user('work')));
  for (let result = 0; result < MESSAGES; result += 1) await bin.waitFor(place.isResult);
  bin.end();
  expect(await bin.ended).toEqual({ code: 0, signal: null, stderr: '' });
  expect(
    bin.lines.filter(({ result }) => JSON.stringify(result) === '{"stopReason":"max_turn_requests"}'),
  ).toHaveLength(1);
  expect(bin.lines.filter(({ error }) => error !== undefined)).toHaveLength(MESSAGES - 1);
  expect(await place.aftermath(bin)).toEqual({ problems: [], next: 'Hello.' });
});
