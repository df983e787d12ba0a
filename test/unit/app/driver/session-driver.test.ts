import { describe, expect, it } from 'vitest';
import { AbortedError } from '../../../../src/agent/async/abort.ts';
import type { ApprovalDecision, Approver } from '../../../../src/agent/ports/approver.ts';
import type { AgentEvent } from '../../../../src/agent/ports/events.ts';
import { type DriverPorts, SessionDriver, type Work } from '../../../../src/app/driver/session-driver.ts';
import { answers, createFakeAgent, DONE, type FakeAgent, type FakeRun } from '../../../support/fakes/fake-agent.ts';

type Driver = SessionDriver<string, ApprovalDecision>;

const TURN: AgentEvent = { type: 'turn_end', turn: 1 };
const REQUEST = { callId: 'c1', toolName: 'run_shell', effect: { summary: 'run x', paths: [] }, reason: 'why' };

interface Started {
  readonly driver: Driver;
  readonly agent: FakeAgent;
  /** The record of a session, in order: events, work, questions and the close of the session. */
  readonly seen: string[];
  /** Queues the prompt `text`, which is also its item. */
  send(text: string): Promise<string | undefined>;
  /** Waits until `seen` has an entry. */
  until(entry: string): Promise<void>;
}

function start(runs: readonly FakeRun[], changes: Partial<DriverPorts<string, ApprovalDecision>> = {}): Started {
  const agent = createFakeAgent(runs);
  const seen: string[] = [];
  const driver: Driver = new SessionDriver<string, ApprovalDecision>({
    openSession: async () => ({ agent, close: async () => void seen.push('closed') }),
    onWork: (type, item) => seen.push(`${type} ${item}`),
    ...changes,
  });
  const show = async (event: AgentEvent): Promise<boolean> => {
    seen.push(event.type === 'run_end' ? `end ${event.outcome}` : event.type);
    return true;
  };
  return {
    driver,
    agent,
    seen,
    send: (text) => driver.submit(async (work) => (await work.run(text, show)).outcome, text),
    async until(entry) {
      while (!seen.includes(entry)) await new Promise((resolve) => setTimeout(resolve, 1));
    },
  };
}

/** An agent whose run asks once, and then ends. */
function asking(approverOf: () => Approver, seen: string[]): FakeAgent {
  return {
    ...createFakeAgent([]),
    async *run(_prompt, signal) {
      try {
        const decision = await approverOf().decide(REQUEST, signal);
        seen.push(`decided ${decision.type}`);
        yield { type: 'approval_decision', callId: 'c1', decision };
      } catch (error) {
        seen.push(error instanceof AbortedError ? 'unanswered' : 'failed');
      }
      yield signal.aborted ? { type: 'run_end', outcome: 'aborted', message: 'Stopped.' } : DONE;
    },
  };
}

function startAsking(): Started & { readonly closed: string[] } {
  let approver: Approver | undefined;
  const closed: string[] = [];
  const started: Started = start([], {
    openSession: async (given) => {
      approver = given;
      return {
        agent: asking(() => approver ?? given, started.seen),
        close: async () => void started.seen.push('closed'),
      };
    },
    approvals: {
      newId: ({ callId }) => `question ${callId}`,
      async show(id) {
        started.seen.push(`asks ${id}`);
        return undefined;
      },
      read: (given) => given,
      close: async (id, isStopped) => closed.push(`${id} ${isStopped}`),
    },
  });
  return { ...started, closed };
}

