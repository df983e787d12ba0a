import { describe, expect, it } from 'vitest';
import type { PermissionMode } from '../../../src/agent/ports/approver.ts';
import type { ToolEffect } from '../../../src/agent/ports/tool.ts';
import { decide } from '../../../src/policy/decide.ts';
import { buildDecisionSettings, restoredMode, type SafetySettings } from '../../../src/policy/decision-settings.ts';
import { createMemoryFileSystem } from '../../support/fakes/memory-file-system.ts';

const DEFAULTS: SafetySettings = {
  permissionMode: 'ask',
  permissionLevels: {},
  confirmedTools: [],
  allowedPaths: [],
  blockedPaths: [],
  blockedCommands: [],
  allowedCommands: [],
};

/** Decision about a command that names this file. */
const OUTSIDE = { requested: '/out/a', realPath: '/out/a', access: 'read' } as const;

type Named = readonly [tool: string, effect: ToolEffect, place: string];

/** The answer to a call that reads or writes a path, or runs a command in the workspace. */
async function answerTo([toolName, toolEffect, place]: Named, settings: Partial<SafetySettings>): Promise<string> {
  const { fileSystem } = createMemoryFileSystem({
    '/w/.git/config': '[core]\n\thooksPath = scripts\n',
    '/home/u/.gitconfig': '[core]\n\thooksPath = own\n',
  });
  const places = { workspace: '/w', home: '/home/u', platform: 'posix', readOnlyRoots: [] } as const;
  const rules = await buildDecisionSettings({ ...DEFAULTS, ...settings }, places, async (path) => path, fileSystem);
  const access = toolEffect === 'read' ? 'read' : 'write';
  const effect =
    toolEffect === 'execute'
      ? { paths: [], command: place, workingDirectory: '/w', reads: [OUTSIDE] }
      : { paths: [{ requested: place, realPath: place, access } as const] };
  return decide({ toolName, toolEffect, effect: { summary: '', ...effect } }, rules, []).type;
}

const read = (path: string): Named => ['read_file', 'read', path];
const write = (path: string): Named => ['write_file', 'write', path];
const run = (command: string): Named => ['run_shell', 'execute', command];

describe('the settings of the user', () => {
  const sandbox = { type: 'on', program: 'bwrap' } as const;
  const edits = { permissionMode: 'accept-edits' } as const;
  it.each<[string, Named, Partial<SafetySettings>, string]>([
    ['a read in the workspace runs', read('/w/a'), {}, 'allow'],
    ['a write in the workspace runs in its mode', write('/w/a'), edits, 'allow'],
    ['a write of a hook that the repository names asks', write('/w/scripts/pre-commit'), edits, 'ask'],
    ['a write of a hook that the user names asks', write('/w/own/pre-commit'), edits, 'ask'],
    ['a read outside asks', read('/out/a'), {}, 'ask'],
    ['a read outside runs if it needs no approval', read('/out/a'), { asksOutside: false }, 'allow'],
    ['a write outside is denied', write('/out/a'), edits, 'deny'],
    ['a write outside is denied, whatever needs approval', write('/out/a'), { ...edits, asksOutside: false }, 'deny'],
    ['a write outside asks if it is not restricted', write('/out/a'), { ...edits, restrictsToProject: false }, 'ask'],
    [
      'a write outside runs if it neither is restricted nor needs approval',
      write('/out/a'),
      { ...edits, restrictsToProject: false, asksOutside: false },
      'allow',
    ],
    ['a write in an allowed path runs', write('/out/a'), { ...edits, allowedPaths: ['/out'] }, 'allow'],
    ['a read of a blocked path is denied', read('/w/secret'), { blockedPaths: ['secret'] }, 'deny'],
    ['a command asks', run('npm test'), {}, 'ask'],
    ['a command that is not listed is denied', run('npm test'), { allowsUnlisted: false }, 'deny'],
    ['a listed command runs', run('npm test'), { allowsUnlisted: false, allowedCommands: ['npm test'] }, 'allow'],
    ['a blocked command is denied', run('sudo id'), { blockedCommands: ['sudo'] }, 'deny'],
    ['a command that reads asks before the workspace is trusted', run('ls'), { sandbox }, 'ask'],
    ['a command that reads runs in the sandbox', run('ls'), { sandbox, assumptions: ['trusted'] }, 'allow'],
    ['a command that reads outside asks', run('cat /out/a'), { sandbox, assumptions: ['trusted'] }, 'ask'],
    [
      'a command that reads outside runs if that needs no approval',
      run('cat /out/a'),
      { sandbox, assumptions: ['trusted'], asksOutside: false },
      'allow',
    ],
    [
      'a command that reads asks without the sandbox',
      run('ls'),
      { sandbox: { type: 'off', reason: 'x', chosen: true }, assumptions: ['trusted'] },
      'ask',
    ],
    ['a level of a tool applies', read('/w/a'), { permissionLevels: { read_file: 'denied' } }, 'deny'],
    ['a tool that needs confirmation asks', read('/w/a'), { confirmedTools: ['read_file'] }, 'ask'],
  ])('decide that %s', async (_name, named, settings, expected) => {
    expect(await answerTo(named, settings)).toBe(expected);
  });
});

describe('a continued session', () => {
  it.each<[configured: PermissionMode, last: PermissionMode | undefined, expected: PermissionMode]>([
    ['ask', 'plan', 'plan'],
    ['ask', 'read-only', 'read-only'],
    ['plan', 'read-only', 'read-only'],
    ['read-only', 'plan', 'read-only'],
    ['ask', 'accept-edits', 'ask'],
    ['accept-edits', 'full-access', 'accept-edits'],
    ['full-access', 'ask', 'ask'],
    ['full-access', 'accept-edits', 'accept-edits'],
    ['full-access', 'full-access', 'full-access'],
    ['read-only', 'ask', 'read-only'],
    ['ask', 'ask', 'ask'],
    ['full-access', undefined, 'full-access'],
  ])('has the stricter of the modes %s and %s', (permissionMode, last, expected) => {
    expect(restoredMode({ permissionMode }, last)).toBe(expected);
  });

  it('has the mode that the user has chosen', () => {
    expect(restoredMode({ permissionMode: 'ask', isModeNamed: true }, 'plan')).toBe('ask');
  });
});
