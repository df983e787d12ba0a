import { UsageError } from '../../agent/errors.ts';
import type { JsonObject } from '../../agent/ports/json.ts';
import { TOOL_DIALECTS, type ToolDialect } from '../../agent/ports/tool.ts';
import type { SessionOptions } from '../../app/settings.ts';
import { HOST_MODES, permissionModeOf } from '../../hosts/stream-json/modes.ts';
import { isJsonObject, jsonOr } from '../../text/json/json.ts';
import { choiceProblem } from '../../text/suggest.ts';
import { HOST_FORMATS, readHostFlags } from './host-options.ts';

/** The command line of a host. */
export interface HostArguments {
  readonly format: (typeof HOST_FORMATS)[number];
  readonly options: SessionOptions;
  /** True if the host sends messages on standard input, and the process serves all of them. */
  readonly persistent: boolean;
  /** The prompt of the command line; with `persistent` there may be none. Otherwise standard input has it. */
  readonly prompt?: string | undefined;
  /** File with the conversation that a new session continues. */
  readonly historyFile?: string | undefined;
  /** The name of the host for the mode `ask`, if it is not the usual one. */
  readonly asks?: string | undefined;
  /** True to write the pieces of answers as they arrive. */
  readonly partial: boolean;
  /** True if the host answers questions for approval. */
  readonly asksHost: boolean;
  /** True if the host has turned off all questions: without a sandbox on this machine, commands run without one. */
  readonly skipsPermissions: boolean;
  /** The unknown flags, which have no effect. */
  readonly unknown: readonly string[];
  /** The reason why the command line cannot be used. */
  readonly problem?: UsageError | undefined;
}

/**
 * The command line `args` that `read` reads. One that cannot be used has the reason and the session that it names, so
 * that the host reads the reason in its format.
 */
export function checkHostArguments(
  format: HostArguments['format'],
  args: readonly string[],
  read: () => HostArguments,
): HostArguments {
  try {
    return read();
  } catch (problem) {
    if (!(problem instanceof UsageError)) throw problem;
    const nothing = { persistent: false, partial: false, asksHost: false, skipsPermissions: false, unknown: [] };
    const sessionId = readHostFlags(args).values.get('session-id');
    return { ...nothing, format, options: { dryRun: false, sessionId }, problem };
  }
}

/** The format that the flags of a host name. */
export function hostFormatOf(args: readonly string[]): HostArguments['format'] {
  return HOST_FORMATS.find((name) => name === readHostFlags(args).values.get('output-format')) ?? 'stream-json';
}

/** True for a command line of a host, which is read by other rules: it names a format for hosts. */
export function isHostCommandLine(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  const before = end < 0 ? args : args.slice(0, end);
  return before.some((word, index) => {
    const value = /^--(?:output|input)-format=?(.*)$/.exec(word)?.[1];
    const given = value === '' ? before[index + 1] : value;
    return given !== undefined && HOST_FORMATS.some((format) => format === given);
  });
}

/**
 * Reads the command line of a host. Throws `UsageError` for values that cannot be used. With `promptFlag`, only `--prompt`
 * gives a prompt: another word may be the value of an unknown flag.
 */
