import path from 'node:path';
import { UsageError } from '../agent/errors.ts';
import type { FileSystem } from '../agent/ports/file-system.ts';
import { escapeLine } from '../text/escape.ts';
import { countOf } from '../text/quantities.ts';
import { truncateText } from '../text/truncate.ts';
import { typedMessage } from '../text/user-command.ts';
import { isPrompt } from './log/log-line.ts';
import { readEvent } from './log/read-line.ts';
import { readLines } from './log/read-log.ts';
import { describeAge, LOG_SUFFIX, listNames, withoutSuffix } from './session-names.ts';

/** A stored session, as the first lines of its log describe it. */
export interface SessionHead {
  readonly name: string;
  /** UUID; absent if the line with it is damaged. */
  readonly id: string | undefined;
  readonly workspace: string | undefined;
  /** Time of the last event, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly modifiedMs: number;
  /** The first text that the user typed: a prompt, or a command with its `!`. */
  readonly firstPrompt: string | undefined;
}

/** A stored session in a list. */
export interface SessionSummary extends SessionHead {
  /** Number of messages of the user. */
  readonly prompts: number;
}

/** The place and the time at which a list of sessions is shown. */
export interface ListPlace {
  /** In milliseconds since 1970-01-01T00:00:00Z. */
  readonly now: number;
  /** The current directory. The list names only other directories. */
  readonly workspace: string;
  /** The name of the open session. */
  readonly open?: string;
}

/** The sessions as a numbered list for people, one per line, safe to print. */
export function describeSessions(sessions: readonly SessionSummary[], place: ListPlace): string {
  const rows = sessions.map((session, index) => {
    const { prompt, age, where, prompts } = factsOf(session, place);
    const shown = prompt === '' ? '' : `: ${prompt}`;
    return escapeLine(`${String(index + 1).padStart(3)}. ${session.name} (${age}) - ${prompts}${where}${shown}`);
  });
  return rows.length === 0 ? 'There are no stored sessions.' : rows.join('\n');
}

/** The sessions to choose from, those of the current directory first. The label begins with its first prompt. */
export function sessionChoices(
  sessions: readonly SessionSummary[],
  place: ListPlace,
): readonly { readonly value: string; readonly label: string }[] {
  const isHere = ({ workspace = place.workspace }: SessionSummary): boolean => workspace === place.workspace;
  return [...sessions.filter(isHere), ...sessions.filter((session) => !isHere(session))].map((session) => {
    const { prompt, age, where, prompts } = factsOf(session, place);
    return {
      value: session.name,
      label: `${prompt === '' ? '' : `${prompt}  `}(${age}, ${prompts}${where}) ${session.name}`,
    };
  });
}

function factsOf(
  { name, modifiedMs, prompts, firstPrompt = '', workspace }: SessionSummary,
  { now, workspace: here, open }: ListPlace,
) {
  const [prompt = ''] = firstPrompt.trim().split('\n', 1);
  return {
    prompt: truncateText(prompt, MAX_PROMPT),
    age: `${describeAge(now - modifiedMs)}${name === open ? ', open' : ''}`,
    where: workspace === undefined || workspace === here ? '' : ` in ${escapeLine(workspace)}`,
    prompts: countOf(prompts, 'prompt'),
  };
}

/** Maximum length of a prompt in a list. */
const MAX_PROMPT = 60;

/** Maximum number of sessions that an ambiguous name lists. */
const MAX_MATCHES = 10;

/** The part of a log that is read for its head. */
const HEAD_BYTES = 64 * 1024;

/** The sessions in a directory, the one used last first. */
export async function readHeads(fileSystem: FileSystem, directory: string): Promise<readonly SessionHead[]> {
  const names = await listNames(fileSystem, directory);
  const heads = await Promise.all(
    names.map((name) => readHead(fileSystem, name, path.join(directory, `${name}${LOG_SUFFIX}`))),
  );
  return heads.sort((one, other) => other.modifiedMs - one.modifiedMs || (one.name < other.name ? 1 : -1));
}

/** The name of the session with this UUID, file name or unique start of one of them. Throws `UsageError`. */
export function findSession(heads: readonly SessionHead[], wanted: string): string {
  const query = withoutSuffix(wanted);
  const exact = heads.filter(({ name, id }) => name === query || id === query);
  const matches = exact.length > 0 ? exact : heads.filter((head) => isStartOf(query, head));
  const [only, ...others] = matches;
  if (only === undefined || query === '') {
    const last = /^la(?:te)?st$/i.test(query) ? ' ybs --continue continues the last one of this directory.' : '';
    throw new UsageError(
      `There is no session ${JSON.stringify(wanted)}. ybs --resume, or /sessions in the chat, lists them.${last}`,
    );
  }
  if (others.length === 0) return only.name;
  const rows = matches.slice(0, MAX_MATCHES).map(({ name }) => escapeLine(name));
  if (matches.length > MAX_MATCHES) rows.push(`and ${matches.length - MAX_MATCHES} more`);
  const start = `${JSON.stringify(wanted)} is the start of ${matches.length} sessions. Write more of it:`;
  throw new UsageError([start, ...rows.map((row) => `  ${row}`)].join('\n'));
}

/** The name of the session that the user calls by its number in the list, or as in `findSession`. */
export function findListed(heads: readonly SessionHead[], wanted: string): string {
  if (!/^\d{1,6}$/.test(wanted)) return findSession(heads, wanted);
  const name = heads[Number(wanted) - 1]?.name;
  if (name === undefined) throw new UsageError(`There is no session ${wanted} in the list. See /sessions.`);
  return name;
}

/** Number of messages of the user in a log. */
export async function countPrompts(fileSystem: FileSystem, file: string): Promise<number> {
  let count = 0;
  for await (const { lines } of readLines(fileSystem, file)) {
    for (const line of lines) if (USER_LINE.test(line) && isPromptLine(line)) count += 1;
  }
  return count;
}

/** The start of a line of a prompt, a file that it names or a reminder. Only these lines are parsed. */
const USER_LINE = /^\{"timestamp":"[^"]*","type":"user"/;

function isPromptLine(line: string): boolean {
  const event = readEvent(line);
  return event !== undefined && isPrompt(event);
}

async function readHead(fileSystem: FileSystem, name: string, file: string): Promise<SessionHead> {
  const { modifiedMs } = await fileSystem.stat(file);
  const { bytes } = await fileSystem.readFile(file, HEAD_BYTES);
  let id: string | undefined;
  let workspace: string | undefined;
  for (const line of new TextDecoder().decode(bytes).split('\n')) {
    const event = readEvent(line);
    if (event?.type === 'session_start') {
      id ??= event.sessionId;
      ({ workspace } = event);
    }
    if (event?.type === 'user_message' && isPrompt(event)) {
      return { name, id, workspace, modifiedMs, firstPrompt: typedMessage(event.text) };
    }
  }
  return { name, id, workspace, modifiedMs, firstPrompt: undefined };
}

function isStartOf(query: string, { name, id }: SessionHead): boolean {
  return name.startsWith(query) || name.startsWith(`session-${query}`) || id?.startsWith(query) === true;
}
