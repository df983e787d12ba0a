import { PERMISSION_LEVELS, PERMISSION_MODES } from '../../agent/ports/approver.ts';
import type { Agent } from '../../app/agent.ts';
import { COMMANDS } from '../../app/commands/commands.ts';
import { sessionValues } from '../../app/commands/config-commands.ts';
import { grantsOf } from '../../app/commands/grants.ts';
import { permissionRows } from '../../app/commands/permissions-command.ts';
import { escapeLine } from '../../text/escape.ts';
import type { SettingsView } from './page-data.ts';

/** The settings of the session of an agent, each with its origin. */
export function settingsView(agent: Agent): SettingsView {
  const { tools, permissionMode } = agent;
  return {
    mode: permissionMode,
    modes: PERMISSION_MODES,
    levels: PERMISSION_LEVELS,
    tools: tools.map((tool) => {
      const [, level = '', origin = ''] = permissionRows(agent, tool)[0] ?? [];
      return { name: tool.name, level, origin };
    }),
    approvals: grantsOf(agent).map(({ text, until }) => escapeLine(`${text} (${until})`)),
    values: sessionValues(agent),
  };
}

/** The commands of the chat that change a setting at once, also during a run. */
export const SETTING_COMMANDS = ['mode', 'permissions', 'approvals'] as const;

/** Changes a setting as the command of the chat does, and returns its text. Throws `RefusedSettingError`. */
export async function changeSetting(
  agent: Agent,
  name: (typeof SETTING_COMMANDS)[number],
  argument: string,
): Promise<string> {
  const command = COMMANDS.find((row) => row.name === name);
  // None of them uses a model, and each ends soon.
  const models = { use: () => Promise.reject(new Error(`/${name} uses no model`)), list: async () => [] };
  const context = { models, signal: new AbortController().signal };
  const result = await command?.run(async () => agent, argument, context);
  if (result?.type !== 'text') return '';
  if (result.isRefused === true) throw new RefusedSettingError(result.text);
  return result.text;
}

/** A setting that cannot have a value. */
export class RefusedSettingError extends Error {}
