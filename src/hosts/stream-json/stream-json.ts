import { UsageError } from '../../agent/errors.ts';
import type { JsonObject } from '../../agent/ports/json.ts';
import type { Tool } from '../../agent/ports/tool.ts';
import type { ApprovalFront } from '../../app/driver/questions.ts';
import type { Agent } from '../../app/session.ts';
import { costOf, priceOf } from '../../providers/target/price.ts';
import type { CallHooks } from '../../tools/wrappers/hooked-tools.ts';
import type { HostFormat } from '../drive.ts';
import { createHostRequests, type HostRequests } from '../host-requests.ts';
import type { WriteLine } from '../write-lines.ts';
import { decodeFrame } from './decode.ts';
import { StreamJsonEncoder } from './encode.ts';
import type { Initialization } from './frames.data.ts';
import { type HostHooks, KNOWN_HOOKS } from './hook-events.ts';
import type { HostServer } from './host-tools.ts';
import { NO_USAGE } from './messages.ts';
import { hostModeOf } from './modes.ts';
import { hostApprovals } from './permission.ts';

export interface StreamJsonPorts {
  readonly writeLine: WriteLine;
  readonly newId: () => string;
  readonly now: () => number;
  readonly version: string;
  /** Resolves after this many seconds, or when the signal aborts. */
  readonly wait: (seconds: number, signal: AbortSignal) => Promise<void>;
  /** Writes a line on standard error. */
  readonly warn: (message: string) => Promise<unknown>;
}

/** The settings of the command line. */
export interface StreamJsonOptions {
  /** True to write the pieces of answers as they arrive. */
  readonly partial: boolean;
  /** True if the host answers questions for approval. */
  readonly asksHost: boolean;
  /** The session that the host has named, if any. */
  readonly sessionId?: string | undefined;
}

/** A conversation with a host in stream-json. */
export interface StreamJson {
  readonly format: HostFormat;
  readonly writeLine: WriteLine;
  readonly requests: HostRequests;
  /** Absent: no question is asked. */
  readonly approvals: ApprovalFront<unknown> | undefined;
  /** The hooks of the host, if it has some. */
  hooks(): HostHooks | undefined;
  /**
   * The settings that the host has given, and its tools; read when the session is opened, after which there are no
   * others.
   */
  begin(signal: AbortSignal): Promise<HostSettings>;
}

/** The settings of a session that come from its host. */
export interface HostSettings {
  readonly systemPrompt: string | undefined;
  readonly appendSystemPrompt: string | undefined;
  readonly answerSchema: JsonObject | undefined;
  readonly tools: readonly Tool[];
  readonly hooks: CallHooks | undefined;
}

/** Creates a conversation in the format of the Claude Agent SDK. */
export function createStreamJson(options: StreamJsonOptions, ports: StreamJsonPorts): StreamJson {
  const { newId, now, version } = ports;
  let sessionId = options.sessionId ?? '';
  /** The id that the host knows. */
  let knownId = sessionId;
  const encoder = new StreamJsonEncoder();
  let initialization: Initialization = {};
  let opened = false;
  let servers: readonly HostServer[] = [];
  let hooks: HostHooks | undefined;
  let agentFacts: object = {};
  let keepsApprovals: boolean | undefined;
  const writeLine: WriteLine = (line) =>
    ports.writeLine(isControl(line) ? line : { ...line, session_id: sessionId, uuid: newId() });
  const requests = createHostRequests(writeLine);
  const initialize = (settings: Initialization): object => {
    if (opened) throw new UsageError('The session has begun. Send initialize before the first message.');
    initialization = settings;
    const idle = Object.keys(settings.hooks ?? {}).filter((name) => !KNOWN_HOOKS.some((known) => known === name));
    if (idle.length > 0) void ports.warn(`Hooks without effect: ${idle.join(', ')}`);
    const lists = { commands: [], agents: [], models: [] };
    return { ...lists, output_style: 'default', available_output_styles: ['default'], account: {} };
  };
  const format: HostFormat = {
    decode: (frame) => decodeFrame(frame, { initialize, servers: () => servers.map(statusOf) }),
    encode(event, agent) {
      const { prices } = agent.configuration.config.models;
      sessionId = agent.record.id;
      keepsApprovals = agent.permissions.keeps;
      agentFacts = { cwd: agent.workspace, permission_mode: hostModeOf(agent.permissionMode) };
      const lines = encoder.encode(event, {
        partial: options.partial,
        now: now(),
        newId,
        init: () => initLine(agent, version, servers.map(statusOf)),
        costOf: (usage) => costOf(usage, priceOf(usage.model, prices)),
      });
      const [first, ...rest] = lines;
      if (first === undefined) return [];
      const renamed = { type: 'system', subtype: 'session_id', previous_session_id: knownId };
      const isRenamed = knownId !== '' && knownId !== sessionId;
      knownId = sessionId;
      return isRenamed ? [first, renamed, ...rest] : lines;
    },
    fail: (message) => [
      {
        type: 'result',
        subtype: 'error_during_execution',
        is_error: true,
        errors: [message],
        ...{ duration_ms: 0, duration_api_ms: 0, num_turns: 0, stop_reason: null, total_cost_usd: 0 },
        ...{ usage: NO_USAGE, modelUsage: {}, permission_denials: [] },
      },
    ],
  };
  const callOf = (callId: string) => encoder.callOf(callId);
  return {
    format,
    writeLine,
    requests,
    approvals: options.asksHost
      ? hostApprovals({ requests, writeLine, newId, callOf, keepsApprovals: () => keepsApprovals })
      : undefined,
    hooks: () => hooks,
    async begin(signal) {
      opened = true;
      const { systemPrompt, appendSystemPrompt, jsonSchema, sdkMcpServers = [] } = initialization;
      if (Object.keys(initialization.hooks ?? {}).length > 0) {
        const { createHostHooks } = await import('./hooks.ts');
        const facts = () => ({ session_id: sessionId, transcript_path: '', ...agentFacts });
        hooks = createHostHooks(initialization.hooks ?? {}, { requests, newId, facts, wait: ports.wait });
      }
      if (sdkMcpServers.length > 0) {
        const { openHostServers } = await import('./host-tools.ts');
        servers = await openHostServers(sdkMcpServers, { requests, newId, version }, signal);
      }
      for (const { name, status } of servers) {
        if (status === 'failed') await ports.warn(`The tool server ${name} of the host cannot be used.`);
      }
      const prompt = [systemPrompt ?? []].flat().join('\n\n');
      return {
        systemPrompt: prompt === '' ? undefined : prompt,
        appendSystemPrompt,
        answerSchema: jsonSchema,
        tools: servers.flatMap(({ tools }) => tools),
        hooks: hooks?.calls,
      };
    },
  };
}

/** Control lines have ids of their own. */
function isControl(line: object): boolean {
  return 'type' in line && typeof line.type === 'string' && line.type.startsWith('control_');
}

function statusOf({ name, status }: HostServer): object {
  return { name, status };
}

/** The line that begins a run. */
function initLine(agent: Agent, version: string, servers: readonly object[]): object {
  const { workspace, model, permissionMode, tools } = agent;
  return {
    type: 'system',
    subtype: 'init',
    cwd: workspace,
    tools: tools.map(({ name }) => name),
    mcp_servers: servers,
    model: model.slice(model.indexOf('/') + 1),
    permissionMode: hostModeOf(permissionMode),
    slash_commands: [],
    apiKeySource: 'none',
    claude_code_version: version,
    output_style: 'default',
    agents: [],
    skills: [],
    plugins: [],
  };
}
