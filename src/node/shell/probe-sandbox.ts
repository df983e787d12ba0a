import { Buffer } from 'node:buffer';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { Duplex } from 'node:stream';
import type { SandboxState } from '../../agent/ports/shell.ts';
import {
  type BubblewrapVersion,
  bubblewrapArguments,
  type ConfinedProgram,
  REPORT_DESCRIPTOR,
} from '../../policy/sandbox/bubblewrap.ts';
import { planMounts } from '../../policy/sandbox/mounts.ts';
import { type FailedProbe, limitsProcesses, missingLimits, whyOff } from '../../policy/sandbox/off-reasons.ts';
import { seatbeltArguments } from '../../policy/sandbox/seatbelt.ts';
import { SOCKET_FILTERS } from '../../policy/sandbox/seccomp/filters.data.ts';
import { temporaryDirectories } from '../sandbox/gather-places.ts';
import { readSmallFile } from '../sandbox/real-files.ts';
import { sendFilter, superviseStart } from './sandbox-descriptors.ts';

/** Time limits of the first and the second probe. It takes 10 ms, and much longer on a machine that is busy. */
const PROBE_MS = [5_000, 30_000];

/** The sandbox of this machine, with its program if it is on. */
export type ProbeResult =
  | {
      readonly state: Extract<SandboxState, { type: 'on' }>;
      readonly program: string;
      readonly version: BubblewrapVersion;
    }
  | { readonly state: Extract<SandboxState, { type: 'off' }> };

/** Tries the sandbox of this machine, with the programs of `searchPath`, of which a project can write none. Never throws. */
export async function probeMachine(shell: ConfinedProgram['shell'], searchPath: string): Promise<ProbeResult> {
  const { platform } = process;
  const isMac = platform === 'darwin';
  const program = isMac ? existingFile('/usr/bin/sandbox-exec') : findProgram('bwrap', searchPath);
  const facts: FailedProbe = {
    platform: platform === 'linux' || platform === 'darwin' || platform === 'win32' ? platform : 'other',
    release: os.release(),
    inContainer: ['/.dockerenv', '/run/.containerenv', '/run/systemd/container'].some((file) => existsSync(file)),
    appArmor: Number(readSmallFile('/proc/sys/kernel/apparmor_restrict_unprivileged_userns')) === 1,
    namespacesForbidden:
      Number(readSmallFile('/proc/sys/kernel/unprivileged_userns_clone')) === 0 ||
      Number(readSmallFile('/proc/sys/user/max_user_namespaces')) === 0,
  };
  if ((!isMac && platform !== 'linux') || program === undefined) return { state: whyOff(facts) };
  const places = { writable: [], guarded: [], hidden: [], unreadable: [], visible: [] };
  const trial = {
    ...{ program: shell.program, args: [...shell.args, ':'], workingDirectory: '/', network: false, shell },
    limitsProcesses: limitsProcesses(facts.release),
    filtersCalls: filterOf(false) !== undefined,
  };
  let stderr = '';
  let version: BubblewrapVersion | undefined = 'full';
  while (version !== undefined) {
    const all = { ...places, temporary: temporaryDirectories() };
    const args = isMac ? seatbeltArguments(trial, all) : bubblewrapArguments(trial, planMounts(all), version);
    let result = await tryProgram(program, args, PROBE_MS[0]);
    if (result === 'late') result = await tryProgram(program, args, PROBE_MS[1]);
    if (result === 'late') return { state: whyOff({ ...facts, stderr: '', isLate: true }) };
    if (result === undefined) {
      const found = { version, release: facts.release, hasFilter: filterOf(false) !== undefined };
      const lacks = isMac ? [] : missingLimits(found);
      const state = { type: 'on', program: isMac ? 'sandbox-exec' : 'bubblewrap' } as const;
      return { state: lacks.length === 0 ? state : { ...state, lacks }, program, version };
    }
    ({ stderr } = result);
    version = lesserVersion(version, stderr);
  }
  return { state: whyOff({ ...facts, stderr }) };
}

/** The abilities with which a sandbox may start that has failed with an error; `undefined` if there are none. */
function lesserVersion(version: BubblewrapVersion, stderr: string): BubblewrapVersion | undefined {
  if (version !== 'full') return undefined;
  if (/unknown option/i.test(stderr)) return 'basic';
  return /max_user_namespaces: \w/.test(stderr) ? 'nestable' : undefined;
}

/** The filter of the system calls of commands. Absent on macOS, and on processors whose system calls ybs does not know. */
export function filterOf(localSockets: boolean): Uint8Array | undefined {
  const { platform, arch } = process;
  if (platform !== 'linux' || (arch !== 'x64' && arch !== 'arm64')) return undefined;
  return Buffer.from(SOCKET_FILTERS[arch][localSockets ? 'local' : 'closed'], 'hex');
}

/** Runs a program that should end with 0. Returns its standard error otherwise, and `late` if the time is over. */
async function tryProgram(
  program: string,
  args: readonly string[],
  timeout: number | undefined,
): Promise<{ readonly stderr: string } | 'late' | undefined> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      env: {},
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      detached: true,
      timeout,
      killSignal: 'SIGKILL',
    });
    sendFilter(child, filterOf(false));
    const report: unknown = child.stdio.at(REPORT_DESCRIPTOR);
    // A program that ends before it reports its mounts prints its own error.
    if (report instanceof Duplex)
      superviseStart(
        report.on('error', () => {}),
        () => undefined,
        {},
      );
    let stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.on('error', ({ message }) => resolve({ stderr: message }));
    child.on('close', (code, signal) => {
      if (code === 0) resolve(undefined);
      else if (signal === 'SIGKILL' && stderr === '') resolve('late');
      else resolve({ stderr: stderr || `it ended with ${signal ?? `exit code ${code}`}` });
    });
  });
}

function findProgram(name: string, searchPath: string): string | undefined {
  return searchPath
    .split(path.delimiter)
    .filter((directory) => path.isAbsolute(directory))
    .map((directory) => existingFile(path.join(directory, name)))
    .find((file) => file !== undefined);
}

function existingFile(file: string): string | undefined {
  return existsSync(file) ? file : undefined;
}
