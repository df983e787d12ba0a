import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../src/agent/ports/clock.ts';
import type { AgentEvent } from '../../../src/agent/ports/events.ts';
import type { FileSystem } from '../../../src/agent/ports/file-system.ts';
import { recordEvents } from '../../../src/session/session-record.ts';
import type { SessionStore } from '../../../src/session/session-store.ts';
import { EVENTS, START, stateOf } from '../../support/agent/session-events.ts';
import { createTestStore, fakeProcesses } from '../../support/agent/session-store.ts';
import { crashAt } from '../../support/fakes/crashing-file-system.ts';
import { createMemoryFileSystem, type MemoryFileSystem } from '../../support/fakes/memory-file-system.ts';

const FIRST = 'session-20261120-090000-0001';
const DAY = 86_400_000;

/** The world of a process that ends at a chosen operation of the disk. */
interface World {
  readonly memory: MemoryFileSystem;
  /** A store of a process of its own, on the disk as it is. */
  store(fileSystem?: FileSystem): SessionStore;
  /** Lets time pass. */
  wait(milliseconds: number): void;
}

function createWorld(): World {
  const memory = createMemoryFileSystem();
  let now = Date.UTC(2026, 10, 20, 9, 0, 0);
  let pid = 0;
  // Nobody else writes a lock here, so that there is nothing to wait for.
  const clock: Clock = { now: () => now, sleep: async () => {} };
  return {
    memory,
    store(fileSystem = memory.fileSystem) {
      pid += 1;
      return createTestStore(fileSystem, { clock, processes: fakeProcesses({}, pid) });
    },
    wait(milliseconds) {
      now += milliseconds;
    },
  };
}

/** Steps of a process until it ends, and the state that must hold after that. */
interface Story<Progress> {
  /** Done by a process that does not end. */
  prepare?(world: World): Promise<void>;
  /** Done by the process that ends; it notes in `progress` what the user has seen. */
  act(world: World, fileSystem: FileSystem, progress: Progress[]): Promise<void>;
  /** The problems that the next process finds. */
  problems(world: World, progress: readonly Progress[]): Promise<readonly string[]>;
}

/** A file system that keeps a promise badly, for a positive control. */
type Break = (fileSystem: FileSystem) => FileSystem;
const intact: Break = (fileSystem) => fileSystem;

/**
 * Lets a process end at each of its changing operations, one after the other, and collects the problems. A control,
 * which must have a problem, ends with the first ones.
 */
async function endEverywhere<Progress>(story: Story<Progress>, breaks: Break = intact, isControl = breaks !== intact) {
  const problems: string[] = [];
  /** Number of times that each step was the last one that the user saw. */
  const hits: Record<string, number> = {};
  const run = async (crashing: number): Promise<number> => {
    const world = createWorld();
    await story.prepare?.(world);
    const crash = crashAt(crashing, world.memory);
    const progress: Progress[] = [];
    await story.act(world, breaks(crash.fileSystem), progress).catch((error: unknown) => {
      if (crashing > crash.operations()) throw error;
    });
    const last = String(progress.at(-1) ?? 'nothing');
    if (Number.isFinite(crashing)) hits[last] = (hits[last] ?? 0) + 1;
    for (const problem of await story.problems(world, progress)) problems.push(`operation ${crashing}: ${problem}`);
    return crash.operations();
  };
  const operations = await run(Number.POSITIVE_INFINITY);
  for (let crashing = 1; crashing <= operations && !(isControl && problems.length > 0); crashing += 1)
    await run(crashing);
  return { problems, hits, operations };
}

/** Opens a session as the next process would; returns a problem unless it has one of these states. */
async function differsFrom(world: World, name: string, ...expected: readonly unknown[]): Promise<readonly string[]> {
  try {
    const record = await world.store().open(name);
    const { restored } = record;
    await record.close();
    if (restored?.damage.length !== 0) return [`${name} is damaged: ${JSON.stringify(restored?.damage)}`];
    return expected.some((state) => isDeepStrictEqual(restored.state, state))
      ? []
      : [`${name} has another state than expected`];
  } catch (error) {
    return [`${name} cannot be opened: ${error}`];
  }
}

const filesIn = ({ memory: { volume } }: World): readonly string[] =>
  volume.existsSync('/sessions') ? volume.readdirSync('/sessions').map(String) : [];

const textOf = ({ memory: { volume } }: World, file: string): string | undefined =>
  volume.existsSync(file) ? String(volume.readFileSync(file, 'utf8')) : undefined;

