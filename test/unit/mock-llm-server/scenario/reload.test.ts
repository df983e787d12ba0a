import { describe, expect, it } from 'vitest';
import { createScenarioStore } from '../../../../mock-llm-server/scenario/loading/reload.ts';
import type { NamedScenarioFile } from '../../../../mock-llm-server/scenario/prepare.ts';
import { ScenarioError } from '../../../../mock-llm-server/scenario/problems.ts';

const file = (name: string, ...names: readonly string[]): NamedScenarioFile => ({
  file: name,
  content: { scenarios: names.map((own) => ({ name: own, trigger: own, steps: [{ response: { content: own } }] })) },
});

/** A store; `put` sets the files that it loads next, or the error that loading throws. */
function store(first: readonly NamedScenarioFile[]) {
  const lines: string[] = [];
  let next: readonly NamedScenarioFile[] | Error | string = first;
  const load = async () => {
    if (typeof next === 'string' || next instanceof Error) throw next;
    return next;
  };
  const { current, reload } = createScenarioStore({ files: first, load, log: (line) => lines.push(line) });
  const names = () => current().scenarios.map(({ name }) => name);
  const put = async (state: typeof next) => {
    next = state;
    await reload();
    return { names: names(), lines: lines.splice(0) };
  };
  return { names, put, current };
}

const broken = new ScenarioError([
  { file: 'a.json', path: '$.scenarios', reason: 'is missing', fix: 'add it' },
  { file: 'b.json', path: '$', reason: 'not valid JSON: \u001B[31m', fix: 'x' },
]);
const KEPT = 'the scenarios are broken; the last valid ones stay in use:';

describe('the scenario store', () => {
  it('answers from changed files', async () => {
    const { names, put } = store([file('a.json', 'a')]);
    expect(names()).toEqual(['a']);
    expect(await put([file('a.json', 'a', 'b')])).toEqual({ names: ['a', 'b'], lines: ['2 scenarios loaded again'] });
  });

  it('logs nothing and keeps the same set if nothing has changed', async () => {
    const { put, current } = store([file('a.json', 'a')]);
    const before = current();
    expect(await put([file('a.json', 'a')])).toEqual({ names: ['a'], lines: [] });
    expect(current()).toBe(before);
  });

  it('keeps the last valid set while files are broken and logs the problems once', async () => {
    const { put } = store([file('a.json', 'a')]);
    const problems = ['a.json: $.scenarios: is missing', '  fix: add it', 'b.json: not valid JSON: \\u{1b}[31m'];
    const lines = [KEPT, ...problems, '  fix: x'];
    expect(await put(broken)).toEqual({ names: ['a'], lines });
    expect(await put(broken)).toEqual({ names: ['a'], lines: [] });
    expect(await put([file('a.json', 'c')])).toEqual({ names: ['c'], lines: ['1 scenario loaded again'] });
  });

  it('logs that files are valid again, even if they are as they were', async () => {
    const { put } = store([file('a.json', 'a')]);
    await put(broken);
    expect(await put([file('a.json', 'a')])).toEqual({ names: ['a'], lines: ['1 scenario loaded again'] });
  });

  it.each([
    [
      'names that occur twice',
      [file('a.json', 'x'), file('b.json', 'x')],
      [/^b\.json: \$\.scenarios\[0\]\.name: the name "x"/, /^ {2}fix: give each scenario its own name$/],
    ],
    ['a disk error', new Error('EIO'), [/^EIO$/]],
    ['a thrown string', 'odd', [/^odd$/]],
  ])('survives %s', async (_name, state, said) => {
    const { put } = store([file('a.json', 'a')]);
    expect(await put(state)).toEqual({
      names: ['a'],
      lines: [KEPT, ...said.map((line) => expect.stringMatching(line))],
    });
  });

  it('runs one reload at a time, so that the last state wins', async () => {
    const answers: ((files: readonly NamedScenarioFile[]) => void)[] = [];
    const load = () => new Promise<readonly NamedScenarioFile[]>((resolve) => answers.push(resolve));
    const { current, reload } = createScenarioStore({ files: [file('a', 'a')], load, log: () => {} });
    const both = Promise.all([reload(), reload()]);
    for (const name of ['b', 'c']) {
      while (answers.length === 0) await Promise.resolve();
      expect(answers).toHaveLength(1);
      answers.shift()?.([file('a', name)]);
    }
    await both;
    expect(current().scenarios.map(({ name }) => name)).toEqual(['c']);
  });
});
