import type { Client, PriorDiscovery, Transport } from '@modelcontextprotocol/client';
import { messageOf, ToolError } from '../../agent/errors.ts';
import type { JsonObject } from '../../agent/ports/json.ts';
import { failureReason, isAnswer, isClosed, isDiscovery, isModern, MAX_LINE } from './answers.ts';
import { nothingKnown, type Remembered } from './memory.ts';
import { headersOfCall } from './parameter-headers.ts';
import { isResourceTool, readResources, withResources } from './resources.ts';
import type { McpServerSettings } from './settings.ts';
import type { Heard } from './stdio-transport.ts';
import { cleanLine } from './texts.ts';
import { type McpToolList, readToolList } from './tool-list.ts';

/** Opens a connection to the server, which tells what it says besides the protocol. Rejects with a reason for people. */
export type OpenConnection = (heard: Heard) => Promise<Transport>;

/** Ports of a server. */
export interface McpServerPorts {
  readonly open: OpenConnection;
  readonly version: string;
  /** Stores what is remembered. */
  readonly remember: (remembered: Remembered) => Promise<void>;
}

/** The state of a server for people. */
export interface McpServerState {
  readonly type: 'not started' | 'starting' | 'running' | 'ended' | 'failed';
  readonly revision?: string | undefined;
  readonly problem?: string | undefined;
  /** The last lines of its standard error. */
  readonly stderr: readonly string[];
  /** Lines on its standard output that were no protocol, and the last one. */
  readonly stray: number;
  readonly lastStray?: string | undefined;
  readonly leftOut: readonly string[];
}

const START_SECONDS = 30;
const CALL_SECONDS = 60;
/** A server that reports progress may take this many times as long. */
const MAX_EXTENSION = 10;
/** Silence after which a server is asked in the older way, in milliseconds. */
const SILENCE_MS = 3_000;
const KEPT_LINES = 20;

/** Any result: lists and results are read by schemas of ours, which lose less. */
const ANY = {
  '~standard': { version: 1, vendor: 'ybs', validate: (value: unknown) => ({ value }) },
} as const;

/**
 * One server. It starts with its first use, and again with the next use after it has ended. A call is sent once. All that it
 * says is cleaned before it is kept.
 */
export class McpServer {
  readonly settings: McpServerSettings;
  readonly #ports: McpServerPorts;
  #remembered: Remembered;
  #client: Client | undefined;
  #transport: Transport | undefined;
  #isClosed = false;
  #starting: Promise<Client> | undefined;
  #list: McpToolList | undefined;
  #state: McpServerState['type'] = 'not started';
  #problem: string | undefined;
  #stderr: string[] = [];
  #stray = 0;
  #lastStray: string | undefined;
  /** The answer to the question for the revisions. */
  #late: JsonObject | undefined;

  constructor(settings: McpServerSettings, remembered: Remembered | undefined, ports: McpServerPorts) {
    this.settings = settings;
    this.#ports = ports;
    this.#remembered = remembered ?? nothingKnown(settings);
  }

  get remembered(): Remembered {
    return this.#remembered;
  }

