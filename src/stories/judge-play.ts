import { Minimatch } from 'minimatch';
import { CHECK_SECONDS } from '../../mock-llm-server/scenario/format/values.ts';
import type { Story } from '../../mock-llm-server/scenario/format.ts';
import type { ShellExit } from '../agent/ports/shell.ts';
import { escapeForTerminal, escapeLine } from '../text/escape.ts';
import { takeEnd } from '../text/truncate.ts';
import { changedFiles, compareTrees, type FileTree } from './compare-trees.ts';
import type { PlayMeasure } from './play/measure-play.ts';

/** The files of a story: of its workspace, of its expected directory if it has one, and those that the agent left. */
export interface StoryTrees {
  readonly before: FileTree;
  readonly expected: FileTree | undefined;
  readonly after: FileTree;
}

/**
 * The problems with the files that an agent left. They must be the expected ones; without expected files the workspace
 * must stay unchanged, unless the story has commands that check it.
 */
export function judgeFiles(story: Story, { before, expected, after }: StoryTrees): readonly string[] {
  if (expected !== undefined) return compareTrees(expected, after);
  return story.check === undefined ? compareTrees(before, after) : [];
}

/** The limits that an agent exceeded, and the forbidden things that it did. */
export function judgeWork(
  { limits = {}, forbid = {} }: Story,
  measure: Partial<PlayMeasure>,
  { before, after }: StoryTrees,
): readonly string[] {
  const { turns = 0, inputTokens = 0, outputTokens = 0, commands = [] } = measure;
  const tokens = inputTokens + outputTokens;
  const changed = changedFiles(before, after);
  return [
    ...exceeded('turns', turns, limits.turns),
    ...exceeded('tokens', tokens, limits.tokens),
    ...(forbid.files ?? []).flatMap((pattern) => {
      const matcher = new Minimatch(pattern, { dot: true });
      return changed
        .filter(({ name }) => matcher.match(name))
        .map(({ name, before: old, after: current }) => {
          const change = old === undefined ? 'created' : current === undefined ? 'removed' : 'changed';
          return `${escapeLine(name)} was ${change}, but story.forbid.files has ${escapeLine(pattern)}`;
        });
    }),
    ...(forbid.commands ?? []).flatMap((wanted) =>
      commands
        .filter((command) => containsMatch(command, wanted))
        .map(
          (command) =>
            `the agent ran ${escapeLine(command)}, but story.forbid.commands has ${escapeLine(textOf(wanted))}`,
        ),
    ),
  ];
}

function exceeded(name: 'turns' | 'tokens', count: number, limit: number | undefined): readonly string[] {
  if (limit === undefined || count <= limit) return [];
  return [`the agent needed ${count} ${name}, more than the ${limit} of story.limits.${name}`];
}

type Forbidden = NonNullable<NonNullable<Story['forbid']>['commands']>[number];

function containsMatch(command: string, wanted: Forbidden): boolean {
  if (typeof wanted === 'string') return command.toLowerCase().includes(wanted.toLowerCase());
  return new RegExp(wanted.regex, wanted.flags ?? 'i').test(command);
}

function textOf(wanted: Forbidden): string {
  return typeof wanted === 'string' ? wanted : `/${wanted.regex}/${wanted.flags ?? 'i'}`;
}

/** A command that must succeed after a story. */
export interface StoryCheck {
  readonly command: string;
  readonly timeoutMs: number;
  /** The command must run in the sandbox, as those of the agent. */
  readonly sandboxed: boolean;
  /** The project of the story counts as trusted. */
  readonly trusted: boolean;
}

/** The commands that must succeed after a story, in the sandbox if the story requires it. */
export function checksOf({
  check = [],
  sandbox,
  trust = true,
}: Pick<Story, 'check' | 'sandbox' | 'trust'>): readonly StoryCheck[] {
  return check.map((entry) => {
    const { command, timeout_seconds: seconds = CHECK_SECONDS } =
      typeof entry === 'string' ? { command: entry } : entry;
    return { command, timeoutMs: seconds * 1000, sandboxed: sandbox === 'required', trusted: trust };
  });
}

export interface EndedCheck {
  readonly exit: ShellExit;
  readonly output: string;
}

/** Number of characters of the output that a report shows. */
const SHOWN_OUTPUT = 2_000;

/** The problem with a command that did not succeed, with the end of its output. */
export function judgeCheck(
  { command, timeoutMs }: Pick<StoryCheck, 'command' | 'timeoutMs'>,
  { exit, output }: EndedCheck,
): readonly string[] {
  const end = endOf(exit, timeoutMs);
  if (end === undefined) return [];
  const text = takeEnd(output.trimEnd(), SHOWN_OUTPUT);
  return [
    `check: ${escapeLine(command)} ${end}${text === '' ? '' : `; the end of its output:\n${escapeForTerminal(text)}`}`,
  ];
}

/** Failure of a command; undefined if it succeeded. */
function endOf({ cause, exitCode, signal, reason }: ShellExit, timeoutMs: number): string | undefined {
  switch (cause) {
    case 'exited':
      return exitCode === 0 ? undefined : `failed with exit code ${exitCode}`;
    case 'signalled':
      return `was ended by ${signal}`;
    case 'timed_out':
      return `did not end within ${timeoutMs / 1000} seconds`;
    case 'aborted':
      return 'was stopped';
    case 'failed_to_start':
      return `could not be started: ${reason}`;
    default:
      return cause satisfies never;
  }
}
