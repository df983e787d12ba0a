import { ToolError } from '../../agent/errors.ts';
import type { ComputeDigest } from '../../agent/ports/digest.ts';
import type { JsonObject } from '../../agent/ports/json.ts';
import type { FileDiff, PlannedCall, PlannedEffect, Tool, ToolContext, ToolResult } from '../../agent/ports/tool.ts';
import { conforms, type ValueOf } from '../../schema/conforms.ts';
import { unifiedDiff } from '../../text/diff/unified-diff.ts';
import { isJsonObject } from '../../text/json/json.ts';
import { runAtOnce } from '../../text/steps.ts';
import { didYouMean } from '../../text/suggest.ts';
import { truncateText } from '../../text/truncate.ts';
import { type ExternalToolPorts, withOutputLimit } from '../external-tool/external-tool.ts';
import { CALL_TOOL } from '../wrappers/direct-calls.ts';
import type { McpTool } from './lists.ts';
import { OFFERED } from './memory/remembered.data.ts';
import { readResult, withChanges } from './results.ts';
import type { McpServer } from './server.ts';
import { quoted, toolName } from './texts.ts';
import { withSafeNames } from './tool-schema.ts';

/** More tools or larger schemas of one server are in the request by name and one line only. */
const MAX_TOOLS = 20;
const MAX_SCHEMAS = 8 * 1024;

const MAX_LINE = 80;
const MAX_SUMMARY = 100;
/** The number of tools that one answer describes whole. */
const MAX_FOUND = 5;

/** What a program says that may open no sockets of this machine, as a browser does, and the hint about it. */
const NO_SOCKET = /EAFNOSUPPORT|address family not supported/i;
const SOCKET_HINT =
  '\nnote: in the sandbox, the server has local sockets only with "local_sockets": true in its entry.';

/** The name of the tool that finds tools which are not in the request. */
export const FIND_TOOL = 'find_tool';

export interface McpToolPorts extends ExternalToolPorts {
  readonly digest: ComputeDigest;
}

/** A tool of a server by its name for the model. */
interface Named {
  readonly server: McpServer;
  readonly tool: McpTool;
  readonly name: string;
}

type PlanCall = (call: Named, args: unknown, context: ToolContext) => PlannedCall;

/** The tools of servers in the requests of a session. */
export type OfferedTools = ValueOf<typeof OFFERED>;

/**
 * The tools of a conversation that servers have, as the session has offered them `before`, or else as they are remembered:
 * this starts no server, and the tools stay the same to the end of the session. `startsNothing`: the reason why no server
 * may be started.
 */
export function createMcpTools(
  servers: readonly McpServer[],
  before: unknown,
  startsNothing: string | undefined,
  ports: McpToolPorts,
): { readonly tools: readonly Tool[]; readonly offered: OfferedTools } {
  const withName = (server: McpServer, tool: McpTool): Named => {
    return { server, tool, name: toolName(server.settings.name, tool.name, ports.digest) };
  };
  const named = (server: McpServer): readonly Named[] =>
    server.remembered.tools
      .filter(({ name }) => server.settings.entry.tools?.includes(name) ?? true)
      .map((tool) => withName(server, tool));
  const earlier = conforms(before, OFFERED) ? before : [];
  const listed = servers.map((server) => {
    const now = offerOf(server, named(server));
    return { server, ...(earlier.find(({ name, entry }) => name === now.name && entry === now.entry) ?? now) };
  });
  const others = listed.filter(({ lines }) => lines.length > 0);
  const plan: PlanCall = (call, args, context) => planCall(call, args, context, startsNothing);
  const everyTool = (): readonly Named[] => servers.flatMap(named);
  const directTool = ({ server, tool, name }: Named): Tool => ({
    definition: {
      ...{ name, description: tool.description, effect: 'execute' },
      parameters: withSafeNames(tool.parameters).parameters,
    },
    async plan(args, context) {
      const current = server.remembered.tools.find((each) => each.name === tool.name) ?? tool;
      return plan({ server, tool: current, name }, args, context);
    },
  });
  const tools = listed.flatMap(({ server, tools: own }) => own.map((tool) => directTool(withName(server, tool))));
  const indirect =
    others.length > 0 ? [findTool(servers, others, everyTool, startsNothing), callTool(everyTool, plan)] : [];
  const all = [...tools, ...indirect].map((tool) => withOutputLimit(tool, ports));
  return { tools: all, offered: listed.map(({ server: _server, ...offer }) => offer) };
}

