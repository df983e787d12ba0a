import { DRIFT_MODES } from '../../../mock-llm-server/scenario/lock/prompt-lock.ts';
import { PERMISSION_MODES } from '../../agent/ports/approver.ts';
import { TOOL_DIALECTS } from '../../agent/ports/tool.ts';
import type { SessionOptions } from '../../app/settings.ts';
import { REPORTERS } from '../../stories/report/write-report.ts';
import type { StoriesOptions } from '../../stories/run-stories.ts';
import { HOST_FORMATS } from '../host/host-options.ts';

/** One piece of the command line, as `parseArgs` of node:util reports it with `tokens: true` and `strict: false`. */
export type ArgumentToken =
  | {
      readonly kind: 'option';
      readonly name: string;
      readonly rawName: string;
      readonly value: string | undefined;
      readonly inlineValue: boolean | undefined;
    }
  | { readonly kind: 'positional'; readonly value: string }
  | { readonly kind: 'option-terminator' };

/** One option of the command line; the help text, the parser and docs/cli.md are generated from these rows. */
export interface OptionRow {
  readonly name: string;
  readonly short?: string;
  /** Placeholder of the value; an option without one is a switch. */
  readonly value?: string;
  /** The option may stand without its value. */
  readonly optional?: true;
  readonly choices?: readonly string[];
  /** First words of the subcommands that alone take the option; absent for options of ybs itself. */
  readonly subcommands?: readonly string[];
  readonly description: string;
}

/** Values of `--output-format` that are not for hosts. */
const OUTPUT_FORMATS = ['text', 'json'] as const;

/** Options of the command line; each is absent unless given. */
export interface CommandLineOptions extends SessionOptions {
  readonly outputFormat: (typeof OUTPUT_FORMATS)[number];
  /** Print only the final answer. */
  readonly quiet?: boolean;
  /** Write every line once, and redraw none. */
  readonly screenReader?: boolean;
}

export type TestOptions = CommandLineOptions & StoriesOptions;

