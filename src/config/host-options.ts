import type { PermissionLevel } from '../agent/ports/approver.ts';
import type { JsonObject } from '../agent/ports/json.ts';
import type { Config } from './schema.ts';

/** Options with which another program starts a session; each is absent unless given. */
export interface HostOptions {
  /** Store nothing, as with `session.auto_save: false`. */
  readonly persist?: boolean | undefined;
  /** Maximum number of requests to the model in one run. */
  readonly maxTurns?: number | undefined;
  /** The cost in US dollars at which a run ends; the model needs a price. */
  readonly maxBudgetUsd?: number | undefined;
  /** The model of the same provider that answers when the model is overloaded or not available. */
  readonly fallbackModel?: string | undefined;
  /** JSON Schema of the answer of each run, which the model then gives with a tool. */
  readonly answerSchema?: JsonObject | undefined;
  /** The tools of ybs that the model gets, by our names or those of other agents. */
  readonly tools?: readonly string[] | undefined;
  /** Rules in the form of Claude Code of calls that run without a question: `Read`, `Bash(npm test:*)`. */
  readonly allowedTools?: readonly string[] | undefined;
  /** Rules in that form of calls that never run. A tool that is named alone is not offered. */
  readonly disallowedTools?: readonly string[] | undefined;
  /** More directories that the tools may use, relative to the current directory. */
  readonly addDirectories?: readonly string[] | undefined;
  /** Replaces the system prompt of ybs. */
  readonly systemPrompt?: string | undefined;
  /** A text at the end of the system prompt. */
  readonly appendSystemPrompt?: string | undefined;
}

export interface ToolNames {
  /** Our tools. */
  readonly own: readonly string[];
  /** The name of our tool for that of another agent; other names in lower case. */
  readonly canonical: (name: string) => string;
}

/** A configuration with the options of a host, and warnings about those that have no effect. */
export interface HostConfig {
  readonly config: Config;
  readonly warnings: readonly string[];
}

/**
 * Adds the options to the configuration of the user. They make a session stricter or ask less, like rules of the user;
 * none passes a denial. `resolvePath` resolves a path against the current directory. Pure.
 */
export function withHostOptions(
  config: Config,
  options: HostOptions,
  names: ToolNames,
  resolvePath: (path: string) => string,
): HostConfig {
  const { tools, allowedTools = [], disallowedTools = [], addDirectories = [], appendSystemPrompt } = options;
  const warnings: string[] = [];
  const { safety, prompt } = config;
  const levels: Record<string, PermissionLevel> = { ...safety.permissions };
  const allowed: string[] = [];
  const blocked: string[] = [];
  const wanted = tools?.map((name) => nameOf(name, names));
  const hidden = wanted === undefined ? [] : names.own.filter((name) => !wanted.includes(name));
  const unknown = (tools ?? []).filter((_name, index) => !names.own.includes(wanted?.[index] ?? ''));
  if (unknown.length > 0) warnings.push(`--tools names tools that ybs does not have: ${unknown.join(', ')}.`);
  for (const text of allowedTools) {
    const rule = readRule(text, names);
    const command = rule.toolName === 'run_shell' ? allowedCommand(rule.subject) : undefined;
    if (rule.subject === undefined) levels[rule.toolName] ??= 'automatic';
    else if (command !== undefined) allowed.push(command);
    else warnings.push(`The rule ${text} of --allowedTools has no effect: ybs knows Tool and Bash(command:*) here.`);
  }
  for (const text of disallowedTools) {
    const rule = readRule(text, names);
    const command = rule.toolName === 'run_shell' ? allowedCommand(rule.subject) : undefined;
    if (rule.subject === undefined) hidden.push(rule.toolName);
    else if (command !== undefined) blocked.push(command.replace(/ \*$/, ''));
    else warnings.push(`The rule ${text} of --disallowedTools is not known, so its whole tool is turned off.`);
    // A denial that ybs cannot express exactly must not become a permission.
    if (command === undefined) levels[rule.toolName] = 'denied';
  }
  return {
    warnings,
    config: {
      ...config,
      prompt: {
        ...prompt,
        ...(appendSystemPrompt !== undefined && {
          append: prompt.append === undefined ? appendSystemPrompt : `${prompt.append}\n\n${appendSystemPrompt}`,
        }),
      },
      safety: {
        ...safety,
        permissions: levels,
        allowed_commands: [...safety.allowed_commands, ...allowed],
        blocked_commands: [...safety.blocked_commands, ...blocked],
        sandbox_allowed_paths: [...safety.sandbox_allowed_paths, ...addDirectories.map(resolvePath)],
      },
      tools: {
        ...config.tools,
        builtin: Object.fromEntries(
          Object.entries(config.tools.builtin).map(([name, settings]) => [
            name,
            hidden.includes(name) ? { ...settings, enabled: false } : settings,
          ]),
        ),
      },
    },
  };
}

function readRule(text: string, names: ToolNames): { readonly toolName: string; readonly subject?: string } {
  const [, name = text, subject] = /^([^()]+)\((.*)\)$/s.exec(text.trim()) ?? [];
  const toolName = nameOf(name.trim(), names);
  return subject === undefined || subject.trim() === '' || subject.trim() === '*'
    ? { toolName }
    : { toolName, subject };
}

/** Names of tools that are not ours keep their case. */
function nameOf(name: string, { own, canonical }: ToolNames): string {
  const known = canonical(name);
  return own.includes(known) ? known : name;
}

/** The rule of `safety.allowed_commands` for the inside of `Bash(…)`; `undefined` for a pattern that has none. */
function allowedCommand(subject: string | undefined): string | undefined {
  if (subject === undefined) return undefined;
  const [, words = subject, more] = /^(.*?)(:\*| \*)?$/s.exec(subject.trim()) ?? [];
  if (words.trim() === '' || /[*?[\n]/.test(words)) return undefined;
  return more === undefined ? words.trim() : `${words.trim()} *`;
}
