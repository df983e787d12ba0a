import {
  PERMISSION_LEVELS,
  PERMISSION_MODES,
  type PermissionLevel,
  type PermissionMode,
} from '../../agent/ports/approver.ts';
import type { ToolDefinition } from '../../agent/ports/tool.ts';
import { type CallKind, type CallLevel, kindsOf, levelOf } from '../../policy/call-levels.ts';
import { describeSandbox } from '../../policy/sandbox/describe-sandbox.ts';
import { compareCodePoints } from '../../text/compare-code-points.ts';
import { escapeLine } from '../../text/escape.ts';
import { countOf } from '../../text/quantities.ts';
import { choiceProblem, didYouMean } from '../../text/suggest.ts';
import type { Agent } from '../session.ts';
import { type ChatCommand, type CommandResult, refused, shown } from './chat-command.ts';
import { configuredGrants, type GrantSource, grantsOf, revokeGrants } from './grants.ts';

/** `/mode`, `/permissions` and `/approvals`. */
export const PERMISSION_COMMANDS: readonly ChatCommand[] = [
  {
    name: 'mode',
    argument: '[name]',
    description: 'Show or change the permission mode of this session, such as plan',
    complete: (_agent, { length }) => (length === 0 ? PERMISSION_MODES : []),
    async run(agent, argument) {
      return setMode(await agent(), argument);
    },
  },
  {
    name: 'permissions',
    argument: '[tool level]',
    description: 'Show the level of each tool and your approvals, set a level, or revoke approvals',
    complete: ({ tools }, { length }) => [[...tools.map(({ name }) => name), 'clear'], PERMISSION_LEVELS][length] ?? [],
    async run(agent, argument) {
      const current = await agent();
      if (/^clear(?:\s|$)/i.test(argument)) return clearGrants(current, argument, '/permissions');
      if (argument !== '') return setLevel(current, argument);
      const hasGrants = grantsOf(current).length + configuredGrants(current).length > 0;
      const allowed = hasGrants ? `\n\nWithout a question run:\n${listGrants(current, '/permissions')}` : '';
      return shown(`${describePermissions(current)}${allowed}`);
    },
  },
  {
    name: 'approvals',
    argument: '[clear [number]]',
    description: 'List what you have allowed at questions, or clear all of it or one entry',
    complete: (_agent, { length }) => (length === 0 ? ['clear'] : []),
    async run(agent, argument) {
      const current = await agent();
      if (argument === '') return shown(listGrants(current, '/approvals'));
      return clearGrants(current, argument, '/approvals');
    },
  },
];

/** Changes the permission mode, or shows it. */
function setMode(agent: Pick<Agent, 'permissionMode' | 'setPermissionMode'>, argument: string): CommandResult {
  if (argument === '') {
    const others = PERMISSION_MODES.filter((name) => name !== agent.permissionMode).join(', ');
    return shown(`The permission mode is ${agent.permissionMode}. Others: ${others}.`);
  }
  const mode = PERMISSION_MODES.find((name) => name === argument.toLowerCase());
  if (mode === undefined) return refused(choiceProblem('/mode', argument, PERMISSION_MODES));
  const now = agent.setPermissionMode(mode);
  if (now !== mode) return refused(`The policy of this machine allows at most the mode ${now}.`);
  return shown(`The permission mode is ${mode}: ${MODES[mode]}.`);
}

/** The modes through which a key goes. The others are only entered, and `read-only` only left, by their names. */
const MODE_CYCLE: readonly PermissionMode[] = ['ask', 'accept-edits', 'plan'];

/**
 * Goes to the next of the modes that a key may choose, unless the policy of the machine is stricter. Returns the text for
 * the user.
 */
export function goToNextMode(agent: Pick<Agent, 'permissionMode' | 'setPermissionMode'>): string {
  const { permissionMode: before } = agent;
  if (before === 'read-only') return 'The permission mode is read-only. Type /mode ask to leave it.';
  const at = MODE_CYCLE.indexOf(before);
  const others = [...MODE_CYCLE.slice(at + 1), ...MODE_CYCLE.slice(0, Math.max(0, at))];
  const mode = others.find((each) => agent.setPermissionMode(each) === each);
  if (mode !== undefined) return `The permission mode is ${mode}: ${MODES[mode]}.`;
  agent.setPermissionMode(before);
  return `The policy of this machine allows no less strict mode than ${before}.`;
}

const MODES: Readonly<Record<PermissionMode, string>> = {
  ask: 'changes and commands ask',
  'accept-edits': 'edits run without a question, commands ask',
  plan: 'the model only reads until you approve its plan',
  'read-only': 'the model only reads',
  'full-access': 'changes and commands run without a question',
};

async function setLevel(
  agent: Pick<Agent, 'tools' | 'configuration' | 'permissions'>,
  argument: string,
): Promise<CommandResult> {
  const [toolName = '', wanted = '', ...more] = argument.split(/\s+/);
  const tool = agent.tools.find(({ name }) => name === toolName);
  const level = PERMISSION_LEVELS.find((name) => name === wanted.toLowerCase());
  if (tool === undefined) {
    const names = agent.tools.map(({ name }) => name);
    const hint = didYouMean(toolName, names);
    return refused(`There is no tool ${toolName}.${hint} /permissions lists them.`);
  }
  if (level === undefined && wanted !== '') return refused(choiceProblem('The level', wanted, PERMISSION_LEVELS));
  if (level === undefined || more.length > 0)
    return refused(`Choose one of ${PERMISSION_LEVELS.join(', ')}: /permissions ${toolName} ask_always`);
  await agent.permissions.setLevel(toolName, level);
  const [, effective = level] = permissionRows(agent, tool)[0] ?? [];
  const but = effective === level ? '' : ` The permission mode still makes it ${effective}.`;
  return shown(`${toolName} is ${level} for this session: it ${MEANINGS[level]}.${but}`);
}