describe('a driver', () => {
  it('processes its queue in order, and reports the items', async () => {
    const { driver, agent, seen, send } = start([answers('1'), answers('2')]);
    const first = send('first');
    const second = send('second');
    expect([driver.current, driver.queue]).toEqual([undefined, ['first', 'second']]);
    expect(await Promise.all([first, second])).toEqual(['done', 'done']);
    await driver.idle();
    expect(agent.inputs).toEqual(['first', 'second']);
    const run = ['text_delta', 'assistant_message', 'end done'];
    expect(seen).toEqual(['begin first', ...run, 'end first', 'begin second', ...run, 'end second']);
  });

  it('continues the queue after failed work', async () => {
    const { driver, send } = start([answers('1')]);
    const failed = driver.submit(() => Promise.reject(new Error('broken')));
    const next = send('next');
    await expect(failed).rejects.toThrow('broken');
    expect(await next).toBe('done');
  });

  it('drops the items that match, and never starts them', async () => {
    const { driver, agent, send } = start([['hang'], answers('3')]);
    const results = [send('first'), send('second'), send('third')];
    expect(driver.drop((item) => item === 'second')).toEqual(['second']);
    await null;
    driver.stop();
    expect(await Promise.all(results)).toEqual(['aborted', undefined, 'done']);
    expect(agent.inputs).toEqual(['first', 'third']);
  });

  it('opens the session when it is first needed, and again after a failure', async () => {
    let opened = 0;
    const agent = createFakeAgent([]);
    const { driver } = start([], {
      openSession: async () => {
        opened += 1;
        if (opened === 1) throw new Error('in use');
        return { agent, close: async () => {} };
      },
    });
    expect(opened).toBe(0);
    await expect(driver.agent()).rejects.toThrow('in use');
    expect(await Promise.all([driver.agent(), driver.agent()])).toEqual([agent, agent]);
    expect(opened).toBe(2);
  });

  it('makes changes at once and in order, before the next work', async () => {
    const { driver, agent, send } = start([answers('1')]);
    const order: string[] = [];
    const slow = driver.change(async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      order.push('slow');
    });
    const mode = driver.setMode('plan');
    await Promise.all([slow, mode, send('first')]);
    expect(order).toEqual(['slow']);
    expect(agent.inputs).toEqual(['mode plan', 'first']);
    await expect(driver.change(() => Promise.reject(new Error('no model')))).rejects.toThrow('no model');
    expect(await driver.change(async (opened) => (await opened()).model)).toBe('mock/scripted');
  });

  it('clears the session, which ends the run and the queue', async () => {
    const shown: string[] = [];
    const { driver, agent, send, until } = start([[TURN, 'hang']], {
      onSession: async ({ inputs }: { inputs?: readonly string[] }) => void shown.push((inputs ?? []).join()),
    } as Partial<DriverPorts<string, ApprovalDecision>>);
    const results = [send('first'), send('second')];
    await until('turn_end');
    await driver.clear();
    expect(await Promise.all(results)).toEqual(['aborted', undefined]);
    expect(agent.inputs).toEqual(['first', '/clear']);
    expect(shown).toEqual(['', 'first,/clear']);
  });

  it('loads a session only between runs', async () => {
    const { driver, agent, send, until } = start([[TURN, 'hang']]);
    const run = send('first');
    await expect(driver.load('old')).rejects.toThrow('A run is going on.');
    await until('turn_end');
    await expect(driver.load('old')).rejects.toThrow('A run is going on.');
    driver.stop();
    await run;
    await driver.idle();
    await expect(driver.load('old')).rejects.toThrow('There is no session "old".');
    expect(agent.inputs).toEqual(['first']);
  });

  it('shortens the conversation', async () => {
    const agent = createFakeAgent([], {}, [[{ type: 'warning', code: 'not_saved', message: 'full' }, 'hang']]);
    const { driver } = start([], { openSession: async () => ({ agent, close: async () => {} }) });
    const shown: string[] = [];
    await driver.submit(({ compact }) =>
      compact(async ({ type }) => {
        shown.push(type);
        return false;
      }),
    );
    expect(shown).toEqual(['warning']);
  });

  it('reports a run without an end', async () => {
    const { send } = start([[TURN]]);
    await expect(send('first')).rejects.toThrow('no end');
  });
});

