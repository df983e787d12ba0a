import { describe, expect, it } from 'vitest';
import type { Story } from '../../../../mock-llm-server/scenario/format.ts';
import type { SandboxState } from '../../../../src/agent/ports/shell.ts';
import { confineCheck, mustConfine } from '../../../../src/stories/play/confinement.ts';

const ON: SandboxState = { type: 'on', program: 'bubblewrap' };
const OFF: SandboxState = { type: 'off', reason: 'bubblewrap is not installed' };
const at = (file: string, story: Partial<Story> = {}) => ({ file, story: { prompts: ['hi'], ...story } });
const isTrusted = async (directory: string) => directory.startsWith('/own');

describe('the stories of a project', () => {
  it.each<[string, ReturnType<typeof at>[], SandboxState | undefined, 'commands' | 'checks', boolean]>([
    ['that is trusted play without an available sandbox', [at('/own/a/scenario.json')], ON, 'commands', false],
    ['that is trusted need no sandbox', [at('/own/a/scenario.json')], undefined, 'commands', false],
    ['that is not trusted play in the sandbox', [at('/own/a.json'), at('/clone/b.json')], ON, 'commands', true],
    ['play without it by choice', [at('/clone/b.json')], { ...OFF, chosen: true }, 'commands', false],
    [
      'that require the sandbox follow another rule',
      [at('/clone/b.json', { sandbox: 'required' })],
      OFF,
      'commands',
      false,
    ],
    ['need no sandbox for the commands of another agent', [at('/clone/b.json')], OFF, 'checks', false],
    [
      'have checks in the sandbox even with another agent',
      [at('/clone/b.json', { check: ['make'] })],
      ON,
      'checks',
      true,
    ],
  ])('%s', async (_what, stories, state, foreign, confined) => {
    expect(await mustConfine(stories, async () => state, isTrusted, foreign)).toBe(confined);
  });

  it.each([
    [OFF, 'bubblewrap is not installed'],
    [undefined, 'this system has none'],
  ])('that is not trusted do not start without a sandbox: %j', async (state, reason) => {
    const sandbox = state === undefined ? undefined : async () => state;
    await expect(
      mustConfine([at('/own/a.json'), at('C:\\clone\\b.json')], sandbox, isTrusted, 'commands'),
    ).rejects.toThrow(
      `The stories in C:\\clone are not of a project that you trust, and there is no sandbox for their commands (${reason}). Trust the project with ybs trust, or use --no-sandbox.`,
    );
  });

  it.each([
    [false, true, true],
    [true, false, true],
    [false, false, false],
  ])('run a check in the sandbox: %s or %s is %s', async (sandboxed, confined, expected) => {
    const seen: boolean[] = [];
    const run = confineCheck(async (check) => {
      seen.push(check.sandboxed);
      return { exit: { type: 'exit', cause: 'exited', exitCode: 0, durationMs: 0, leftProcesses: false }, output: '' };
    }, confined);
    await run({ command: 'make', timeoutMs: 1, sandboxed, trusted: true }, '/w', new AbortController().signal);
    expect(seen).toEqual([expected]);
  });
});