/** The grants of the user, and the command that revokes them. */
function listGrants(agent: GrantSource, command: string): string {
  const grants = grantsOf(agent);
  const rows = grants.map(({ text, until }, index) => `${index + 1}  ${escapeLine(text)} (${escapeLine(until)})`);
  const own = configuredGrants(agent).map((row) => `-  ${escapeLine(row)}`);
  if (rows.length + own.length === 0) return 'You have allowed nothing for this session.';
  const advice = `Take back all with ${command} clear, or one with ${command} clear 1.`;
  return [...rows, ...own, ...(rows.length === 0 ? [] : [advice])].join('\n');
}

/** Takes back all that the user has allowed, or one entry of the list. */
async function clearGrants(agent: GrantSource, argument: string, command: string): Promise<CommandResult> {
  const [verb = '', number, ...more] = argument.split(/\s+/);
  if (verb.toLowerCase() !== 'clear' || more.length > 0)
    return refused(`Type ${command}, ${command} clear or ${command} clear 1.`);
  if (number !== undefined && !/^[1-9]\d*$/.test(number)) return refused(`Give the number of an entry in ${command}.`);
  const grants = grantsOf(agent);
  const chosen = number === undefined ? grants : grants.slice(Number(number) - 1, Number(number));
  if (chosen.length === 0)
    return refused(
      number === undefined ? 'There is nothing to clear.' : `There is no entry ${number}. See ${command}.`,
    );
  const described = chosen.map(({ text }) => escapeLine(text)).join('; ');
  const failure = await revokeGrants(agent, chosen, described);
  return shown(`Cleared${failure}: ${number === undefined ? countOf(chosen.length, 'approval') : described}`);
}

/** Meaning of each level for a call. */
const MEANINGS: Readonly<Record<PermissionLevel, string>> = {
  automatic: 'runs without a question',
  ask_once: 'asks, and the answer can hold for the rest of the session',
  ask_always: 'asks about each call',
  denied: 'never runs',
};

/** Notes about the kinds of calls with their own level. */
const KIND_NOTES: Readonly<Partial<Record<CallKind, string>>> = {
  replace: ', for a file that was not read or has changed since',
};

type Described = Pick<Agent, 'tools' | 'configuration' | 'permissions' | 'sandbox'>;

/** The rows of a tool: its name, the level and the setting that the level is from. The first is that of most calls. */
export function permissionRows(
  { configuration, permissions }: Omit<Described, 'sandbox'>,
  { name, effect }: ToolDefinition,
): readonly (readonly [string, PermissionLevel, string])[] {
  const { config, origins } = configuration;
  const { permission_mode: configured, permissions: levels, require_confirmation: confirmedTools } = config.safety;
  const settings = permissions.applyTo({ mode: configured, levels, confirmedTools });
  const { mode } = settings;
  const originOf = (key: string): string => ` (${escapeLine(origins.get(key) ?? 'default')})`;
  const describeSource = ({ source }: CallLevel): string => {
    if (source === 'safety.permission_mode') {
      return `permission mode ${mode}${mode === configured ? originOf(source) : ', for this session'}`;
    }
    if (source === 'safety.permissions' && Object.hasOwn(permissions.levels, name))
      return '/permissions, for this session';
    const key = source === 'safety.permissions' ? `${source}.${name}` : source;
    return `${key}${originOf(key)}`;
  };
  const calls = kindsOf(effect).map((kind) => ({ kind, ...levelOf(name, kind, settings) }));
  const [first] = calls;
  const distinct = calls.filter((call) => call === first || call.level !== first?.level);
  return distinct.map((call) => {
    const note = call === first ? '' : KIND_NOTES[call.kind];
    return [call === first ? name : '', call.level, `${describeSource(call)}${note}`];
  });
}

/**
 * Text of `/permissions`: a row for each tool, sorted by name, with its level and the setting that the level is from, and
 * the sandbox.
 */
function describePermissions(agent: Described): string {
  const { tools, configuration, sandbox } = agent;
  const rows = tools
    .toSorted((left, right) => compareCodePoints(left.name, right.name))
    .flatMap((tool) => permissionRows(agent, tool));
  if (rows.length === 0) return 'The model has no tools.';
  const used = new Set<string>(rows.map(([, level]) => level));
  const levels = Object.keys(configuration.config.safety.permissions);
  const others = levels.filter((name) => !tools.some((tool) => tool.name === name));
  return [
    ...alignColumns([['Tool', 'Level', 'Set by'], ...rows]),
    '',
    ...Object.entries(MEANINGS).flatMap(([level, meaning]) => (used.has(level) ? [`${level}: ${meaning}`] : [])),
    ...(others.length === 0 ? [] : [`Levels without effect, because there is no such tool: ${others.join(', ')}`]),
    'At every level, blocked paths and commands are denied, and guarded files and commands that ybs cannot read ask; see docs/approval.md.',
    ...(sandbox === undefined ? [] : [describeSandbox(sandbox)]),
  ].join('\n');
}

function alignColumns(rows: readonly (readonly [string, string, string])[]): readonly string[] {
  const width = (column: 0 | 1): number => Math.max(...rows.map((row) => row[column].length));
  const [first, second] = [width(0), width(1)];
  return rows.map(([left, middle, right]) => `${left.padEnd(first)}  ${middle.padEnd(second)}  ${right}`);
}