describe('a stop', () => {
  const waiting = (signal: AbortSignal): Promise<never> =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(new AbortedError())));

  it.each<[point: string, drive: (started: Started) => Promise<unknown>, result: unknown]>([
    ['with nothing to do', async ({ driver }) => driver.stop(), undefined],
    [
      'just before the work begins',
      ({ driver, send }) => {
        const sent = send('first');
        driver.stop();
        return sent;
      },
      'aborted',
    ],
    [
      'while a change is waited for',
      async ({ driver, send, until }) => {
        let end = (): void => {};
        void driver.change(() => new Promise<void>((resolve) => (end = resolve)));
        const sent = send('first');
        await until('begin first');
        driver.stop();
        end();
        return sent;
      },
      'aborted',
    ],
    [
      'while the work prepares its prompt',
      async ({ driver, until }) => {
        const sent = driver.submit(({ signal }: Work) => waiting(signal), 'first').catch(({ name }: Error) => name);
        await until('begin first');
        driver.stop();
        return sent;
      },
      'AbortedError',
    ],
    [
      'twice',
      ({ driver }) =>
        driver.submit(async ({ run }) => {
          driver.stop();
          driver.stop();
          return (await run('first', async () => true)).outcome;
        }),
      'aborted',
    ],
    [
      'after the end',
      async ({ driver, send }) => {
        const outcome = await send('first');
        await driver.idle();
        driver.stop();
        return outcome;
      },
      'done',
    ],
  ])('%s', async (_point, drive, result) => {
    const started = start([answers('1'), answers('2')]);
    expect(await drive(started)).toBe(result);
    expect(await started.send('next')).toBe('done');
  });

  it('while the session is opened ends the waiting work', async () => {
    const { driver, until } = start([], { openSession: () => new Promise<never>(() => {}) });
    const work = driver.submit(({ agent }) => agent(), 'first');
    await until('begin first');
    driver.stop();
    await expect(work).rejects.toBeInstanceOf(AbortedError);
  });

  it('may come from a closed output', async () => {
    const { driver, agent } = start([[TURN, ...answers('1')]]);
    const end = await driver.submit(({ run }) => run('first', async () => false));
    expect(end?.outcome).toBe('aborted');
    expect(agent.inputs).toEqual(['first']);
  });

  it('may come from the work itself', async () => {
    const { driver } = start([['hang']]);
    const end = driver.submit(async (work) => {
      const ended = work.run('first', async () => true);
      work.stop();
      return (await ended).outcome;
    });
    expect(await end).toBe('aborted');
  });

  it('by closing the driver ends the run, the queue and the session', async () => {
    const { driver, agent, seen, send, until } = start([[TURN, 'hang']]);
    const results = [send('first'), send('second')];
    await until('turn_end');
    await driver.close();
    expect(await Promise.all(results)).toEqual(['aborted', undefined]);
    expect(await send('later')).toBeUndefined();
    expect(agent.inputs).toEqual(['first']);
    expect(seen.at(-1)).toBe('closed');
  });

  it('by closing the driver is possible when the session cannot be opened', async () => {
    const { driver } = start([], { openSession: () => Promise.reject(new Error('in use')) });
    driver.agent().catch(() => {});
    await driver.close();
    expect(driver.signal.aborted).toBe(true);
  });
});

