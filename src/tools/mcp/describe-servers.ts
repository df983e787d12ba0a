import { hidePassword } from '../../text/for-people/hide-password.ts';
import { countOf, formatSize } from '../../text/quantities.ts';
import type { McpServer } from './server.ts';
import { quoted } from './texts.ts';

/** The state of servers for people: origin, revision, tools with the bytes of their schemas, and what went wrong. */
export function describeServers(servers: readonly McpServer[]): string {
  if (servers.length === 0) return 'There are no servers. docs/mcp.md says how to add one.';
  return servers.flatMap(describeServer).join('\n');
}

function describeServer({ settings, state, remembered }: McpServer): readonly string[] {
  const { command, args = [], url = '' } = settings.entry;
  const { tools } = remembered;
  const bytes = JSON.stringify(tools.map(({ parameters }) => parameters)).length;
  const known =
    remembered.revision === undefined
      ? 'tools not known yet'
      : `${countOf(tools.length, 'tool')}, ${formatSize(bytes)} of schema`;
  const revision = state.revision === undefined ? '' : `, revision ${state.revision}`;
  const start = command === undefined ? [hidePassword(url)] : [command, ...args.map(hidePassword)].map(quoted);
  return [
    `${settings.name}: ${state.type}${revision}, ${known} [${start.join(' ')}]`,
    ...(settings.origin === 'project' ? ['  from .mcp.json of the project'] : []),
    ...(state.problem === undefined ? [] : [`  last error: ${state.problem}`]),
    ...state.leftOut.map((problem) => `  ${problem}`),
    ...(state.stray === 0
      ? []
      : [
          `  ${countOf(state.stray, 'line')} of its output were not messages of the protocol; the last: ${state.lastStray ?? ''}`,
        ]),
    ...state.stderr.map((line) => `  stderr: ${line}`),
    ...(state.type === 'failed' && state.hint !== '' ? [`  ${state.hint.trim()}`] : []),
  ];
}
