import { describe, expect, it } from 'vitest';
import { AbortedError } from '../../../src/agent/async/abort.ts';
import type { AgentEvent, RunOutcome } from '../../../src/agent/ports/events.ts';
import { drive, type HostFormat, type HostPorts, type PromptHooks } from '../../../src/hosts/drive.ts';
import { createHostRequests } from '../../../src/hosts/host-requests.ts';
import { createLineWriter } from '../../../src/hosts/write-lines.ts';
import { answers, createFakeAgent, DONE, type FakeAgent, type FakeRun } from '../../support/fakes/fake-agent.ts';
import { createFakeHost, type FakeHost } from '../../support/hosts/fake-host.ts';

/** A format whose frames name the commands of the driver. */
const FORMAT: HostFormat = {
  decode(frame) {
    if (frame.type === 'malformed') return { type: 'reply', lines: [{ problem: frame.problem }] };
    const { do: command, text, id, answer } = frame.value;
    const reply = (problem?: string) => [{ did: command, ...(problem !== undefined && { problem }) }];
    switch (command) {
      case 'prompt':
        return { type: 'prompt', text: String(text) };
      case 'steer':
        return { type: 'prompt', text: String(text), steers: true };
      case 'noise':
        return { type: 'unreadable', problem: 'What?' };
      case 'answer':
        return { type: 'answer', id: String(id), answer, interrupt: frame.value['interrupt'] === true };
      case 'interrupt':
        return { type: 'interrupt', reply };
      case 'mode':
        return { type: 'set_mode', mode: 'read-only', reply };
      case 'model':
        return { type: 'set_model', model: String(text), reply };
      default:
        return { type: 'ignored' };
    }
  },
  encode: (event) => (event.type === 'run_end' ? [{ end: event.outcome }] : [{ event: event.type }]),
  fail: (message) => [{ failed: message }],
};

interface Script {
  readonly runs?: readonly FakeRun[];
  readonly prompts?: readonly string[];
  readonly changes?: Partial<HostPorts>;
}

interface Driven {
  readonly host: FakeHost;
  readonly agent: FakeAgent;
  readonly outcome: Promise<RunOutcome | undefined>;
  stop(): void;
  readonly requests: HostPorts['requests'];
  closed: boolean;
}

function start({ runs = [], prompts = [], changes = {} }: Script): Driven {
  const host = createFakeHost();
  const agent = createFakeAgent(runs);
  const writeLine = createLineWriter(host.write);
  const requests = createHostRequests(writeLine);
  const stops = new Set<() => void>();
  const driven = { host, agent, requests, closed: false, stop: () => [...stops].map((stop) => stop()) };
  const ports: HostPorts = {
    writeLine,
    requests,
    prompts: prompts.map((text) => ({ text })),
    openInput: host.openInput,
    openSession: async () => ({
      agent,
      close: async () => {
        driven.closed = true;
      },
    }),
    setModel: async (_agent, model) => {
      if (model === 'none') throw new Error('There is no model none.');
    },
    onStop(listener) {
      stops.add(listener);
      return () => stops.delete(listener);
    },
    ...changes,
  };
  return Object.assign(driven, { outcome: drive(FORMAT, ports) });
}

const prompt = (text: string) => ({ do: 'prompt', text });
const isEnd = (line: object) => 'end' in line;