describe('a question', () => {
  it('accepts one answer, and rejects a second one', async () => {
    const { driver, seen, closed, send, until } = startAsking();
    const sent = send('first');
    await until('asks question c1');
    expect(driver.questions.isOpen('question c1')).toBe(true);
    expect(driver.answer('question c1', { type: 'once' })).toBeUndefined();
    expect(driver.answer('question c1', { type: 'deny' })).toContain('has been answered');
    expect(await sent).toBe('done');
    expect(seen).toContain('decided once');
    expect(closed).toEqual(['question c1 false']);
  });

  it.each<[end: string, act: (driver: Driver) => unknown, seen: string, outcome: string, isStopped: boolean]>([
    ['the client disconnects', (driver) => driver.questions.disconnect(), 'decided unavailable', 'done', false],
    ['the run stops', (driver) => driver.stop(), 'unanswered', 'aborted', true],
    ['the session closes', (driver) => driver.close(), 'unanswered', 'aborted', true],
  ])('ends unanswered when %s', async (_end, act, expected, outcome, isStopped) => {
    const { driver, seen, closed, send, until } = startAsking();
    const sent = send('first');
    await until('asks question c1');
    await act(driver);
    expect(await sent).toBe(outcome);
    expect(seen).toContain(expected);
    expect(closed).toEqual([`question c1 ${isStopped}`]);
    expect(driver.answer('question c1', { type: 'once' })).toContain('the run has ended');
  });

  it.each([
    [true, 'aborted'],
    [false, 'done'],
  ])('whose answer may stop the run (%s) lets it end as %s, with the decision', async (stops, outcome) => {
    const { driver, seen, send, until } = startAsking();
    const sent = send('first');
    await until('asks question c1');
    driver.answer('question c1', { type: 'deny' }, { stops });
    expect(await sent).toBe(outcome);
    expect(seen).toContain('approval_decision');
  });
});

describe('a message for the next request', () => {
  function steered(take: (messages: readonly string[]) => void): Started {
    const agent: FakeAgent = {
      ...createFakeAgent([]),
      async *run(_prompt, _signal, takeMessages = () => []) {
        yield TURN;
        take(takeMessages());
        yield DONE;
      },
    };
    return start([], { openSession: async () => ({ agent, close: async () => {} }) });
  }

  it('is taken before that request', async () => {
    let taken: readonly string[] = [];
    const { driver } = steered((messages) => {
      taken = messages;
    });
    const sent: Promise<boolean>[] = [];
    await driver.submit(({ run }) =>
      run('first', async ({ type }) => {
        if (type === 'turn_end') sent.push(driver.steer('also this'), driver.steer('and that'));
        return true;
      }),
    );
    expect(taken).toEqual(['also this', 'and that']);
    expect(await Promise.all(sent)).toEqual([true, true]);
  });

  it('takes the place of its work, which is otherwise next, and nothing if it is dropped', async () => {
    const done: string[] = [];
    const texts = ['taken', 'dropped', 'late'];
    const agent: FakeAgent = {
      ...createFakeAgent([]),
      async *run(_prompt, _signal, takeMessages = () => []) {
        yield TURN;
        done.push(...takeMessages());
        yield DONE;
      },
    };
    const { driver } = start([], {
      openSession: async () => ({ agent, close: async () => {} }),
      onWork: (type, item) => done.push(`${type} ${item}`),
    });
    const submit = (item: string, steers?: string) =>
      driver.submit(async () => done.push(`work ${item}`), item, { steers });
    await driver.submit(({ run }) =>
      run('first', async ({ type }) => {
        if (type === 'turn_end') void [submit('waiting'), ...texts.slice(0, 2).map((text) => submit(text, text))];
        if (type === 'turn_end') expect(driver.drop((item) => item === 'dropped')).toEqual(['dropped']);
        if (type === 'turn_end') expect([driver.steering, driver.queue]).toEqual([['taken'], ['waiting']]);
        if (type === 'run_end') void submit('late', 'late');
        return true;
      }),
    );
    await driver.idle();
    const others = ['late', 'waiting'].flatMap((item) => [`begin ${item}`, `work ${item}`, `end ${item}`]);
    expect(done).toEqual(['end taken', 'taken', ...others]);
  });

  it('is returned when there is no run, or no further request', async () => {
    const { driver } = steered(() => {});
    expect(await driver.steer('too early')).toBe(false);
    let late: Promise<boolean> | undefined;
    await driver.submit(({ run }) =>
      run('first', async ({ type }) => {
        if (type === 'run_end') late = driver.steer('too late');
        return true;
      }),
    );
    expect(await late).toBe(false);
  });
});