export function readHostArguments(args: readonly string[], promptFlag = false): HostArguments {
  const { values, lists, words, unknown } = readHostFlags(args);
  const format = hostFormatOf(args);
  const persistent = values.get('input-format') === 'stream-json';
  const flag = (name: string): true | undefined => values.has(name) || undefined;
  const text = (name: string): string | undefined => (values.get(name) === '' ? undefined : values.get(name));
  const list = (name: string): readonly string[] | undefined => {
    const words = lists.get(name);
    return words === undefined || words.length === 0 ? undefined : words;
  };
  if (values.get('resume') === '') throw new UsageError('--resume needs the id of a session: --resume <id>');
  if (values.has('resume') && values.has('continue')) {
    throw new UsageError('--continue and --resume each choose a session. Use one of them.');
  }
  const skips = values.has('dangerously-skip-permissions');
  const named = text('permission-mode');
  const mode = skips ? 'full-access' : named === undefined ? undefined : permissionModeOf(named);
  if (named !== undefined && permissionModeOf(named) === undefined) {
    throw new UsageError(choiceProblem('--permission-mode', named, [...HOST_MODES.keys()]));
  }
  const tools = list('tools');
  const prompt = [text('prompt') ?? [], promptFlag ? [] : words].flat().join(' ');
  return {
    format,
    persistent,
    prompt: prompt.trim() === '' ? undefined : prompt,
    historyFile: text('history-file'),
    partial: values.has('include-partial-messages'),
    asksHost: persistent && values.get('permission-prompt-tool') === 'stdio',
    ...(named === 'interactive' && { asks: named }),
    // The mode full-access of ybs keeps the sandbox.
    skipsPermissions: mode === 'full-access' && (skips || named !== mode),
    unknown: promptFlag ? [...unknown, ...words] : unknown,
    options: {
      model: text('model'),
      provider: text('provider'),
      endpoint: text('endpoint'),
      config: text('config'),
      cwd: text('cwd'),
      resume: text('resume'),
      continue: flag('continue'),
      permissionMode: mode,
      noSandbox: flag('no-sandbox'),
      fallbackModel: text('fallback-model'),
      maxBudgetUsd: dollarsOf(text('max-budget-usd')),
      answerSchema: schemaOf(text('json-schema')),
      sessionId: text('session-id'),
      systemPrompt: text('system-prompt'),
      appendSystemPrompt: text('append-system-prompt'),
      fork: flag('fork-session'),
      persist: values.has('no-session-persistence') ? false : undefined,
      maxTurns: countOf('max-turns', text('max-turns')),
      // `--tools=default` means the tools of the agent.
      tools: tools?.includes('default') === true ? undefined : tools,
      allowedTools: list('allowed-tools'),
      disallowedTools: list('disallowed-tools'),
      addDirectories: list('add-dir'),
      toolsDialect: toolDialectOf(text('tools-dialect')),
      dryRun: values.has('dry-run'),
    },
  };
}

/** True for a command line of `ybs start` with options. `ybs start the server` is a prompt. */
export function isStartCommandLine([first, second]: readonly string[]): boolean {
  return first === 'start' && (second === undefined || second.startsWith('-'));
}

/**
 * Reads the command line of `ybs start`, with which Yume drives one session for many messages. Its specification calls
 * the flat format stream-json, so this command writes the flat one whatever `--output-format` is.
 */
export function readStartArguments(args: readonly string[]): HostArguments {
  const read = readHostArguments(args.slice(1), true);
  const options = { ...read.options, reuse: true };
  return { ...read, options, format: 'yume-json', persistent: true, asksHost: true };
}

function countOf(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value);
  throw new UsageError(`--${name} needs a number from 1: --${name} 10`);
}

/** Hosts know the names of the tools of Claude Code. */
function toolDialectOf(value = 'claude'): ToolDialect {
  const found = TOOL_DIALECTS.find((dialect) => dialect === value);
  if (found !== undefined) return found;
  throw new UsageError(choiceProblem('--tools-dialect', value, TOOL_DIALECTS));
}

function dollarsOf(value: string | undefined): number | undefined {
  const amount = value === undefined ? undefined : Number(value);
  if (value === undefined || (/^\d{1,9}(?:\.\d+)?$/.test(value) && Number(value) > 0)) return amount;
  throw new UsageError('--max-budget-usd needs an amount above 0: --max-budget-usd 0.5');
}

function schemaOf(value: string | undefined): JsonObject | undefined {
  if (value === undefined) return undefined;
  const schema = jsonOr(undefined, value);
  if (isJsonObject(schema)) return schema;
  throw new UsageError('--json-schema needs a JSON Schema: --json-schema \'{"type":"object"}\'');
}
