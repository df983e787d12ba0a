import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ShellExit } from '../../../src/agent/ports/shell.ts';
import type { ConfinedCommand, OpenProgram } from '../../../src/node/sandbox/sandbox.ts';
import { createNodeShell } from '../../../src/node/shell/node-shell.ts';
import { missingSandbox } from '../../support/sandbox/require-sandbox.ts';
import { BASH, confine, plainEnvironment } from '../../support/sandbox/sandboxed-run.ts';

/** Starts a program with an empty filter of system calls on the descriptor where it expects one. */
const WITH_FILTER = 'exec "$0" "$@" 4</dev/null';

const missing = await missingSandbox();

/** A directory that a command may not change, so that the sandbox mounts it. */
const GUARDED = '.vscode';

/** A file that a command may not read, so that the sandbox mounts something else in its place. */
const SECRET = '.env';

/**
 * A workspace outside the directories of temporary files, in which the guarded directory, or the file with secrets,
 * vanishes after the preparation of each of the first `vanishing` starts. No sockets, because other sandboxes of this
 * machine would list them, too.
 */
function openWorkspace(vanishing: number, name: typeof GUARDED | typeof SECRET = GUARDED) {
  const home = mkdtempSync(path.join(os.userInfo().homedir, 'ybs-vanishing-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const workspace = path.join(home, 'work');
  const mounted = path.join(workspace, name);
  const log = path.join(workspace, 'log');
  mkdirSync(workspace);
  let starts = 0;
  return {
    workspace,
    home,
    mounted,
    starts: () => starts,
    log: () => (existsSync(log) ? readFileSync(log, 'utf8') : ''),
    async confine(command: OpenProgram): Promise<ConfinedCommand> {
      starts += 1;
      if (starts > vanishing) return confine(command, { home, workspace });
      if (name === GUARDED) mkdirSync(mounted);
      else writeFileSync(mounted, 'KEY=x');
      const confined = await confine(command, { home, workspace });
      rmSync(mounted, { recursive: true });
      return confined;
    },
  };
}

async function run(place: ReturnType<typeof openWorkspace>, command: string) {
  const shell = createNodeShell({ program: BASH, confine: place.confine });
  const surroundings = {
    workingDirectory: place.workspace,
    environment: plainEnvironment(place.home),
    timeoutMs: 60_000,
  };
  let output = '';
  let exit: ShellExit | undefined;
  for await (const event of shell.run({ command, ...surroundings }, new AbortController().signal)) {
    if (event.type === 'output') output += event.text;
    else exit = event;
  }
  return { output, exit };
}

describe.skipIf(missing !== undefined)(`the sandbox${missing === undefined ? '' : ` (skipped: ${missing})`}`, () => {
  it('runs a command once, even if a mounted path vanishes before each of its first starts', async () => {
    const place = openWorkspace(7);
    const { output, exit } = await run(place, 'echo ran >> log; echo done');
    expect([output, exit]).toEqual(['done\n', expect.objectContaining({ cause: 'exited', exitCode: 0 })]);
    expect([place.starts(), place.log()]).toEqual([8, 'ran\n']);
  });

  it('leaves no empty file in place of a vanished file with secrets', async () => {
    const place = openWorkspace(2, SECRET);
    const { output } = await run(place, 'ls -A');
    expect([output, place.starts(), existsSync(place.mounted)]).toEqual(['', 3, false]);
  });

  it('cannot be started with the mount of a vanished path', async () => {
    const place = openWorkspace(1);
    const environment = plainEnvironment(place.home);
    const program = { program: BASH.program, args: [...BASH.args, 'echo ran >> log'] };
    const confined = await place.confine({
      ...{ ...program, environment, workingDirectory: place.workspace, network: false },
      ...{ readOnly: false, localSockets: false },
    });
    const started = promisify(execFile)('/bin/sh', ['-c', WITH_FILTER, confined.program, ...confined.args], {
      env: confined.environment,
    });
    const missingPath = `bwrap: Can't find source path ${place.mounted}: No such file or directory\n`;
    await expect(started).rejects.toMatchObject({ code: 1, stderr: missingPath });
    expect(place.log()).toBe('');
  });

  it('gives up after several attempts, with the reason', async () => {
    const place = openWorkspace(Number.POSITIVE_INFINITY);
    const { output, exit } = await run(place, 'echo ran >> log');
    const reason = `the sandbox: bwrap: Can't find source path ${place.mounted}: No such file or directory`;
    expect([output, exit]).toEqual(['', expect.objectContaining({ cause: 'failed_to_start', reason })]);
    expect([place.starts(), place.log()]).toEqual([20, '']);
  });

  /** A workspace in which a program replaces a directory by a link to the home directory after each preparation. */
  function openSwapped() {
    const place = openWorkspace(0);
    const directory = path.join(place.workspace, 'app');
    const aside = path.join(place.workspace, 'aside');
    for (const parent of [directory, place.home]) mkdirSync(path.join(parent, GUARDED), { recursive: true });
    const swapped = async (command: OpenProgram): Promise<ConfinedCommand> => {
      const confined = await place.confine(command);
      renameSync(directory, aside);
      symlinkSync('..', directory);
      return confined;
    };
    return { place, swapped, evil: path.join(place.home, 'evil'), restore: () => renameSync(aside, directory) };
  }

  it('starts no command when a directory becomes a link before it is mounted', async () => {
    const { place, swapped, evil, restore } = openSwapped();
    const once = (command: OpenProgram) => {
      if (place.starts() === 0) return swapped(command);
      rmSync(path.join(place.workspace, 'app'));
      restore();
      return place.confine(command);
    };
    const { output } = await run(
      { ...place, confine: once },
      'echo ran >> log; { echo evil > ~/evil; } 2> /dev/null; echo done',
    );
    expect([output, place.starts(), place.log()]).toEqual(['done\n', 2, 'ran\n']);
    expect(existsSync(evil)).toBe(false);
  });

  it('control: without the comparison of the mounts, the command changes the home directory', async () => {
    const { place, swapped, evil } = openSwapped();
    const unchecked = async (command: OpenProgram) => ({ ...(await swapped(command)), misplaced: () => undefined });
    await run({ ...place, confine: unchecked }, 'echo evil > ~/evil');
    expect(existsSync(evil)).toBe(true);
  });

  it('does not repeat a command that fails like a sandbox', async () => {
    const place = openWorkspace(0);
    const { output, exit } = await run(place, `echo ran >> log; echo "bwrap: Can't find source path x" >&2; exit 1`);
    expect([output, exit?.exitCode]).toEqual(["bwrap: Can't find source path x\n", 1]);
    expect([place.starts(), place.log()]).toEqual([1, 'ran\n']);
  });
});
