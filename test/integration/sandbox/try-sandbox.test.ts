import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSandbox, type Sandbox } from '../../../src/node/sandbox/sandbox.ts';
import { trySandbox } from '../../../src/node/sandbox/try-sandbox.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';
import { missingSandbox } from '../../support/sandbox/require-sandbox.ts';

const noSandbox = await missingSandbox();
type Tried = Pick<Sandbox, 'confine' | 'probe'>;

const SHELL = { program: '/bin/bash', args: ['--noprofile', '--norc', '-c'], name: 'bash' } as const;
const searchPath = process.env['PATH'] ?? '';

function open() {
  const home = realpathSync(mkdtempSync(path.join(os.homedir(), '.ybs-test-')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return { shell: SHELL, home, searchPath };
}

describe.skipIf(process.platform !== 'linux' || noSandbox !== undefined)('the check of the sandbox', () => {
  it('breaks no invariant of docs/security.md, and leaves no files behind', async () => {
    const ports = open();
    const trials = await trySandbox(createSandbox(SHELL, searchPath), ports);
    // A container may also forbid namespaces outside the sandbox.
    const held = trials.filter(
      ({ result, invariant }) => result === 'held' || invariant.startsWith('no new namespaces'),
    );
    expect(held).toEqual(trials);
    expect(trials.length).toBeGreaterThan(10);
    const page = readFileSync(path.join(import.meta.dirname, '../../../docs/security.md'), 'utf8');
    const [table = ''] = page.slice(page.indexOf('| Invariant | How |')).split('The sandbox enforces');
    const invariants = [...table.matchAll(/^\| (?!---)([^|]+) \|/gm)].map((row) => row[1]);
    const tried = trials.map(({ invariant }) => invariant);
    expect(invariants.filter((each) => each !== 'Invariant' && !tried.includes(each ?? ''))).toEqual([
      'ybs reverts nothing outside',
      'git that runs without a question shows no committed secret',
      'the sandbox shows what was planned',
    ]);
    for (const invariant of tried) expect(page).toContain(`| ${invariant} |`);
    expect(readdirSync(ports.home)).toEqual([]);
  });

  it('waits for a sandbox that starts slowly', async () => {
    const directory = temporaryDirectory();
    const program = execFileSync('/bin/sh', ['-c', 'command -v bwrap'], { encoding: 'utf8' }).trim();
    // The first start takes longer than a probe waits.
    const slow = `#!/bin/sh\nif /bin/mkdir "$0.late"; then exec /bin/sleep 60; fi\nexec ${program} "$@"\n`;
    writeFiles(directory, { bwrap: slow });
    chmodSync(path.join(directory, 'bwrap'), 0o755);
    const sandbox = createSandbox(SHELL, `${directory}:${searchPath}`);
    expect(await sandbox.probe()).toMatchObject({ type: 'on' });
    expect(readdirSync(directory)).toContain('bwrap.late');
  });

  it('detects a sandbox that limits nothing', async () => {
    const ports = open();
    const none: Tried = {
      probe: async () => ({ type: 'on', program: 'none' }),
      confine: async ({ program, args, environment }) => ({
        ...{ program, args, environment, hasMonitor: false },
        check: async () => ({}),
      }),
    };
    const trials = await trySandbox(none, ports);
    const broken = trials.filter(({ result }) => result === 'broken').map(({ invariant }) => invariant);
    for (const invariant of ['git follows only settings that you trusted', 'secrets cannot be read', 'no network'])
      expect(broken).toContain(invariant);
    expect(broken.length).toBeGreaterThan(7);
  });
});

it('without a sandbox, the check tries nothing and gives the reason', async () => {
  const off: Tried = {
    probe: async () => ({ type: 'off', reason: 'bubblewrap is not installed' }),
    confine: () => Promise.reject(new Error('none')),
  };
  const trials = [...(await trySandbox(off, open()))];
  // This one needs no sandbox.
  expect(trials.pop()).toEqual({ invariant: 'ybs starts no program of a project', result: 'held' });
  for (const trial of trials)
    expect(trial).toMatchObject({ result: 'unavailable', reason: 'bubblewrap is not installed' });
});

it.skipIf(process.platform !== 'linux')('the check of the sandbox reports an attempt that cannot be made', async () => {
  const failing: Tried = {
    probe: async () => ({ type: 'on', program: 'bubblewrap' }),
    confine: () => Promise.reject(new Error('the disk is full')),
  };
  const trials = await trySandbox(failing, open());
  for (const trial of trials.slice(0, -1))
    expect(trial).toMatchObject({ result: 'untried', reason: 'the sandbox: the disk is full' });
  // No user can create a directory there.
  const closed = await trySandbox(failing, { ...open(), home: '/proc' });
  for (const trial of closed) expect(trial).toMatchObject({ result: 'untried', reason: expect.stringMatching('.') });
});
