import * as z from 'zod';
import { ToolError } from '../../agent/errors.ts';
import type { Tool } from '../../agent/ports/tool.ts';
import { truncateText } from '../../text/truncate.ts';
import { type McpTool, readToolList } from '../../tools/mcp/lists.ts';
import { readResult } from '../../tools/mcp/results.ts';
import { withSafeNames } from '../../tools/mcp/tool-schema.ts';
import type { HostRequests } from '../host-requests.ts';

export interface HostToolPorts {
  readonly requests: HostRequests;
  readonly newId: () => string;
  readonly version: string;
}

/** A server of tools that runs in the process of the host. */
export interface HostServer {
  readonly name: string;
  readonly status: 'connected' | 'failed';
  readonly tools: readonly Tool[];
}

/** The version of the Model Context Protocol that ybs speaks with the host. */
const PROTOCOL_VERSION = '2025-06-18';
const MAX_SUMMARY = 100;

const rpcAnswer = z.object({
  response: z.object({
    mcp_response: z.object({ result: z.unknown().optional(), error: z.object({ message: z.string() }).optional() }),
  }),
});
/**
 * Opens the tool servers in the process of the host, over its control protocol. A server with an invalid
 * answer has no tools, and the status `failed`.
 */
export async function openHostServers(
  names: readonly string[],
  ports: HostToolPorts,
  signal: AbortSignal,
): Promise<readonly HostServer[]> {
  return Promise.all(
    names.map(async (name): Promise<HostServer> => {
      const send = createSender(name, ports);
      try {
        const clientInfo = { name: 'ybs', version: ports.version };
        await send('initialize', { protocolVersion: PROTOCOL_VERSION, capabilities: {}, clientInfo }, signal);
        await send('notifications/initialized', undefined, signal);
        const { tools, problems } = await readToolList((method, params) => send(method, params, signal), false);
        const status = tools.length === 0 && problems.length > 0 ? 'failed' : 'connected';
        return { name, status, tools: tools.map((tool) => createHostTool(name, tool, send)) };
      } catch (error) {
        if (signal.aborted) throw error;
        return { name, status: 'failed', tools: [] };
      }
    }),
  );
}

type Send = (method: string, params: object | undefined, signal: AbortSignal) => Promise<unknown>;

/** Sends a message of JSON-RPC and returns its result. Throws `ToolError` for an error or no answer. */
function createSender(server: string, { requests, newId }: HostToolPorts): Send {
  let last = 0;
  return async (method, params, signal) => {
    last += 1;
    const isNotification = method.startsWith('notifications/');
    const message = { jsonrpc: '2.0', ...(!isNotification && { id: last }), method, ...(params && { params }) };
    const id = newId();
    const request = { subtype: 'mcp_message', server_name: server, message };
    const answer = await requests.ask(id, { type: 'control_request', request_id: id, request }, signal);
    const read = rpcAnswer.safeParse(answer);
    if (isNotification) return undefined;
    if (!read.success)
      throw new ToolError('io_error', `The server ${server} of the host gave no answer that can be read.`);
    const { result, error } = read.data.response.mcp_response;
    if (error !== undefined) throw new ToolError('io_error', error.message);
    return result;
  };
}

function createHostTool(server: string, { name, description, parameters: own, readOnly }: McpTool, send: Send): Tool {
  const ownName = `mcp__${server}__${name}`.replace(/[^A-Za-z0-9_-]/g, '_');
  const { parameters, read } = withSafeNames(own);
  return {
    definition: { name: ownName, description, parameters, effect: readOnly === true ? 'read' : 'execute' },
    async plan(args, { signal }) {
      const input = read(args, ownName);
      return {
        effect: { summary: `call ${ownName} with ${truncateText(JSON.stringify(input), MAX_SUMMARY)}`, paths: [] },
        async *run() {
          return readResult(await send('tools/call', { name, arguments: input }, signal));
        },
      };
    },
  };
}
