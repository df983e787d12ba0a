import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { Duplex, Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { BRIDGE_DESCRIPTOR, REPORT_DESCRIPTOR } from '../../policy/sandbox/bubblewrap.ts';
import { jsonOr } from '../../text/json/json.ts';
import type { ServerEvents, ServerProcess, ServerProgram, StartServer } from '../../tools/mcp/settings.ts';
import type { ConfinedCommand, OpenProgram } from '../sandbox/sandbox.ts';
import { sendFilter, superviseStart } from '../shell/sandbox-descriptors.ts';

/** The maximum length of a line of a server, in characters. */
const MAX_LINE = 10 * 1024 * 1024;

/** The number of characters of a longer line that are kept, at its start and at its end. */
const KEPT = 4_096;

/** Time between the end of the input of a server and its end by force, in milliseconds. */
const GRACE_MS = 2_000;

/** A variable that all processes of one server have, by its value. */
const MARK = 'YBS_SERVER';

/**
 * Runs its further arguments as a server, in the process group that it leads and with the first one as its mark. When the
 * descriptor 6 is closed, because ybs ends the server or has ended itself in any way, everything with the mark and in the
 * group is killed, also what a launcher has left behind or has put into a session of its own.
 */
const WATCH = `mark=${MARK}=$1; shift; (
  exec </dev/null >/dev/null 2>&1 3>&- 4>&- 5>&-; read -r _ <&6
  for environ in $(grep -lxzF "$mark" /proc/[0-9]*/environ); do
    environ=\${environ#/proc/}; kill -KILL "\${environ%/*}"
  done
  kill -KILL 0
) & exec 6<&-; export "$mark"; exec "$@"`;

/** Prepares a server for the sandbox, with the files and hosts that it may use besides those of a command. */
export type ConfineServer = (
  program: OpenProgram,
  granted: Pick<ServerProgram, 'read' | 'write' | 'hosts'>,
) => Promise<ConfinedCommand>;

/** Starts the servers of a session, in the sandbox if there is `confine`. */
export function createStartServer(confine: ConfineServer | undefined): StartServer {
  return async ({ command, args, workingDirectory, environment, network, localSockets, ...granted }, events) => {
    const program = findProgram(command, environment['PATH'] ?? '', workingDirectory);
    const open = { program, args, workingDirectory, network, localSockets, environment, readOnly: false };
    const confined = confine === undefined ? undefined : await confine(open, granted);
    const started = { program, args, environment, ...confined };
    const isPosix = process.platform !== 'win32';
    const watched = ['-c', WATCH, 'ybs', randomUUID(), started.program, ...started.args];
    const child = spawn(isPosix ? '/bin/sh' : started.program, isPosix ? watched : started.args, {
      cwd: workingDirectory,
      env: { ...started.environment },
      detached: isPosix,
      windowsHide: true,
      stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe', confined?.proxy === undefined ? 'ignore' : 'pipe', 'pipe'],
    });
    sendFilter(child, confined?.filter);
    const report: unknown = child.stdio.at(REPORT_DESCRIPTOR);
    if (report instanceof Duplex && confined?.misplaced !== undefined)
      superviseStart(report, confined.misplaced, { refuse: (reason) => events.stderr(`the sandbox: ${reason}\n`) });
    else if (report instanceof Readable) report.resume();
    const channel: unknown = child.stdio.at(BRIDGE_DESCRIPTOR);
    if (channel instanceof Duplex) confined?.proxy?.serve(channel);
    return follow(child, events);
  };
}

/** The program of a command. Throws if there is none, because a shell would only say so in its own words. */
function findProgram(command: string, searchPath: string, directory: string): string {
  const isPath = command.includes('/') || path.isAbsolute(command);
  const places = isPath
    ? [path.resolve(directory, command)]
    : searchPath.split(path.delimiter).map((each) => path.join(each, command));
  const endings = process.platform === 'win32' ? ['', '.exe', '.cmd'] : [''];
  const isExecutable = (file: string): boolean => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  };
  const found = places.flatMap((place) => endings.map((end) => place + end)).find(isExecutable);
  if (found !== undefined) return found;
  const [, word] = /^(\S+)\s/.exec(command) ?? [];
  const hasArguments = word !== undefined && (!/[/\\]/.test(word) || isExecutable(path.resolve(directory, word)));
  const advice = hasArguments ? '; "command" is the program alone, and "args" has its arguments' : '';
  throw new Error(`the program ${command} was not found${isPath ? '' : ' in PATH'}${advice}`);
}

function follow(child: ChildProcess, events: ServerEvents): ServerProcess {
  const { stdin, stdout, stderr, stdio } = child;
  const guard = Array.from<unknown>(stdio)[6];
  const kill = (): void => {
    if (guard instanceof Writable) guard.destroy();
    if (process.platform === 'win32') child.kill();
  };
  for (const stream of stdio) stream?.on('error', () => {});
  if (stdout !== null) readLines(stdout, events);
  const decoder = new StringDecoder('utf8');
  stderr?.on('data', (bytes: Buffer) => events.stderr(decoder.write(bytes)));
  const closed = new Promise<void>((resolve) => {
    let isOver = false;
    const over = (reason: string): void => {
      kill();
      if (!isOver) events.ended(reason);
      isOver = true;
      resolve();
    };
    child.once('error', ({ message }) => over(`it could not be started: ${message}`));
    // Not `close`, which would wait for a background process that has the pipes.
    child.once('exit', (code, signal) =>
      over(signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`),
    );
  });
  return {
    write: (line) => void stdin?.write(`${line}\n`),
    async end() {
      stdin?.end();
      const timer = setTimeout(kill, GRACE_MS);
      await closed;
      clearTimeout(timer);
      for (const stream of stdio) stream?.destroy();
    },
  };
}

/** Splits the output of a server into lines, in bounded memory. */
function readLines(stream: Readable, events: ServerEvents): void {
  const decoder = new StringDecoder('utf8');
  let [text, tail, length] = ['', '', 0];
  const end = (): void => {
    if (length > MAX_LINE) events.tooLong(text, tail);
    else if (text.trim() !== '') events.line(text);
    [text, tail, length] = ['', '', 0];
  };
  stream.on('data', (bytes: Buffer) => {
    const parts = decoder.write(bytes).split('\n');
    for (const [index, part] of parts.entries()) {
      if (index > 0) end();
      length += part.length;
      if (length <= MAX_LINE) text += part;
      else [text, tail] = [text.slice(0, KEPT), (tail + part).slice(-KEPT)];
    }
    // Some servers end a message with nothing, as in the frames of LSP.
    const mayEnd = length <= MAX_LINE && /\}\s*$/.test(parts.at(-1) ?? '');
    if (mayEnd && text.startsWith('{"') && jsonOr(undefined, text) !== undefined) end();
  });
}