/** A `replaceFile` that writes into the file itself. */
const writeInPlace: Break = (fileSystem) => ({
  ...fileSystem,
  async replaceFile(directory, name, bytes) {
    await fileSystem.removeFile(`${directory}/${name}`);
    await fileSystem.createFile(`${directory}/${name}`, bytes);
  },
});

describe('a process that ends at any operation of the disk', () => {
  /** A session that is written as it happens; `store` is the first stage behind the events. */
  const writing = (store: typeof recordEvents): Story<AgentEvent['type']> => ({
    async act(world, fileSystem, progress) {
      const record = await world.store(fileSystem).create();
      async function* run(): AsyncGenerator<AgentEvent, void, void> {
        yield* EVENTS;
      }
      for await (const event of store(run(), record, 'system')) progress.push(event.type);
      await record.close();
    },
    async problems(world, progress) {
      const [name] = (await world.store().heads()).map((head) => head.name);
      if (name === undefined) return progress.length === 0 ? [] : ['the session is gone'];
      // The next event may have been stored as well, because the process ended before it knew.
      const possible = [progress.length, progress.length + 1].map((count) => stateOf(EVENTS.slice(0, count)));
      return differsFrom(world, name, ...possible);
    },
  });

  it('loses no event that the user has seen, whatever its type', async () => {
    const { problems, hits } = await endEverywhere(writing(recordEvents));
    expect(problems).toEqual([]);
    expect(hits).toMatchInlineSnapshot(`
      {
        "answer": 1,
        "approval_decision": 1,
        "approval_request": 1,
        "assistant_message": 2,
        "compaction": 1,
        "nothing": 8,
        "permission_mode": 1,
        "plan": 1,
        "retry": 1,
        "run_end": 4,
        "session_start": 1,
        "tasks": 1,
        "tool_call": 3,
        "tool_result": 3,
        "turn_end": 1,
        "turn_start": 1,
        "usage": 1,
        "user_action": 2,
        "user_message": 1,
        "warning": 1,
      }
    `);
    expect(Object.keys(hits).sort()).toEqual([...new Set(['nothing', ...EVENTS.map(({ type }) => type)])].sort());
  });

  it('would lose events if they were stored after their effect', async () => {
    const storeAfterwards: typeof recordEvents = async function* (events, record, system) {
      for await (const event of events) {
        yield event;
        await record.append(event, system);
      }
    };
    const { problems } = await endEverywhere(writing(storeAfterwards), intact, true);
    expect(problems).toContainEqual(expect.stringMatching(/another state than expected|is gone/));
  });

  const PROMPTS = ['one', 'two', 'three'].map((text): AgentEvent => ({ type: 'user_message', text }));
  const stateAfter = (count: number) => stateOf([START, ...PROMPTS.slice(0, count)]);

  /** A session that is copied, goes on, and is copied again to the same name. */
  const saving: Story<'saved' | 'saved again'> = {
    async act(world, fileSystem, progress) {
      const store = world.store(fileSystem);
      const record = await store.create();
      await record.append({ ...START, sessionId: record.id }, 'system');
      await record.files.saveOutput('call_1', 'an output');
      for (const prompt of PROMPTS.slice(0, 2)) await record.append(prompt, '');
      await store.save(record, 'copy');
      progress.push('saved');
      for (const prompt of PROMPTS.slice(2)) await record.append(prompt, '');
      await store.save(record, 'copy');
      progress.push('saved again');
      await record.close();
    },
    async problems(world, progress) {
      const files = filesIn(world);
      const least = progress.length === 0 ? 0 : progress.length + 1;
      const original = files.includes(`${FIRST}.jsonl`)
        ? await differsFrom(world, FIRST, ...[0, 1, 2, 3].filter((count) => count >= least).map(stateAfter))
        : [];
      if (!files.includes('copy.jsonl')) return progress.length === 0 ? original : [...original, 'the copy is gone'];
      const copy = await differsFrom(world, 'copy', ...(progress.length === 2 ? [3] : [2, 3]).map(stateAfter));
      const output = textOf(world, '/sessions/copy/outputs/call_1.txt');
      return [...original, ...copy, ...(output === 'an output' ? [] : ['the copy lacks an output'])];
    },
  };

  it('leaves a complete copy: the earlier one or the new one', async () => {
    const { problems, hits } = await endEverywhere(saving);
    expect(problems).toEqual([]);
    expect(hits).toMatchInlineSnapshot(`
      {
        "nothing": 28,
        "saved": 14,
        "saved again": 2,
      }
    `);
  });

  it('would damage a copy that is not replaced at once', async () => {
    const { problems } = await endEverywhere(saving, writeInPlace);
    expect(problems).toContainEqual(
      expect.stringMatching(/copy (?:is gone|has another state|is damaged|lacks|cannot)/),
    );
  });

  /** A session whose process has ended, which another one takes over and goes on with. */
  const takingOver: Story<'opened' | 'stored' | 'closed'> = {
    async prepare(world) {
      const record = await world.store().create();
      for (const event of [START, ...PROMPTS.slice(0, 2)]) await record.append(event, 'system');
    },
    async act(world, fileSystem, progress) {
      const record = await world.store(fileSystem).open(FIRST);
      progress.push('opened');
      for (const prompt of PROMPTS.slice(2)) await record.append(prompt, '');
      progress.push('stored');
      await record.close();
      progress.push('closed');
    },
    async problems(world, progress) {
      const counts = progress.includes('stored') ? [3] : progress.includes('opened') ? [2, 3] : [2];
      const problems = await differsFrom(world, FIRST, ...counts.map(stateAfter));
      const locks = filesIn(world).filter((name) => name.includes('.lock'));
      return [...problems, ...(locks.length === 0 ? [] : [`locks are left: ${locks}`])];
    },
  };

  it('can be followed by another one, even while it takes over the lock of an earlier one', async () => {
    const { problems, hits } = await endEverywhere(takingOver);
    expect(problems).toEqual([]);
    expect(hits).toMatchInlineSnapshot(`
      {
        "nothing": 9,
        "opened": 2,
        "stored": 2,
      }
    `);
  });

  it('would block the session if a lock did not name its process', async () => {
    const anonymous: Break = (fileSystem) => ({
      ...fileSystem,
      replaceFile: (directory, name, _bytes, mode) =>
        fileSystem.replaceFile(
          directory,
          name,
          new TextEncoder().encode(JSON.stringify({ pid: 1, started: 'start', host: 'elsewhere' })),
          mode,
        ),
    });
    const { problems } = await endEverywhere(takingOver, anonymous);
    expect(problems).toContainEqual(expect.stringMatching(/cannot be opened.*is open in another ybs/));
  });

  const LIMITS = { maxSessions: 1, retentionDays: 0 };
  const OLD = [FIRST, 'session-20261120-090001-0002'];
  const RECENT = 'session-20261120-090002-0003';

  /** Three sessions with an output each, of which two are announced and a day later removed. */
  const cleaningUp: Story<'announced' | 'removed'> = {
    async prepare(world) {
      const store = world.store();
      for (let count = 0; count < 3; count += 1) {
        const record = await store.create();
        for (const event of [START, ...PROMPTS]) await record.append(event, 'system');
        await record.files.saveOutput('call_1', 'an output');
        await record.close();
        world.wait(1_000);
      }
    },
    async act(world, fileSystem, progress) {
      await world.store(fileSystem).cleanUp(LIMITS, async () => progress.push('announced'));
      world.wait(DAY);
      await world.store(fileSystem).cleanUp(LIMITS, async () => {});
      progress.push('removed');
    },
    async problems(world, progress) {
      const problems = [...(await differsFrom(world, RECENT, stateAfter(3)))];
      for (const name of progress.length === 0 ? OLD : []) {
        problems.push(...(await differsFrom(world, name, stateAfter(3))));
        if (textOf(world, `/sessions/${name}/outputs/call_1.txt`) !== 'an output')
          problems.push(`${name} lacks a file`);
      }
      // The next processes announce what was not announced, and finish the removal.
      const told = [...progress];
      for (let start = 0; start < 3; start += 1) {
        await world.store().cleanUp(LIMITS, async () => told.push('announced'));
        world.wait(DAY);
      }
      if (!told.includes('announced')) problems.push('nothing was announced');
      // The lock of a process that has ended holds nothing back.
      const left = filesIn(world).filter((name) => !name.startsWith(RECENT) && !/\.(?:tmp|lock)$/.test(name));
      if (left.join() !== 'announced.json') problems.push(`files are left: ${left}`);
      return problems;
    },
  };

  it('removes only sessions that it has announced, and the next one finishes the removal', async () => {
    const { problems, hits } = await endEverywhere(cleaningUp);
    expect(problems).toEqual([]);
    expect(hits).toMatchInlineSnapshot(`
      {
        "announced": 21,
        "nothing": 1,
      }
    `);
  });

  it('would leave files behind if the log were removed before them', async () => {
    const logFirst: Break = (fileSystem) => ({
      ...fileSystem,
      async removeDirectory(directory) {
        await fileSystem.removeFile(`${directory}.jsonl`);
        await fileSystem.removeDirectory(directory);
      },
    });
    const { problems } = await endEverywhere(cleaningUp, logFirst);
    expect(problems).toContainEqual(expect.stringMatching(/files are left/));
  });
});