  get state(): McpServerState {
    return {
      ...{ type: this.#state, problem: this.#problem, stderr: this.#stderr.slice(-KEPT_LINES) },
      ...{ stray: this.#stray, lastStray: this.#lastStray, leftOut: this.#list?.problems ?? [] },
      revision: this.#client?.getNegotiatedProtocolVersion() ?? this.#remembered.revision,
    };
  }

  /** Changes what is remembered. */
  async remember(changes: Partial<Remembered>): Promise<void> {
    this.#remembered = { ...this.#remembered, ...changes };
    await this.#ports.remember(this.#remembered);
  }

  /** The tools of the running server, which starts if it does not run. Throws `ToolError`. */
  async listTools(signal: AbortSignal): Promise<McpToolList> {
    const client = await this.#running(signal);
    try {
      this.#list ??= await this.#readTools(client, signal);
      return this.#list;
    } catch (error) {
      if (signal.aborted || this.#remembered.discover === undefined) throw error;
      // The server may be another version, which does not know the revision any more: it is asked again.
      const { discover: _discover, revision: _revision, ...others } = this.#remembered;
      this.#remembered = others;
      this.#late = undefined;
      await client.close();
      return this.listTools(signal);
    }
  }

  /** Calls a tool once. Throws `ToolError` if there is no result; it may then have had effects. */
  async call(tool: string, args: JsonObject, signal: AbortSignal): Promise<unknown> {
    const client = await this.#running(signal);
    const known = this.#list?.tools.find(({ name }) => name === tool);
    if (isResourceTool(known))
      return readResources((method, params) => this.#request(client, method, params, signal), args);
    const headers = this.#isRemote() && isModern(client) ? headersOfCall(known?.parameters ?? {}, args) : {};
    return this.#request(client, 'tools/call', { name: tool, arguments: args }, signal, headers);
  }

  /** Ends the server. Resolves when nothing is left of it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    // A start that waits for an answer ends with its connection.
    await (this.#client ?? this.#transport)?.close();
    await this.#starting?.catch(() => undefined);
    await this.#client?.close();
  }

  /** The client of the running server. A start that takes too long goes on, and a later call waits for it again. */
  async #running(signal: AbortSignal): Promise<Client> {
    if (this.#client !== undefined) return this.#client;
    this.#starting ??= this.#start();
    const seconds = this.settings.entry.start_seconds ?? START_SECONDS;
    const { name } = this.settings;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      const stop = (code: 'timed_out' | 'io_error', text: string): void => reject(new ToolError(code, text));
      signal.addEventListener('abort', () => stop('io_error', `The start of the server ${name} was not waited for.`), {
        once: true,
      });
      timer = setTimeout(
        () =>
          stop(
            'timed_out',
            `The server ${name} is still starting after ${seconds} s. It may be loading its program; call again later.`,
          ),
        seconds * 1_000,
      );
    });
    try {
      return await Promise.race([this.#starting, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #start(): Promise<Client> {
    const { name } = this.settings;
    this.#state = 'starting';
    this.#problem = undefined;
    try {
      const client = await this.#connect(this.#knownRevision()).catch((error: unknown) => {
        // Servers of one library end when the first request is not `initialize`.
        if (this.#knownRevision() !== undefined || !isClosed(error) || this.#isRemote() || this.#isClosed) throw error;
        return this.#connect({ kind: 'legacy' });
      });
      this.#client = client;
      this.#state = 'running';
      return client;
    } catch (error) {
      this.#state = 'failed';
      this.#problem = failureReason(error, name);
      throw new ToolError(
        'io_error',
        `The server ${name} cannot be used: ${this.#problem}.${this.#lastWords()} A later call tries again.`,
      );
    } finally {
      this.#starting = undefined;
    }
  }

  /** The revision that is remembered, in the form of the library. */
  #knownRevision(): PriorDiscovery | undefined {
    const { discover, revision } = this.#remembered;
    if (discover !== undefined) return { kind: 'modern', discover } as const;
    return revision === undefined ? undefined : ({ kind: 'legacy' } as const);
  }

  async #connect(prior: PriorDiscovery | undefined): Promise<Client> {
    const { Client: McpClient } = await import('@modelcontextprotocol/client');
    const transport = await this.#ports.open({
      stray: (text) => {
        this.#stray += 1;
        this.#lastStray = cleanLine(text, MAX_LINE);
      },
      discovered: (result) => this.#hearRevisions(result),
      stderr: (text) => {
        const lines = `${this.#stderr.pop() ?? ''}${text}`.split('\n');
        const last = lines.pop() ?? '';
        this.#stderr.push(...lines.map((line) => cleanLine(line, MAX_LINE)), last.slice(-MAX_LINE));
        this.#stderr = this.#stderr.slice(-KEPT_LINES - 1);
      },
    });
    this.#transport = transport;
    if (this.#isClosed) {
      await transport.close();
      throw new Error('the session has ended');
    }
    const client = new McpClient(
      { name: 'ybs', version: this.#ports.version },
      { versionNegotiation: { mode: 'auto', probe: { timeoutMs: SILENCE_MS } } },
    );
    client.onclose = () => {
      if (this.#client !== client) return;
      this.#client = undefined;
      this.#list = undefined;
      this.#state = 'ended';
    };
    client.onerror = (error) => {
      this.#problem = cleanLine(messageOf(error), MAX_LINE);
    };
    try {
      await client.connect(transport, { timeout: 10 * 60_000, ...(prior !== undefined && { prior }) });
    } catch (error) {
      await transport.close();
      throw error;
    }
    return client;
  }

  /** A late answer corrects what is remembered, for the next start. */
  #hearRevisions(result: JsonObject): void {
    this.#late = result;
    if (this.#client !== undefined && isDiscovery(result)) this.remember({ discover: result }).catch(() => {});
  }

  async #readTools(client: Client, signal: AbortSignal): Promise<McpToolList> {
    const revision = client.getNegotiatedProtocolVersion();
    const page = (cursor: string | undefined): Promise<unknown> =>
      this.#request(client, 'tools/list', cursor === undefined ? {} : { cursor }, signal);
    const { tools, resources } = client.getServerCapabilities() ?? {};
    const own = tools === undefined ? { tools: [], problems: [] } : await readToolList(page, isModern(client));
    const list = resources === undefined ? own : withResources(own);
    const discover = client.getDiscoverResult() ?? this.#late;
    const { discover: _before, ...others } = this.#remembered;
    this.#remembered = others;
    await this.remember({
      tools: [...list.tools],
      ...(revision !== undefined && { revision }),
      ...(isDiscovery(discover) && { discover }),
    });
    return list;
  }

  async #request(
    client: Client,
    method: string,
    params: JsonObject,
    signal: AbortSignal,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<unknown> {
    const { name, entry } = this.settings;
    const seconds = entry.timeout_seconds ?? CALL_SECONDS;
    try {
      return await client.request({ method, params: { ...params } }, ANY, {
        ...{ headers, signal, timeout: seconds * 1_000, resetTimeoutOnProgress: true },
        maxTotalTimeout: seconds * 1_000 * MAX_EXTENSION,
        // Without it, no token is sent, and no progress is reported.
        onprogress: () => {},
      });
    } catch (error) {
      if (signal.aborted) throw error;
      // Without an answer of the server, its session may be gone: the next call begins another one.
      if (this.#isRemote() && !isAnswer(error)) await client.close();
      const isOver = this.#client !== client;
      const reason = failureReason(error, name);
      const again = this.#isRemote() ? 'connects' : 'starts it';
      const how = isOver ? `It has ended.${this.#lastWords()} The next call ${again} again` : 'It still runs';
      throw new ToolError(
        'io_error',
        `The server ${name} gave no result: ${reason}. The call was sent once and may have had effects. ${how}.`,
      );
    }
  }

  #isRemote(): boolean {
    return this.settings.entry.url !== undefined;
  }

  #lastWords(): string {
    const lines = this.#stderr.map((line) => cleanLine(line, MAX_LINE)).filter((line) => line !== '');
    return lines.length === 0 ? '' : ` Its last lines: ${lines.slice(-3).join(' | ')}`;
  }
}
