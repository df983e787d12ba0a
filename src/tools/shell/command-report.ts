import type { CommandEnd, ShellExit } from '../../agent/ports/shell.ts';
import { listHosts } from '../../policy/sandbox/describe-sandbox.ts';
import { HOST_REFUSALS } from '../../policy/sandbox/hosts.ts';
import { escapeLine } from '../../text/escape.ts';
import type { BoundedText } from './bounded-text.ts';
import type { ShellLog } from './shell-log.ts';

/** The result of a command. `output` is the cleaned text of both streams. `log` has a file if `output` omits text. */
export interface CommandReport {
  readonly exit: ShellExit;
  readonly output: BoundedText;
  readonly log: ShellLog;
}

/** The parts of a report that come from the plan of the call. */
export interface ReportContext {
  /** Display path of the working directory. */
  readonly directory: string;
  readonly timeoutMs: number;
  /** The sandbox that the command ran in: without the network, or with it. Absent: none. */
  readonly sandbox?: 'offline' | 'online' | undefined;
  /** The command could change nothing: it ran in a view of the workspace (`view`), or certainly only reads (`searched`). */
  readonly readOnly?: 'view' | 'searched' | undefined;
  readonly command?: string;
  /** The servers that all commands in the sandbox may reach. */
  readonly grantedHosts?: readonly string[];
  /** Hosts can be granted at questions. */
  readonly grantsHosts?: boolean;
  /** The home directory of which commands see only programs, and the workspace, which may lie in it. Real paths. */
  readonly hiddenHome?: { readonly home: string; readonly workspace: string };
}

/** Describes the result of a command for the model. */
export function describeReport({ exit, output, log }: CommandReport, context: ReportContext): string {
  const lines = [
    describeEnding(exit, context),
    `duration: ${formatDuration(exit.durationMs)}`,
    `directory: ${context.directory}`,
    ...adviceFor(exit, output),
    ...sandboxNotes(exit, output, context),
  ];
  return `${lines.join('\n')}\n\n${describeOutput(output, log)}`;
}

/** The description without the parts that differ between equal runs of a command: the duration and the log's name. */
export function comparableReport(report: CommandReport, context: ReportContext): string {
  return describeReport({ ...report, exit: { ...report.exit, durationMs: 0 }, log: {} }, context);
}

/** The end of a command for the events, without its surroundings. */
export function commandEnd({ cause, exitCode, signal, hosts }: CommandEnd): CommandEnd {
  return {
    cause,
    ...(exitCode !== undefined && { exitCode }),
    ...(signal !== undefined && { signal }),
    ...(hosts !== undefined && { hosts }),
  };
}

/** Maximum number of files that a report names. */
const MAX_NAMED = 5;

/** The first names of files, escaped, because a name that a command has chosen must not look like a line of ybs. */
function listFiles(files: readonly string[]): string {
  const named = files.slice(0, MAX_NAMED).map(escapeLine).join(', ');
  return files.length > MAX_NAMED ? `${named} and ${files.length - MAX_NAMED} more files` : named;
}

/** Summarises a report in one line for people, with the file of an output that is not shown to the model as a whole. */
export function summarizeReport({ exit, log: { file, gap } }: CommandReport): string {
  return `${summarizeExit(exit)}${file === undefined || gap !== undefined ? '' : `; the whole output is in ${file}`}`;
}

/** Summarises the end of a command in one line for people: `exit code 1 after 0.3 s`. */
export function summarizeExit(exit: ShellExit): string {
  const left = exit.leftProcesses ? '; processes in the background were ended' : '';
  return `${summarizeEnd(exit)}${left}${summarizeChanges(exit)}`;
}

/** The part of a summary about files that other programs run or follow. */
export function summarizeChanges({ created, changed, putBack = [] }: Changes): string {
  const files = created === undefined ? '' : `; created ${listFiles(created)}, which other programs run or follow`;
  const others = changed === undefined ? '' : `; changed ${listFiles(changed)}, which other programs run or follow`;
  const back = putBack.map(({ file, reason }) => `; PUT BACK ${escapeLine(file)}: ${escapeLine(reason)}`).join('');
  return `${files}${others}${back}`;
}