/** Every option, in the order in which the help lists them. */
export const OPTIONS: readonly OptionRow[] = [
  { name: 'config', short: 'c', value: 'file', description: 'Read this configuration file after all others' },
  { name: 'model', short: 'm', value: 'name', description: 'Use this model' },
  { name: 'provider', short: 'p', value: 'name', description: 'Use this provider; mock needs no key and no network' },
  { name: 'endpoint', value: 'url', description: "Use this base URL instead of the provider's default" },
  {
    name: 'permission-mode',
    value: 'mode',
    choices: PERMISSION_MODES,
    description: 'What the agent may do without asking',
  },
  { name: 'no-sandbox', description: 'Run commands without the sandbox of the operating system' },
  { name: 'dry-run', description: 'Plan every tool call and run only those that read' },
  {
    name: 'tools-dialect',
    value: 'name',
    choices: TOOL_DIALECTS,
    description: 'Names and parameters of the tools for the model; with claude, Read, Edit, Bash and so on',
  },
  { name: 'cwd', value: 'directory', description: 'Work in this directory instead of the current one' },
  { name: 'continue', description: 'Continue the last session of this directory' },
  {
    name: 'resume',
    short: 'r',
    value: 'id',
    optional: true,
    description: 'Continue the session of this id or name, or choose one from a list',
  },
  {
    name: 'output-format',
    value: 'format',
    choices: [...OUTPUT_FORMATS, ...HOST_FORMATS],
    description:
      'Output of a single run; json prints one event per line, the last two are for programs (docs/headless.md)',
  },
  { name: 'quiet', description: 'Print only the final answer of a single run, for pipelines' },
  {
    name: 'screen-reader',
    description: 'Write every line once and redraw none, for screen readers and braille displays',
  },
  {
    name: 'agent',
    value: 'command',
    subcommands: ['test'],
    description: 'Play with this agent instead of ybs: "my-agent {prompt}", or claude, codex, …',
  },
  {
    name: 'reporter',
    value: 'format',
    subcommands: ['test', 'eval'],
    choices: REPORTERS,
    description: 'Format of the report',
  },
  { name: 'update', subcommands: ['test'], description: 'Rewrite the expected files of stories' },
  {
    name: 'drift',
    value: 'mode',
    subcommands: ['test'],
    choices: DRIFT_MODES,
    description: 'How to treat prompts that differ from prompt.lock.json',
  },
  { name: 'rebase', subcommands: ['test'], description: 'Accept the prompts: rewrite prompt.lock.json' },
  { name: 'watch', subcommands: ['test'], description: 'Play again after each change of a file' },
  {
    name: 'shard',
    value: 'i/n',
    subcommands: ['test', 'eval'],
    description: 'Play only part i of n parts of the stories, split by their durations',
  },
  {
    name: 'timings',
    value: 'file',
    subcommands: ['test', 'eval'],
    description: 'Durations of stories for --shard: an earlier report in JSON',
  },
  {
    name: 'merge',
    subcommands: ['test', 'eval'],
    description: 'Merge reports of shards in JSON, given instead of stories',
  },
  {
    name: 'variant',
    value: 'name=file',
    subcommands: ['eval'],
    description: 'A configuration file to evaluate; the others are compared with the first variant',
  },
  { name: 'runs', value: 'n', subcommands: ['eval'], description: 'Runs of each variant on each story' },
  { name: 'jobs', value: 'n', subcommands: ['eval'], description: 'Runs at the same time; 4 by default' },
  {
    name: 'max-cost',
    value: 'dollars',
    subcommands: ['eval'],
    description: 'Stop when the requests have cost this much; answers from the cache cost nothing',
  },
  {
    name: 'max-tokens',
    value: 'n',
    subcommands: ['eval'],
    description: 'Stop at this number of tokens for all requests',
  },
  {
    name: 'html',
    value: 'file',
    subcommands: ['test', 'eval'],
    description: 'Write the report as a page with charts, too; that of ybs eval has transcripts',
  },
  { name: 'read', value: 'path', subcommands: ['check'], description: 'Check the reading of this file' },
  { name: 'write', value: 'path', subcommands: ['check'], description: 'Check the writing of this file' },
  {
    name: 'batch',
    subcommands: ['check'],
    description: 'Check each line of standard input: {"command": …}, {"read": …} or {"write": …}',
  },
  {
    name: 'assume',
    value: 'facts',
    subcommands: ['check'],
    description: 'Decide as if these were true: trusted, sandboxed, or both with a comma',
  },
  {
    name: 'sandbox',
    subcommands: ['doctor'],
    description: 'Try to break each limit of the sandbox on this machine (docs/security.md)',
  },
  { name: 'list', subcommands: ['trust'], description: 'List the trusted projects' },
  { name: 'yes', subcommands: ['mcp'], description: 'Write without a question' },
  {
    name: 'scope',
    value: 'scopes',
    subcommands: ['mcp'],
    description: 'Rights to ask for, besides those of the login',
  },
  { name: 'revoke', subcommands: ['trust'], description: 'End the trust in the project' },
  {
    name: 'out',
    value: 'directory',
    subcommands: ['record', 'story'],
    description: 'Write the story into this directory',
  },
  {
    name: 'from-drift',
    subcommands: ['record'],
    description: 'Re-record the story <name> from the first step whose prompt differs from prompt.lock.json',
  },
  {
    name: 'step',
    value: 'number',
    subcommands: ['record'],
    description: 'Ask the model for this answer of the story <name>, from 0, and change nothing',
  },
  { name: 'force', subcommands: ['record', 'story'], description: 'Replace a story that exists' },
  {
    name: 'port',
    value: 'number',
    subcommands: ['web', 'app'],
    description: 'Serve the page on this port (8765 by default, 0 for ybs app); 0 picks a free one',
  },
  {
    name: 'token',
    value: 'none',
    subcommands: ['web', 'app'],
    description: 'With none, every program on this machine can use the page',
  },
  {
    name: 'json',
    subcommands: ['auth', 'doctor', 'check', 'trust', 'undo', 'audit'],
    description: 'Print the report as one line of JSON',
  },
  { name: 'version', description: 'Print the version' },
  { name: 'help', short: 'h', description: 'Print this help' },
];

/** Form of an option in the help: `-m, --model <name>`. */
export function optionForm(option: OptionRow): string {
  const short = option.short === undefined ? '' : `-${option.short}, `;
  const form = option.optional ? `[${option.value}]` : `<${option.value}>`;
  const value = option.value === undefined ? '' : ` ${form}`;
  return `${short}--${option.name}${value}`;
}

/** Description of an option, with the values it takes. */
export function optionDescription(option: OptionRow): string {
  return option.choices === undefined ? option.description : `${option.description}: ${option.choices.join(', ')}`;
}
