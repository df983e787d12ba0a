import { UsageError } from '../../../agent/errors.ts';
import type { Message } from '../../../agent/ports/messages.ts';
import { type ResumedSession, restoredNotes } from '../../../session/log/restored-notes.ts';
import { isPromptMessage } from '../../../session/prompt-points.ts';
import { describeSessions, findListed, findSession, sessionChoices } from '../../../session/session-list.ts';
import { findNameProblem, withoutSuffix } from '../../../session/session-names.ts';
import type { SessionRecord } from '../../../session/session-record.ts';
import { escapeLine } from '../../../text/escape.ts';
import { countOf } from '../../../text/quantities.ts';
import { truncateText } from '../../../text/truncate.ts';
import { typedMessage } from '../../../text/user-command.ts';
import type { Agent } from '../../agent.ts';
import { type ChatCommand, type CommandResult, chatCommand } from '../chat-command.ts';

/** The commands of the chat that concern sessions. */
export const SESSION_COMMANDS: readonly ChatCommand[] = [
  chatCommand({
    name: 'session',
    description: 'Show the name of this session, its number of prompts and its file',
    run: async (agent) => describeSession((await agent()).record),
  }),
  chatCommand({
    name: 'sessions',
    description: 'List the stored sessions, the one used last first',
    async run(agent) {
      const { sessions, workspace, record } = await agent();
      return describeSessions(await sessions.list(), { now: sessions.now(), workspace, open: record.name });
    },
  }),
  loadCommand('load', 'Continue a stored session: its name, the start of it, its number in /sessions, or from a list'),
  loadCommand('resume', 'The same as /load'),
  chatCommand({
    name: 'save',
    argument: '[name]',
    description: 'Copy this session under a name; copies are never removed',
    async run(agent, argument) {
      const { record, sessions } = await agent();
      const name = withoutSuffix(argument);
      const problem = name === '' ? undefined : findNameProblem(name);
      if (problem !== undefined) throw new UsageError(problem);
      return `Saved a copy of this session: ${await sessions.save(record, name)}`;
    },
  }),
  chatCommand({
    name: 'export',
    argument: '[file]',
    description: 'Write this session as Markdown to a new file, without secrets',
    async run(agent, argument) {
      const { record, sessions, workspace } = await agent();
      const file = await sessions.export(record, workspace, argument === '' ? `${record.name}.md` : argument);
      return `Exported this session to ${escapeLine(file)}`;
    },
  }),
];

function loadCommand(name: string, description: string): ChatCommand {
  return chatCommand({
    name,
    argument: '[name|number]',
    description,
    async complete({ sessions }, { length }) {
      return length === 0 ? (await sessions.heads()).map(({ name }) => name) : [];
    },
    async run(agent, argument, { signal }) {
      const current = await agent();
      if (argument === '') return sessionsToLoad(current);
      const mode = current.permissionMode;
      await load(current, findListed(await current.sessions.heads(), argument), signal);
      return describeRestored(current, mode);
    },
  });
}

async function sessionsToLoad({ sessions, workspace, record }: Agent): Promise<CommandResult> {
  const others = (await sessions.list()).filter(({ name }) => name !== record.name);
  if (others.length === 0) throw new UsageError('There is no other stored session.');
  const answers = sessionChoices(others, { now: sessions.now(), workspace });
  const text = `There ${others.length === 1 ? 'is' : 'are'} ${countOf(others.length, 'other stored session')}; /load NAME continues one.`;
  return { type: 'text', text, choices: { prompt: 'session> ', answers } };
}

/** Continues the stored session of this name, or the start of one. Throws `UsageError` if it cannot be opened. */
export async function loadSession(agent: Agent, wanted: string, signal: AbortSignal): Promise<void> {
  await load(agent, findSession(await agent.sessions.heads(), wanted), signal);
}

/** `name` is part of a path, so it must be one of the list. */
async function load(agent: Agent, name: string, signal: AbortSignal): Promise<void> {
  if (name === agent.record.name) throw new UsageError(`${name} is the session that is open.`);
  await agent.load(name, signal);
}

function describeSession({ name, id, promptCount, file }: SessionRecord): string {
  const place = file === undefined ? 'not stored; /save stores a copy' : escapeLine(file);
  return `${name} (${id})\n${countOf(promptCount, 'prompt')}\n${place}`;
}

/** Message for the user when a stored session is continued, with the permission mode if it is not the one `before`. */
export function describeRestored(session: ResumedSession, before = session.permissionMode): string {
  const { name, restored } = session.record;
  if (restored === undefined) return `New session ${name}`;
  const mode = session.permissionMode === before ? '' : `, mode ${session.permissionMode}`;
  const start = `Loaded ${name}: restored ${countOf(restored.promptCount, 'prompt')}${mode}.`;
  return [start, ...recap(restored.state.messages), ...restoredNotes(session)].join('\n');
}

/** The number of lines of the last prompt and of the last answer in a recap, and the length of such a line. */
const PROMPT_LINES = 2;
const ANSWER_LINES = 5;
const MAX_LENGTH = 200;

/** The last prompt of a conversation and the end of its answer. Indented more than the lines of ybs about a run. */
function recap(messages: readonly Message[]): readonly string[] {
  const last = messages.findLastIndex(isPromptMessage);
  const answer = messages
    .slice(last + 1)
    .findLast(({ role, content }) => role === 'assistant' && content.trim() !== '');
  const asked = linesOf(typedMessage(messages[last]?.content ?? ''));
  const answered = linesOf(answer?.content ?? '');
  return [
    ...asked.slice(0, PROMPT_LINES).map((line, index) => `    ${index === 0 ? '> ' : '  '}${line}`),
    ...(asked.length > PROMPT_LINES ? ['      …'] : []),
    ...(answered.length > ANSWER_LINES ? ['    …'] : []),
    ...answered.slice(-ANSWER_LINES).map((line) => `    ${line}`),
  ];
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [truncateText(line.trimEnd(), MAX_LENGTH)]));
}