function summarizeEnd(exit: ShellExit): string {
  const duration = formatDuration(exit.durationMs);
  switch (exit.cause) {
    case 'exited':
      return `exit code ${exit.exitCode ?? 'unknown'} after ${duration}`;
    case 'signalled':
      return `ended by ${exit.signal ?? 'a signal'} after ${duration}`;
    case 'timed_out':
      return `timed out after ${duration}`;
    case 'aborted':
      return `stopped after ${duration}`;
    case 'failed_to_start':
      return `could not be started: ${exit.reason ?? 'unknown reason'}`;
  }
}

function describeEnding(exit: ShellExit, { timeoutMs }: ReportContext): string {
  const code = exit.exitCode === undefined ? 'none' : `${exit.exitCode}`;
  const signal = exit.signal === undefined ? '' : `, ended by ${exit.signal}`;
  switch (exit.cause) {
    case 'exited':
    case 'signalled':
      return `exit_code: ${code}${signal}`;
    case 'timed_out':
      return `exit_code: ${code}, timed out after ${timeoutMs / 1000} s${signal}`;
    case 'aborted':
      return `exit_code: ${code}, stopped by the user${signal}. The command may have had effects.`;
    case 'failed_to_start':
      return `exit_code: none, the command could not be started: ${exit.reason ?? 'unknown reason'}`;
  }
}

type Changes = Pick<ShellExit, 'created' | 'changed' | 'putBack'>;

/** Notes for the model about files that other programs run or follow, which `who` has changed. */
export function noteChanges(exit: Changes, who = 'the command'): readonly string[] {
  const advice: string[] = [];
  if (exit.created !== undefined) {
    advice.push(
      `note: ${who} created ${listFiles(exit.created)}, which other programs run or follow. The user sees this.`,
    );
  }
  if (exit.changed !== undefined) {
    advice.push(
      `note: ${who} changed ${listFiles(exit.changed)}, which other programs run or follow. The user sees this.`,
    );
  }
  for (const { file, reason } of exit.putBack ?? []) {
    advice.push(
      `note: ${escapeLine(file)} was put back as it was before the command, because ${escapeLine(reason)}. The user sees this. Ask the user to make this change.`,
    );
  }
  return advice;
}

function adviceFor(exit: ShellExit, output: BoundedText): readonly string[] {
  const advice: string[] = [];
  if (exit.cause === 'timed_out' && output.lines === 0) {
    advice.push(
      'note: the command printed nothing and may have waited for input. Standard input is closed, so pass answers as arguments or read them from a file.',
    );
  } else if (exit.cause === 'timed_out') {
    advice.push('note: if the command needs more time, set timeout, or run a part of it.');
  }
  if (exit.leftProcesses) {
    advice.push(
      'note: the command left background processes. Those that were found were ended, so the next call cannot use them. Their later output is not shown.',
    );
  }
  if (NO_OUTPUT_DEVICE.test(`${output.head}\n${output.tail}`)) {
    advice.push('note: /dev/stdout and /dev/stderr cannot be opened here. Redirect with >&1 or >&2 instead.');
  }
  advice.push(...noteChanges(exit));
  for (const { host, port, refused } of (exit.hosts ?? []).slice(0, MAX_NAMED)) {
    if (refused === undefined) continue;
    const isDenied = refused === HOST_REFUSALS.notGranted || refused === HOST_REFUSALS.notPublic;
    const add = isDenied ? ' The user can add the host to safety.sandbox_hosts.' : '';
    advice.push(`note: the sandbox did not connect the command to ${host}, port ${port}, because ${refused}.${add}`);
  }
  return advice;
}

/** The message of a program that opens its output by name: Node.js gives commands sockets, which cannot be opened. */
const NO_OUTPUT_DEVICE = /\/dev\/std(?:out|err)\b.*No such device or address/;