describe('drive', () => {
  it('runs the prompts of the command line and of the host in order, and ends after the end of the input', async () => {
    const driven = start({ runs: [answers('1'), answers('2'), answers('3')], prompts: ['first'] });
    driven.host.send(prompt('second'), prompt('third'));
    driven.host.end();
    expect(await driven.outcome).toBe('done');
    expect(driven.agent.inputs).toEqual(['first', 'second', 'third']);
    expect(driven.host.lines.filter(isEnd)).toHaveLength(3);
    expect(driven.closed).toBe(true);
  });

  it('runs a prompt for the next request of a run, if no run takes it', async () => {
    const driven = start({ runs: [answers('1'), answers('2')], prompts: ['first'] });
    driven.host.send({ do: 'steer', text: 'second' });
    driven.host.end();
    expect(await driven.outcome).toBe('done');
    expect(driven.agent.inputs).toEqual(['first', 'second']);
  });

  it('fails a prompt that cannot be read once it is due', async () => {
    const driven = start({ runs: [answers('1')], prompts: ['first'] });
    driven.host.send({ do: 'noise' });
    driven.host.end();
    expect(await driven.outcome).toBe('failed');
    expect(driven.host.lines.slice(-2)).toEqual([{ end: 'done' }, { failed: 'What?' }]);
  });

  it.each(['prompt', 'steer'])('fails a message that is too long for a model: %s', async (kind) => {
    const driven = start({ runs: [answers('1')], prompts: ['first'] });
    driven.host.send({ do: kind, text: 'y'.repeat(4 * 1024 * 1024 + 1) });
    driven.host.end();
    expect(await driven.outcome).toBe('failed');
    expect(driven.host.lines.at(-1)).toEqual({ failed: expect.stringContaining('longer than 4 MB') });
  });

  it('calls back after each turn, when its lines are written', async () => {
    const turn = (number: number): AgentEvent => ({ type: 'turn_end', turn: number });
    const written: number[] = [];
    const driven: Driven = start({
      runs: [
        [turn(1), turn(2), DONE],
        [turn(1), DONE],
      ],
      prompts: ['first', 'second'],
      changes: {
        openInput: undefined,
        afterTurn: async () => {
          written.push(driven.host.lines.length);
        },
      },
    });
    await driven.outcome;
    expect(written).toEqual([1, 2, 4]);
  });

  it('opens no session without work', async () => {
    const driven = start({ changes: { openSession: () => Promise.reject(new Error('opened')) } });
    driven.host.send({ do: 'nothing' }, 'no JSON');
    driven.host.end();
    expect(await driven.outcome).toBeUndefined();
    expect(driven.host.lines).toEqual([{ problem: expect.stringContaining('no JSON') }]);
  });

  it('interrupts the run in progress at once, and runs the next prompt', async () => {
    const driven = start({ runs: [['hang'], answers('2')] });
    driven.host.send(prompt('first'), { do: 'interrupt' }, prompt('second'));
    driven.host.end();
    expect(await driven.outcome).toBe('done');
    expect(driven.host.lines.filter(isEnd)).toEqual([{ end: 'aborted' }, { end: 'done' }]);
    expect(driven.host.lines).toContainEqual({ did: 'interrupt' });
  });

  it.each(['beforePrompt', 'afterRun'] as const)('continues after an interrupt while %s is asked', async (name) => {
    let waits = true;
    const asked = (signal: AbortSignal): Promise<undefined> => {
      if (!waits) return Promise.resolve(undefined);
      waits = false;
      driven.host.send({ do: 'interrupt' }, prompt('second'));
      driven.host.end();
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new AbortedError())));
    };
    const hooks: PromptHooks = {
      beforePrompt: async (_, signal) => {
        if (name === 'beforePrompt') await asked(signal);
        return { type: 'run', added: undefined };
      },
      afterRun: async (_, signal) => (name === 'afterRun' ? asked(signal) : undefined),
    };
    const driven = start({ runs: [answers('1'), answers('2')], changes: { hooks: () => hooks } });
    driven.host.send(prompt('first'));
    expect(await driven.outcome).toBe('done');
    expect(driven.agent.inputs).toEqual(['first', 'second']);
    expect(driven.host.lines.filter((line) => 'failed' in line)).toEqual([]);
  });

  it.each<readonly [runs: readonly FakeRun[], outcome: RunOutcome]>([
    [[], 'failed'],
    [[answers('1')], 'failed'],
  ])('ends as failed after a last prompt that a hook blocked, after %j', async (runs, outcome) => {
    const beforePrompt: PromptHooks['beforePrompt'] = async (text) =>
      text === 'bad' ? { type: 'blocked', reason: 'no' } : { type: 'run', added: undefined };
    const driven = start({
      runs,
      prompts: [...runs.map(() => 'good'), 'bad'],
      changes: { openInput: undefined, hooks: () => ({ beforePrompt, afterRun: async () => undefined }) },
    });
    expect(await driven.outcome).toBe(outcome);
    expect(driven.host.lines.at(-1)).toEqual({ failed: 'no' });
  });

  it('adds the text of a hook to the prompt', async () => {
    const beforePrompt: PromptHooks['beforePrompt'] = async () => ({ type: 'run', added: 'It is late.' });
    const hooks: PromptHooks = { beforePrompt, afterRun: async () => undefined };
    const driven = start({
      runs: [answers('1')],
      prompts: ['first'],
      changes: { openInput: undefined, hooks: () => hooks },
    });
    expect(await driven.outcome).toBe('done');
    expect(driven.agent.inputs).toEqual(['first\n\nIt is late.']);
  });

  it.each<readonly [name: string, wanted: number, runs: number]>([
    ['as often as a hook requests it', 2, 3],
    ['ten times at most', Number.POSITIVE_INFINITY, 11],
  ])('lets a completed run continue, %s, and writes only its last end', async (_name, wanted, runs) => {
    const asked: boolean[] = [];
    const afterRun: PromptHooks['afterRun'] = async (again) => {
      asked.push(again);
      return asked.length > wanted ? undefined : `more ${asked.length}`;
    };
    const hooks: PromptHooks = { beforePrompt: async () => ({ type: 'run', added: undefined }), afterRun };
    const driven = start({
      runs: Array.from({ length: runs }, () => answers('1')),
      prompts: ['first'],
      changes: { openInput: undefined, hooks: () => hooks },
    });
    expect(await driven.outcome).toBe('done');
    const more = Array.from({ length: runs - 1 }, (_, index) => `more ${index + 1}`);
    expect(driven.agent.inputs).toEqual(['first', ...more]);
    expect(asked).toEqual(Array.from({ length: Math.min(runs, 10) }, (_, index) => index > 0));
    expect(driven.host.lines.filter(isEnd)).toEqual([{ end: 'done' }]);
  });

  it('asks no hook about an incomplete run', async () => {
    const afterRun = () => Promise.reject(new Error('asked'));
    const hooks: PromptHooks = { beforePrompt: async () => ({ type: 'run', added: undefined }), afterRun };
    const run: FakeRun = [{ type: 'run_end', outcome: 'denied', message: 'Denied.' }];
    const driven = start({ runs: [run], prompts: ['first'], changes: { openInput: undefined, hooks: () => hooks } });
    expect(await driven.outcome).toBe('denied');
  });

  it('fails when a hook cannot be asked', async () => {
    const beforePrompt = () => Promise.reject(new Error('no hooks'));
    const hooks: PromptHooks = { beforePrompt, afterRun: async () => undefined };
    const driven = start({ prompts: ['first'], changes: { hooks: () => hooks } });
    await expect(driven.outcome).rejects.toThrow('no hooks');
  });

  it('does not count an interrupted run as the outcome', async () => {
    const driven = start({ runs: [['hang']] });
    driven.host.send(prompt('first'), { do: 'interrupt' });
    driven.host.end();
    expect(await driven.outcome).toBeUndefined();
  });

  it('does not count a failure before an interrupted run as the outcome', async () => {
    const driven = start({ runs: [[{ type: 'turn_end', turn: 1 }, 'hang']] });
    driven.host.send({ do: 'noise' }, prompt('first'));
    await driven.host.waitFor((line) => line['event'] === 'turn_end');
    driven.host.send({ do: 'interrupt' });
    driven.host.end();
    expect(await driven.outcome).toBeUndefined();
  });

  it('answers an interrupt without a run', async () => {
    const driven = start({});
    driven.host.send({ do: 'interrupt' });
    driven.host.end();
    await driven.outcome;
    expect(driven.host.lines).toEqual([{ did: 'interrupt' }]);
  });

  it('changes mode and model before the next prompt, and reports failures', async () => {
    const driven = start({ runs: [answers('1')] });
    driven.host.send({ do: 'mode' }, { do: 'model', text: 'none' }, prompt('first'));
    driven.host.end();
    await driven.outcome;
    expect(driven.host.lines.slice(0, 2)).toEqual([
      { did: 'mode' },
      { did: 'model', problem: 'There is no model none.' },
    ]);
    expect(driven.host.lines.at(-1)).toEqual({ end: 'done' });
  });

  it('ends the run and the process when it is stopped, with the end of the run written', async () => {
    const driven = start({ runs: [[{ type: 'turn_end', turn: 1 }, 'hang']], prompts: ['first'] });
    driven.host.send(prompt('never run'));
    await driven.host.waitFor((line) => line['event'] === 'turn_end');
    driven.stop();
    expect(await driven.outcome).toBe('aborted');
    expect(driven.host.lines.at(-1)).toEqual({ end: 'aborted' });
    expect(driven.agent.inputs).toEqual(['first']);
    expect(driven.closed).toBe(true);
  });

  it('takes no event from the run before the host has read the line of the previous one', async () => {
    let taken = 0;
    const agent: FakeAgent = {
      ...createFakeAgent([]),
      async *run() {
        for (; taken < 100; taken += 1) yield { type: 'text_delta', text: 'word ' };
        yield DONE;
      },
    };
    let written = 0;
    let ahead = 0;
    let read = (): void => {};
    const writeLine = () => {
      written += 1;
      ahead = Math.max(ahead, taken + 1 - written);
      return new Promise<boolean>((resolve) => {
        read = () => resolve(true);
      });
    };
    const { outcome } = start({
      prompts: ['first'],
      changes: { openInput: undefined, writeLine, openSession: async () => ({ agent, close: async () => {} }) },
    });
    // Every line waits for many turns of the queue, in which a run that does not wait would go on.
    for (let line = 1; line <= 101; line += 1) {
      for (let turn = 0; turn < 20; turn += 1) await null;
      expect([line, written]).toEqual([line, line]);
      read();
    }
    expect(await outcome).toBe('done');
    expect(ahead).toBe(0);
  });

  it('reports a session that cannot be opened to the host, and fails', async () => {
    const driven = start({ changes: { openSession: () => Promise.reject(new Error('There is no session 7.')) } });
    driven.host.send({ do: 'mode' }, prompt('first'), prompt('second'));
    await expect(driven.outcome).rejects.toThrow('There is no session 7.');
    expect(driven.host.lines).toEqual([
      { did: 'mode', problem: 'There is no session 7.' },
      { failed: 'There is no session 7.' },
    ]);
  });

  it('fails when its input cannot be read', async () => {
    const driven = start({});
    driven.host.break(new Error('EIO'));
    await expect(driven.outcome).rejects.toThrow('EIO');
  });

  it('passes on the answers to its questions, which remain unanswered after the end of the input', async () => {
    const asked: unknown[] = [];
    const { signal } = new AbortController();
    const driven: Driven = start({
      changes: {
        openSession: async () => {
          asked.push(await driven.requests.ask('q1', { question: 1 }, signal));
          asked.push(await driven.requests.ask('q2', { question: 2 }, signal));
          asked.push(await driven.requests.ask('q3', { question: 3 }, signal));
          return { agent: driven.agent, close: async () => {} };
        },
      },
      runs: [answers('1')],
    });
    driven.host.send(prompt('first'));
    await driven.host.waitFor((line) => line['question'] === 1);
    driven.host.send({ do: 'answer', id: 'unknown' }, { do: 'answer', id: 'q1', answer: 'yes' });
    await driven.host.waitFor((line) => line['question'] === 2);
    driven.host.end();
    expect(await driven.outcome).toBe('done');
    expect(asked).toEqual(['yes', undefined, undefined]);
    expect(driven.host.lines.filter((line) => 'question' in line)).toHaveLength(2);
  });
});

describe('createHostRequests', () => {
  it('takes a host that does not read its question as disconnected', async () => {
    const requests = createHostRequests(async () => false);
    expect(await requests.ask('q', {}, new AbortController().signal)).toBeUndefined();
    expect(await requests.ask('later', {}, new AbortController().signal)).toBeUndefined();
  });
});