/** The tools that a new session offers of a server. */
function offerOf({ settings: { name, digest, entry }, remembered }: McpServer, named: readonly Named[]) {
  const offer = { name, entry: `${digest} ${entry.tools?.join(' ') ?? '*'}` };
  if (remembered.revision === undefined)
    return { ...offer, tools: [], lines: [`- server ${name}: its tools are not known yet; name it as server`] };
  const tools = named.map(({ tool }) => tool);
  if (tools.length <= MAX_TOOLS && JSON.stringify(tools).length <= MAX_SCHEMAS) return { ...offer, tools, lines: [] };
  const summary = ({ description }: McpTool): string => truncateText(description.split('\n', 1).join(''), MAX_LINE);
  return { ...offer, tools: [], lines: named.map((each) => `- ${each.name}: ${summary(each.tool)}`) };
}

/** Plans a call of a tool as it is known now. The server starts when the call runs. */
function planCall(
  { server, tool, name }: Named,
  args: unknown,
  { signal }: ToolContext,
  startsNothing: string | undefined,
): PlannedCall {
  if (startsNothing !== undefined)
    throw new ToolError('permission_denied', `${name} is not available: ${startsNothing}.`);
  const given = withSafeNames(tool.parameters).read(args, name);
  const { settings, remembered } = server;
  const agreed = remembered.agreed[tool.name];
  const isChanged = agreed !== undefined && textOf(agreed) !== textOf(tool);
  const input = JSON.stringify(given);
  const effect: PlannedEffect = {
    ...{ summary: `call ${name} with ${truncateText(input, MAX_SUMMARY)}`, paths: [], toolName: name },
    mcp: { server: settings.name, tool: tool.name, input, ...startOf(server), ...(isChanged && { changed: true }) },
    ...(isChanged && { preview: difference(name, textOf(agreed), textOf(tool)) }),
    ...(settings.entry.trust_read_only === true && tool.readOnly === true && { unchanged: true }),
  };
  return {
    effect,
    async *run(): AsyncGenerator<never, ToolResult, void> {
      if (effect.mcp?.start !== undefined) await server.remember({ mayStart: true });
      const { tools } = await server.listTools(signal);
      const current = tools.find((each) => each.name === tool.name);
      if (current === undefined)
        throw new ToolError('not_found', `The server ${settings.name} has no tool ${tool.name} any more.`);
      const advice = 'Call it again; the user is then asked about the difference.';
      const changed = `Nothing was called: the server describes ${name} in another way now. ${advice}`;
      if (textOf(current) !== textOf(tool)) throw new ToolError('file_changed', changed);
      if (agreed === undefined || isChanged) {
        const { description, parameters } = tool;
        await server.remember({ agreed: { ...server.remembered.agreed, [tool.name]: { description, parameters } } });
      }
      const result = readResult(await server.call(tool.name, given, signal));
      const lacksSockets = server.isConfined && settings.entry.local_sockets !== true;
      const isLacking = result.isError && lacksSockets && NO_SOCKET.test(result.content);
      const content = server.takeInstructions() + result.content + (isLacking ? SOCKET_HINT : '');
      return withChanges({ ...result, content }, await server.guardedChanges());
    },
  };
}

/** The command line that a call starts, of a server of the project that the user has not agreed to. */
function startOf({ settings, remembered }: McpServer): { readonly start?: string } {
  if (settings.origin === 'user' || remembered.mayStart === true) return {};
  const { command, args = [], env = {}, url = '', headers = {} } = settings.entry;
  const written = (texts: Readonly<Record<string, string>>, between: string): readonly string[] =>
    Object.entries(texts).map(([key, value]) => `${key}${between}${quoted(value)}`);
  const start =
    command === undefined
      ? [url, ...written(headers, ': ')]
      : [...written(env, '='), ...[command, ...args].map(quoted)];
  return { start: start.join(' ') };
}

function difference(name: string, before: string, after: string): FileDiff {
  const { hunks: _hunks, ...shown } = runAtOnce(unifiedDiff(name, before, after));
  return shown;
}

/** The text of a tool that the user agrees to: if it changes, earlier approvals no longer hold. */
function textOf({ description, parameters }: Omit<McpTool, 'name'>): string {
  return `${description}\n${JSON.stringify(parameters, null, 2)}\n`;
}