/** Messages of programs that the sandbox kept from the network, or from a file. */
const NO_NETWORK =
  /EAI_AGAIN|ENOTFOUND|ENETUNREACH|ECONNREFUSED|getaddrinfo|name resolution|network is unreachable|connection refused|(?:(?:failed|unable) to|could(?:n't| not)) (?:connect|resolve)/i;

/** A program that needs the network and may say nothing without it, or try for minutes. */
const USES_NETWORK =
  /(?:^|[|;&(\n])\s*(?:curl|wget|ssh|scp|rsync|ping|npx|bunx|(?:npm|pnpm|yarn|bun)(?:\s+(?:install|i|ci|add|update|upgrade|dlx)\b|(?=\s*(?:$|[|;&])))|(?:pip3?|uv|gem|bundle|composer|poetry|apt|apt-get|dotnet|cargo|go|git)\s+(?:-C\s+\S+\s+|-\S+\s+)*(?:install|add|get|sync|update|upgrade|restore|fetch|clone|pull|push|mod|build|pip)\b)/;

/** A file of the temporary directory that an earlier command may have written. */
const MISSING_IN_TMP = /(?<![\w.-])\/tmp\/[^\n]*no such file|no such file[^\n]*\s'?\/tmp\//i;
const TMP_NOTE =
  'note: in the sandbox, each command has an empty /tmp of its own. Keep files for later commands in the workspace.';
const NO_SOCKET = /EAFNOSUPPORT|address family not supported|no agent running|zygote/i;
const NO_ACCESS = /EROFS|EACCES|read-only file system|permission denied/i;

/** Messages of programs that a view of the workspace kept from a change, or from something that it leaves out. */
const READ_ONLY = /EROFS|read-only file system/i;
const OUTSIDE_VIEW =
  /(?:^|[\s'":(])\/(?!usr\/|bin\/|lib|proc\/|tmp\/|dev\/)[^\n]*no such file|not a git repository|ENOENT[^\n]*'\/(?:home|root|Users)/i;

/** A program that lists the processes and sockets of the machine, as the first word of a command. */
const LISTS_MACHINE =
  /(?:^|[|;&(\n])\s*(?:ps|pgrep|pidof|pstree|top|lsof|ss|netstat|fuser)(?=\s|$)(?!\s+(?:-V|--version|--help))/;
const OWN_ONLY_NOTE =
  'note: in the sandbox, a command sees only its own processes and sockets, not those of the machine. Ask the user what runs there.';

const VIEW_NOTE =
  'note: this command ran without a question, so it saw the workspace read-only, without secrets, network and the rest of the user\'s files. It changed nothing. If it has to write or needs more, repeat the call with "writes": true; the user is asked.';

const HOME_NOTE =
  'note: in the sandbox, commands see only programs in the home directory, and what they write there is gone when they end. The other files of the user are there, but hidden (safety.sandbox_readable_paths shows more).';

/** True if a command, or what it printed, names a file of the hidden home directory. */
function namesHome(text: string, { hiddenHome, command = '' }: Pick<ReportContext, 'hiddenHome' | 'command'>): boolean {
  if (hiddenHome === undefined) return false;
  const { home, workspace } = hiddenHome;
  const own = workspace.startsWith(`${home}/`) ? workspace : home;
  const isOutside = (each: string): boolean =>
    each.replaceAll(own === home ? `${home}\0` : own, '').includes(`${home}/`);
  const isMissing = text.split('\n').some((line) => /no such file|ENOENT/i.test(line) && isOutside(line));
  const isNamed = /(?:^|[\s='":(<>])~(?:\/|$|[\s'");|&])|\$\{?HOME\b/.test(command) || isOutside(command);
  return isMissing || (isNamed && CHANGES_FILES.test(command));
}

/** Ways of a command to write a file, besides its programs' own. */
const CHANGES_FILES =
  />|(?:^|[\s;|&(])(?:cp|mv|tee|touch|mkdir|ln|install|rsync|rm|tar|unzip|git\s+clone|sed\s+-i|dd)\s/;

/** The end of a summary for the user of a command that names a file of the hidden home directory. */
export function homeSummary(
  { output }: CommandReport,
  context: Pick<ReportContext, 'sandbox' | 'hiddenHome' | 'command'>,
): string {
  const isNamed = context.sandbox !== undefined && namesHome(`${output.head}\n${output.tail}`, context);
  return isNamed ? '; the sandbox hides your home directory, and keeps nothing that is written there' : '';
}

/**
 * Notes about the sandbox for a command that it may have stopped. The definition of the tool does not mention the
 * sandbox, so that the prompt is the same on every machine.
 */
function sandboxNotes({ exitCode, cause }: ShellExit, output: BoundedText, context: ReportContext): readonly string[] {
  const { sandbox, readOnly, command } = context;
  if (sandbox === undefined) return [];
  if (command !== undefined && LISTS_MACHINE.test(command)) return [OWN_ONLY_NOTE];
  const text = `${output.head}\n${output.tail}`;
  // A program may go on after a file that it cannot write, and end with 0.
  const isStopped = READ_ONLY.test(text) || (exitCode !== 0 && (NO_ACCESS.test(text) || OUTSIDE_VIEW.test(text)));
  if (readOnly !== undefined && isStopped) return [VIEW_NOTE];
  const notes: string[] = [];
  if (readOnly === undefined && namesHome(text, context)) notes.push(HOME_NOTE);
  if (exitCode === 0) return notes;
  const isSilent = (output.lines === 0 || cause === 'timed_out') && USES_NETWORK.test(command ?? '');
  if (sandbox === 'offline' && (isSilent || NO_NETWORK.test(text))) {
    const { grantedHosts = [], grantsHosts = false } = context;
    const named = grantsHosts ? '"hosts": ["NAME", …] and the servers that it needs, or with ' : '';
    const others = grantedHosts.length === 0 ? '' : ` but to ${listHosts(grantedHosts)}`;
    notes.push(
      `note: commands run in a sandbox without network${others}. If this one needs it, repeat the call with ${named}"network": true; the user is asked each time.`,
    );
  }
  const { workspace } = context.hiddenHome ?? { workspace: '' };
  if (MISSING_IN_TMP.test(workspace === '' ? text : text.replaceAll(workspace, ''))) notes.push(TMP_NOTE);
  if (NO_SOCKET.test(text)) {
    notes.push(
      'note: commands run in a sandbox without sockets of this machine, which tsx, Chromium and gpg-agent open for themselves. If this one needs them, repeat the call with "local_sockets": true; the user is asked each time, or sets safety.sandbox_local_sockets.',
    );
  }
  if (NO_ACCESS.test(text)) {
    notes.push(
      'note: in the sandbox, files outside the workspace are read-only, secrets and most of the home are hidden (safety.sandbox_readable_paths shows more), and /tmp is empty.',
    );
  }
  return notes;
}

/** The output of a program for the model, with a note where text is omitted. */
export function describeOutput(output: BoundedText, log: ShellLog): string {
  if (output.lines === 0) return '(no output)';
  const { omitted } = output;
  if (omitted === undefined) return output.head;
  const { characters, firstLine, lastLine } = omitted;
  const part = firstLine >= lastLine ? `part of line ${firstLine}` : `lines ${firstLine} to ${lastLine}`;
  const gap = `[${part} of ${output.lines} omitted (${characters} characters). ${describeLog(log)}]`;
  return `${output.head}${output.head.endsWith('\n') ? '' : '\n'}${gap}\n${output.tail}`;
}

function describeLog({ file, gap }: ShellLog): string {
  if (file === undefined) return `The full output was not saved: ${gap ?? 'unknown reason'}.`;
  const incomplete = gap === undefined ? '' : `, which is incomplete: ${gap}`;
  return `Read the rest with read_file from ${file}${incomplete}.`;
}

/** Formats a duration for people: `0.3 s`, `12 s`. */
export function formatDuration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
}
