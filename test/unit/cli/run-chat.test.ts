import { expect, it } from 'vitest';
import { banner } from '../../../src/cli/chat/run-chat.ts';
import { PLAIN } from '../../../src/cli/output.ts';

const facts = {
  model: 'mock/scripted',
  workspace: '/work/a\u0007',
  permissionMode: 'ask',
  sandboxWanted: false,
  dryRun: false,
  session: 'session-1',
  instructions: [],
  prompts: [],
} as const;

it('shows the model, the workspace and the permission mode', () => {
  expect(banner(facts, PLAIN)).toBe(
    [
      'ybs mock/scripted',
      'workspace /work/a\\u{7}',
      'permissions ask; commands run unsandboxed',
      'session session-1',
      '/help for help',
      '',
      '',
    ].join('\n'),
  );
});

it('explains why a wanted sandbox is missing', () => {
  const text = banner({ ...facts, sandboxWanted: true }, PLAIN);
  expect(text).toContain('permissions ask; no sandbox in this version, so commands run unsandboxed\n');
});

it('lists the prompts of the mock model, and marks a dry run', () => {
  const text = banner({ ...facts, dryRun: true, session: undefined, prompts: ['fix it', 'a\nb'] }, PLAIN);
  expect(text).toContain('permissions ask, dry run; commands run unsandboxed\nsession not stored; /save stores it\n');
  expect(text).toContain('it answers these prompts:\n  fix it · a\\u{a}b\n');
});

it('begins another line before the prompts are too wide for a small screen', () => {
  const prompts = ['a'.repeat(40), 'b'.repeat(33), 'c', 'd'.repeat(90), 'e'];
  const lines = banner({ ...facts, prompts }, PLAIN)
    .split('\n')
    .slice(5, 9);
  expect(lines).toEqual([`  ${'a'.repeat(40)} · ${'b'.repeat(33)}`, '  c', `  ${'d'.repeat(90)}`, '  e']);
});

it('names the instructions of the project', () => {
  const text = banner({ ...facts, instructions: ['AGENTS.md', 'a\n/CLAUDE.md'] }, PLAIN);
  expect(text).toContain('session session-1\ninstructions from the project: AGENTS.md, a\\u{a}/CLAUDE.md\n');
});
