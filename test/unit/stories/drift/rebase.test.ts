import { describe, expect, it } from 'vitest';
import { draftLock } from '../../../../mock-llm-server/drift/lock.ts';
import type { ObservedPrompt, PromptLock } from '../../../../mock-llm-server/scenario/lock/prompt-lock.ts';
import { describeDrift, driftIn } from '../../../../src/stories/check-requests.ts';
import { rebase } from '../../../../src/stories/drift/rebase.ts';

function prompts(system: string): readonly ObservedPrompt[] {
  return [{ scenario: 's', step: 0, parts: [{ kind: 'system', name: 'system', text: system }] }];
}

function lockOf(system: string, agent = 'ybs'): { readonly text: string; readonly lock: PromptLock } {
  const { text } = draftLock([prompts(system)], { agent, volatile: [{ name: 'day', text: 'Monday' }] });
  return { text, lock: JSON.parse(text) };
}

/** Rebases a story whose second run has the prompt `again`. */
async function run(
  first: string,
  {
    again = first,
    old,
    file = '/s/scenario.json',
    broken,
  }: { again?: string; old?: ReturnType<typeof lockOf>; file?: string; broken?: 'draft' | 'disk' },
) {
  const files = new Map(old === undefined ? [] : [['/s/prompt.lock.json', old.text]]);
  let plays = 0;
  const playAgain = async () => {
    plays += 1;
    return prompts(again);
  };
  const result = await rebase({ file, lock: old?.lock }, prompts(first), playAgain, {
    draftLock: async (runs, lock) => {
      if (broken === 'draft') throw new Error('a pattern is slow');
      return draftLock(runs, lock);
    },
    agent: 'ybs',
    disk: {
      kindOf: async (path) => (files.has(path) ? 'file' : 'missing'),
      readFile: async (path) => files.get(path) ?? '',
      async replaceFile(path, text) {
        if (broken === 'disk') throw new Error('ENOSPC: no space left on device');
        files.set(path, text);
      },
    },
  });
  const [written] = [...files].filter(([, text]) => text !== old?.text);
  return { result, plays, written: written?.[0], lock: written && (JSON.parse(written[1]) satisfies PromptLock) };
}

describe('rebase', () => {
  it('creates a lock from two runs, with entries for the differences between them', async () => {
    const { result, plays, written, lock } = await run('took 3 ms', { again: 'took 4 ms' });
    expect(result).toMatchObject({ type: 'written', file: '/s/prompt.lock.json', unexplained: [] });
    expect(plays).toBe(1);
    expect(written).toBe('/s/prompt.lock.json');
    expect(lock).toMatchObject({ agent: 'ybs', volatile: [{ name: 'duration', part: 'system' }] });
    expect(lock.steps[0].parts[0].text).toEqual(['took <duration> ms']);
  });

  it('lists the differences that need a manual entry', async () => {
    const { result } = await run('one\ntwo', { again: 'one' });
    expect(result).toMatchObject({ type: 'written', unexplained: ['system: 2 lines, then 1'] });
  });

  it('writes the new prompt into a lock, and keeps its volatile texts', async () => {
    const { result, plays, lock } = await run('On Monday: new.', { old: lockOf('On Monday: old.') });
    expect(result.type).toBe('written');
    expect(plays).toBe(0);
    expect(lock.volatile).toEqual([{ name: 'day', text: 'Monday' }]);
    expect(lock.steps[0].parts[0].text).toEqual(['On <day>: new.']);
  });

  it('does not change a lock that has this prompt', async () => {
    const { result, written } = await run('same', { old: lockOf('same') });
    expect(result.type).toBe('unchanged');
    expect(written).toBeUndefined();
  });

  it('refuses to overwrite the lock of another agent', async () => {
    const { result, written } = await run('new', { old: lockOf('old', 'codex') });
    expect(result).toEqual({
      type: 'refused',
      reason:
        '/s/prompt.lock.json has the prompts of codex, not of ybs. Play the story with that agent, or delete the file.',
    });
    expect(written).toBeUndefined();
  });

  it.each([
    ['draft', 'a pattern is slow'],
    ['disk', 'ENOSPC: no space left on device'],
  ] as const)('gives the reason for not writing the lock: %s', async (broken, reason) => {
    const { result, written } = await run('new', { old: lockOf('old'), broken });
    expect(result).toEqual({ type: 'refused', reason });
    expect(written).toBeUndefined();
  });

  it('accepts the prompts of an unknown agent as those of the current one', async () => {
    expect((await run('old', { old: lockOf('old', 'any') })).lock).toMatchObject({ agent: 'ybs' });
  });

  it('writes the lock of a single story file beside it', async () => {
    expect((await run('a', { file: '/s/two.yaml' })).written).toBe('/s/two.prompt.lock.json');
  });
});

describe('driftIn', () => {
  const drift = (part: string) => [{ part, summary: 'differs', diff: '' }];
  const request = { method: 'POST', path: '/', status: 200, scenario: 's' };

  it('lists each part once, at the first step that has it', () => {
    const requests = [
      { ...request, step: 0, drift: drift('system') },
      { ...request, step: 0, drift: drift('system') },
      { ...request, step: 1 },
      { ...request, step: 2, drift: drift('tool result 2') },
    ];
    const found = driftIn(requests);
    expect(found.map((one) => describeDrift(one, found))).toEqual([
      'step 0, system: differs',
      'step 2, tool result 2: differs',
    ]);
  });

  it('names the scenarios if there are several', () => {
    const found = driftIn([
      { ...request, step: 0, drift: drift('system') },
      { ...request, scenario: 't', step: 0, drift: drift('user 2') },
    ]);
    expect(found.map((one) => describeDrift(one, found))).toEqual([
      'step 0 of s, system: differs',
      'step 0 of t, user 2: differs',
    ]);
  });
});