function findTool(
  servers: readonly McpServer[],
  others: readonly { readonly server: McpServer; readonly lines: readonly string[] }[],
  all: () => readonly Named[],
  startsNothing: string | undefined,
): Tool {
  const names = others.map(({ server }) => server.settings.name);
  const description = [
    `Find tools of servers, with their parameters. Call what it finds with ${CALL_TOOL}. There are:`,
    ...others.flatMap(({ lines }) => lines),
  ].join('\n');
  const text = { type: 'string', description: 'Name of a tool, or words of its description' };
  const parameters = {
    type: 'object',
    properties: { query: text, server: { type: 'string', enum: names, description: 'Only the tools of this server' } },
  };
  return {
    definition: { name: FIND_TOOL, description, parameters, effect: 'read' },
    async plan(args, { signal }) {
      if (startsNothing !== undefined)
        throw new ToolError('permission_denied', `No server is started: ${startsNothing}.`);
      const given = isJsonObject(args) ? args : {};
      const { query = '', server: wanted } = given;
      const asked = servers.find(({ settings }) => settings.name === wanted);
      const known = `There are: ${names.join(', ')}.`;
      if (wanted !== undefined && asked === undefined)
        throw new ToolError('invalid_arguments', `There is no server ${String(wanted)}. ${known}`);
      const unknown = others.map(({ server }) => server).filter(({ remembered }) => remembered.revision === undefined);
      // A server of the project whose start needs an answer is only started by its name.
      const starts = unknown.filter((each) => (asked ? each === asked : startOf(each).start === undefined));
      const label = asked?.settings.name ?? names.join(', ');
      const start = asked !== undefined && starts.length > 0 ? startOf(asked) : {};
      const summary = `find tools of ${label}${query === '' ? '' : `: ${String(query)}`}`;
      const mcp = { server: label, input: JSON.stringify(given), ...start };
      return {
        effect: { summary, paths: [], unchanged: true, mcp },
        async *run() {
          if (start.start !== undefined) await asked?.remember({ mayStart: true });
          const changed = servers.filter((server) => server.hasChanged && !starts.includes(server));
          const ended = await Promise.allSettled([...starts, ...changed].map((server) => server.listTools(signal)));
          const problems = ended.flatMap((end) =>
            end.status === 'rejected' ? [String(end.reason?.message ?? end.reason)] : [],
          );
          const offered = all().filter(({ server }) => asked === undefined || server === asked);
          const found = search(offered, String(query));
          const told = starts.map((server) => server.takeInstructions()).join('');
          const content = told + [...found, ...problems].join('\n\n');
          return {
            content: content === '' ? 'No tool was found.' : content,
            isError: found.length === 0 && problems.length > 0,
            summary: truncateText(problems[0] ?? `${found.length} found`, MAX_SUMMARY * 2),
          };
        },
      };
    },
  };
}

/** The descriptions of the tools that fit best, and the names of the others that fit. */
function search(tools: readonly Named[], query: string): readonly string[] {
  const words = query
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const scored = tools.map((named) => {
    const [name, text] = [named.name.toLowerCase(), named.tool.description.toLowerCase()];
    const score = words.reduce((sum, word) => sum + (name.includes(word) ? 2 : 0) + (text.includes(word) ? 1 : 0), 0);
    return { named, score: named.name === query || named.tool.name === query ? Number.POSITIVE_INFINITY : score };
  });
  const fitting = scored
    .filter(({ score }) => words.length === 0 || score > 0)
    .sort((left, right) => right.score - left.score);
  const whole = fitting.slice(0, MAX_FOUND).map(({ named: { name, tool } }) => {
    return `${name}\n${tool.description}\nparameters: ${JSON.stringify(withSafeNames(tool.parameters).parameters)}`;
  });
  const rest = fitting.slice(MAX_FOUND).map(({ named }) => named.name);
  return rest.length === 0 ? whole : [...whole, `Others: ${rest.join(', ')}. Ask for one by its name.`];
}

function callTool(all: () => readonly Named[], plan: PlanCall): Tool {
  const parameters: JsonObject = {
    type: 'object',
    properties: {
      name: { type: 'string', description: `Name of the tool, as ${FIND_TOOL} shows it` },
      arguments: { type: 'object', description: 'Its arguments, by its own parameters' },
    },
    required: ['name', 'arguments'],
  };
  return {
    definition: {
      ...{ name: CALL_TOOL, parameters, effect: 'execute' },
      description: `Call a tool that ${FIND_TOOL} has found. The user is asked about that tool.`,
    },
    async plan(args, context) {
      const { name, arguments: given = {} } = isJsonObject(args) ? args : {};
      const found = all().find((each) => each.name === name);
      if (found !== undefined) return plan(found, given, context);
      const names = all().map((each) => each.name);
      const hint = didYouMean(String(name), names, ` Use ${FIND_TOOL}.`);
      throw new ToolError('not_found', `No server has a tool ${String(name)}.${hint}`);
    },
  };
}
