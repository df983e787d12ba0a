import type { Agent } from '../app/session.ts';
import type { PermissionLevel } from '../ports/approver.ts';
import { type CallKind, type CallLevel, kindsOf, levelOf } from '../safety/decide.ts';
import { compareCodePoints } from '../text/compare-code-points.ts';
import type { ChatCommand } from './chat-command.ts';

/** `/permissions`. */
export const PERMISSIONS_COMMAND: ChatCommand = {
  name: 'permissions',
  description: 'Show which tools run without a question, which ask, and why',
  run: async (agent) => ({ type: 'text', text: describePermissions(await agent()) }),
};

/** Meaning of each level for a call. */
const MEANINGS: Readonly<Record<PermissionLevel, string>> = {
  automatic: 'runs without a question',
  ask_once: 'asks, and the answer can hold for the rest of the session',
  ask_always: 'asks about each call',
  denied: 'never runs',
};

/** Notes about the kinds of calls that have a level of their own. */
const KIND_NOTES: Readonly<Partial<Record<CallKind, string>>> = {
  replace: ', for a file that was not read or has changed since',
};

/** Text of `/permissions`: a row for each tool, sorted by name, with its level and the setting that the level is from. */
export function describePermissions({ tools, configuration }: Pick<Agent, 'tools' | 'configuration'>): string {
  const { config, origins } = configuration;
  const { permission_mode: mode, permissions: levels, require_confirmation: confirmedTools } = config.safety;
  const originOf = (key: string): string => ` (${origins.get(key) ?? 'default'})`;
  const describeSource = (toolName: string, { source }: CallLevel): string => {
    if (source === 'safety.permission_mode') return `permission mode ${mode}${originOf(source)}`;
    const key = source === 'safety.permissions' ? `${source}.${toolName}` : source;
    return `${key}${originOf(key)}`;
  };
  const rows = tools
    .toSorted((left, right) => compareCodePoints(left.name, right.name))
    .flatMap(({ name, effect }) => {
      const calls = kindsOf(effect).map((kind) => ({ kind, ...levelOf(name, kind, { mode, levels, confirmedTools }) }));
      const [first] = calls;
      const distinct = calls.filter((call) => call === first || call.level !== first?.level);
      return distinct.map((call) => {
        const note = call === first ? '' : KIND_NOTES[call.kind];
        return [call === first ? name : '', call.level, `${describeSource(name, call)}${note}`] as const;
      });
    });
  if (rows.length === 0) return 'The model has no tools.';
  const shown = new Set<string>(rows.map(([, level]) => level));
  const others = Object.keys(levels).filter((name) => !tools.some((tool) => tool.name === name));
  return [
    ...alignColumns([['Tool', 'Level', 'Set by'], ...rows]),
    '',
    ...Object.entries(MEANINGS).flatMap(([level, meaning]) => (shown.has(level) ? [`${level}: ${meaning}`] : [])),
    ...(others.length === 0 ? [] : [`Levels without effect, because there is no such tool: ${others.join(', ')}`]),
    'At every level, blocked paths and commands never run, and what is guarded or cannot be read asks; see docs/cli.md.',
  ].join('\n');
}

function alignColumns(rows: readonly (readonly [string, string, string])[]): readonly string[] {
  const width = (column: 0 | 1): number => Math.max(...rows.map((row) => row[column].length));
  const [first, second] = [width(0), width(1)];
  return rows.map(([left, middle, right]) => `${left.padEnd(first)}  ${middle.padEnd(second)}  ${right}`);
}
