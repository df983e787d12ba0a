import { sizeOfAll } from '../../../agent/context/request-size.ts';
import { UsageError } from '../../../agent/errors.ts';
import type { RewindPlace } from '../../../agent/ports/events.ts';
import type { Message } from '../../../agent/ports/messages.ts';
import { type PromptPoint, promptPoints } from '../../../session/prompt-points.ts';
import { firstChange } from '../../../session/writes/undo.ts';
import { truncateText } from '../../../text/truncate.ts';
import { isUserCommandReport, typedMessage } from '../../../text/user-command.ts';
import { namedAgent, namedFiles } from '../../../tools/triggers/parse-triggers.ts';
import type { Agent } from '../../agent.ts';
import { type CommandResult, chatCommand } from '../chat-command.ts';
import { describeUndo } from './undo-commands.ts';

/** `/rewind`. */
export const REWIND_COMMAND = chatCommand({
  name: 'rewind',
  argument: '[number [files]]',
  description:
    'List your messages, or go back to before one of them; with files, also put back the files changed since',
  run: async (agent, argument) => rewind(await agent(), argument),
});

/** Maximum length of a message in the list. */
const MAX_SHOWN = 100;

async function rewind(agent: Agent, argument: string): Promise<string | CommandResult> {
  const points = await promptPoints(agent.messages, agent.record.lines());
  if (points.length === 0) throw new UsageError('There is no message to go back to.');
  const [number = '', what, ...more] = argument.split(/\s+/u);
  if (argument === '') return listPoints(points);
  const point = /^[1-9]\d*$/u.test(number) ? points[Number(number) - 1] : undefined;
  if (point === undefined) throw new UsageError(`There is no message ${number}: /rewind lists 1 to ${points.length}.`);
  if ((what !== undefined && what !== 'files') || more.length > 0) {
    throw new UsageError(`Type /rewind ${number}, or /rewind ${number} files to put the files back as well.`);
  }
  const rewind: RewindPlace = point.prompt === undefined ? {} : { prompt: point.prompt };
  const text = await goBack(agent, point, rewind, what === 'files');
  return { type: 'text', text, rewind, ...(isTyped(point) && { line: point.text }) };
}

/**
 * True if a message means the same when it is typed. The output of a command, the body of a Markdown command and a
 * prompt of another program may contain triggers that were only text, and must stay text.
 */
function isTyped({ text, files }: PromptPoint): boolean {
  if (/^\s*(?:@?!|\/[^\s/]*(?:\s|$))/u.test(text) || isUserCommandReport(text)) return false;
  try {
    return namedAgent(text).agent === undefined && namedFiles(text).every((file) => files.includes(file));
  } catch (error) {
    if (error instanceof UsageError) return false;
    throw error;
  }
}

function listPoints(points: readonly PromptPoint[]): string {
  const width = String(points.length).length;
  const rows = points.map(({ text }, index) => {
    const [line = '', ...others] = typedMessage(text).trim().split('\n');
    return `${String(index + 1).padStart(width)}  ${truncateText(line, MAX_SHOWN)}${others.length > 0 ? ' …' : ''}`;
  });
  return [
    ...rows,
    '/rewind NUMBER goes back to before that message and keeps the files; /rewind NUMBER files also puts them back.',
  ].join('\n');
}

/** The files first: if that fails, the conversation stays, too. The log keeps what is left out. */
async function goBack(agent: Agent, point: PromptPoint, rewind: RewindPlace, withFiles: boolean): Promise<string> {
  const from = withFiles ? await firstCheckpoint(agent, point) : undefined;
  const undone = from === undefined ? undefined : await agent.undo(from);
  const { messages } = agent;
  await agent.tell({
    type: 'user_action',
    action: '/rewind',
    detail: `to before: ${truncateText(typedMessage(point.text), MAX_SHOWN)}`,
  });
  const kept: readonly Message[] = [
    ...messages.slice(0, point.index),
    { role: 'user', reminder: true, content: reminderText(withFiles) },
  ];
  const [tokensBefore, tokensAfter] = [messages, kept].map((all) => Math.ceil(sizeOfAll(all)));
  await agent.tell({
    type: 'compaction',
    tokensBefore: tokensBefore ?? 0,
    tokensAfter: tokensAfter ?? 0,
    messages: kept,
    rewind,
  });
  if (point.tasks !== undefined && JSON.stringify(point.tasks) !== JSON.stringify(agent.tasks)) {
    await agent.tell({ type: 'tasks', tasks: point.tasks });
  }
  const line = truncateText(typedMessage(point.text).trim().split('\n', 1).join(''), MAX_SHOWN);
  const unchanged = withFiles ? 'No file was changed since.' : 'The files stay as they are.';
  const files = undone === undefined ? unchanged : describeUndo(undone, agent.workspace, '/undo');
  return `The conversation is as it was before "${line}".\n${files}`;
}

/** The first checkpoint of a change since a prompt that is not undone yet; `undefined` if there is none. */
async function firstCheckpoint({ record }: Agent, { run }: PromptPoint): Promise<number | undefined> {
  if (run === undefined) {
    throw new UsageError('The log does not tell which files were changed since. /checkpoints lists them for /undo.');
  }
  return firstChange(record.writes, run);
}

function reminderText(withFiles: boolean): string {
  const files = withFiles
    ? 'The files that tools have changed after this point were put back where that was possible; the effects of commands stay.'
    : 'Files that were changed after this point stay as they are now, so they may differ from what you know.';
  return [
    '<reminder>',
    `This is not a message of the user, and the user does not see it. The user has gone back to this point of the conversation. ${files} Read a file again before you change it.`,
    '</reminder>',
  ].join('\n');
}
