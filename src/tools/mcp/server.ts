import type { Client, PriorDiscovery, Transport } from '@modelcontextprotocol/client';
import { raceAbort } from '../../agent/async/abort.ts';
import { messageOf, ToolError } from '../../agent/errors.ts';
import type { JsonObject } from '../../agent/ports/json.ts';
import { failureReason, isDiscovery, isKind, isModern, olderRevisions } from './answers.ts';
import { connectClient, sendRequest } from './connection/client.ts';
import { type McpPorts, openConnection } from './connection/open-connection.ts';
import { headersOfCall } from './connection/parameter-headers.ts';
import { SSE_TRANSPORT } from './connection/read-messages.ts';
import { sandboxHint } from './connection/sandbox-hint.ts';
import { MAX_LINE, ServerLog } from './connection/server-log.ts';
import { isResourceTool, type McpToolList, readLists, readResources } from './lists.ts';
import { factsOf, type Remembered } from './memory/memory.ts';
import { type ServerQuestions, serverQuestions } from './questions/questions.ts';
import type { GuardedChanges, McpServerSettings } from './settings.ts';
import { cleanLine, cleanText } from './texts.ts';

const START_SECONDS = 30;
const CALL_SECONDS = 60;
const MAX_INSTRUCTIONS = 2_000;

/**
 * One server. It starts with its first use, and again with the next use after it has ended. A call is sent once. All that it
 * says is cleaned before it is kept.
 */
export class McpServer {
  readonly settings: McpServerSettings;
  readonly #ports: McpPorts;
  #remembered: Remembered;
  #stored = Promise.resolve();
  #client: Client | undefined;
  #transport: Transport | undefined;
  readonly #over = new AbortController();
  #starting: Promise<Client> | undefined;
  #list: McpToolList | undefined;
  #state: 'not started' | 'starting' | 'running' | 'ended' | 'failed' = 'not started';
  #problem: string | undefined;
  readonly #log = new ServerLog();
  readonly #questions: ServerQuestions;
  readonly #isRemote: boolean;
  /** The answer to the question for the revisions. */
  #late: JsonObject | undefined;
  #isTold = false;

  constructor(settings: McpServerSettings, remembered: Remembered | undefined, ports: McpPorts) {
    this.settings = settings;
    this.#ports = ports;
    this.#remembered = remembered ?? { version: 1, entry: settings.digest, tools: [], agreed: {} };
    this.#questions = serverQuestions(settings.name, ports.forms);
    this.#isRemote = settings.entry.url !== undefined;
  }

  /** True if the sandbox confines the server. */
  get isConfined(): boolean {
    return !this.#isRemote && this.#ports.startServer.isConfined === true;
  }

  get remembered(): Remembered {
    return this.#remembered;
  }

  /** See `StartServer`. */
  async guardedChanges(): Promise<GuardedChanges> {
    return (await this.#ports.startServer.guardedChanges?.()) ?? {};
  }

  /** The state for people, with the lines that the server has written besides the protocol. */
  get state() {
    const { stray, lastStray } = this.#log;
    return {
      ...{ type: this.#state, problem: this.#problem, stderr: this.#log.lines(), leftOut: this.#list?.problems ?? [] },
      ...{ stray, lastStray, hint: this.#hint },
      revision: this.#client?.getNegotiatedProtocolVersion() ?? this.#remembered.revision,
    };
  }

  /** True if the server runs and has told that its lists have changed. */
  get hasChanged(): boolean {
    return this.#client !== undefined && this.#list === undefined;
  }

  /** The last lines of the server, and what the sandbox may lack for it. */
  get #lastWords(): string {
    return this.#log.lastWords + this.#hint;
  }

  get #hint(): string {
    return this.#problem?.includes(SSE_TRANSPORT) === true ? '' : sandboxHint(this.settings.entry, this.#ports);
  }

  async remember(changes: Partial<Remembered>): Promise<void> {
    this.#remembered = { ...this.#remembered, ...changes };
    // One after another, so that the last one stays.
    const store = (): Promise<void> => factsOf(this.settings, this.#ports).write(this.#remembered);
    this.#stored = this.#stored.then(store, store);
    await this.#stored;
  }

  /** The tools of the running server, which starts if it does not run. Throws `ToolError`. */
  async listTools(signal: AbortSignal): Promise<McpToolList> {
    const client = await this.#running(signal);
    try {
      this.#list ??= await this.#readTools(client, signal);
      return this.#list;
    } catch (error) {
      if (signal.aborted || this.#remembered.discover === undefined) throw error;
      // The server may have been replaced by a version that does not support the stored revision: ask again.
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
    const ask = (method: string, params: JsonObject) => this.#request(client, method, params, signal);
    if (isResourceTool(known)) return readResources(ask, isModern(client), args);
    const headers = this.#isRemote && isModern(client) ? headersOfCall(known?.parameters ?? {}, args) : {};
    return this.#request(client, 'tools/call', { name: tool, arguments: args }, signal, headers);
  }

  /** The messages of a prompt. Throws `ToolError`. */
  async getPrompt(name: string, args: JsonObject, signal: AbortSignal): Promise<unknown> {
    return this.#request(await this.#running(signal), 'prompts/get', { name, arguments: args }, signal);
  }

  /** The instructions of the running server, as quoted lines; empty if there are none, or if they were taken before. */
  takeInstructions(): string {
    const said = this.#isTold ? '' : cleanText(this.#client?.getInstructions() ?? '', MAX_INSTRUCTIONS).trim();
    this.#isTold ||= said !== '';
    const head = `[Instructions of the server ${this.settings.name}, in its own words:]`;
    return said === '' ? '' : `${head}\n${said.replaceAll(/^/gm, '> ')}\n\n`;
  }

  /** Ends the server. Resolves when nothing is left of it. */
  async close(): Promise<void> {
    this.#over.abort();
    // A start that waits for an answer ends with its connection.
    await (this.#client ?? this.#transport)?.close();
    await this.#starting?.catch(() => undefined);
    await this.#client?.close();
    await this.#stored.catch(() => undefined);
  }

  /** The client of the running server. A start that takes too long goes on, and a later call waits for it again. */
  async #running(signal: AbortSignal): Promise<Client> {
    if (this.#client !== undefined) return this.#client;
    this.#starting ??= this.#start();
    const { name, entry } = this.settings;
    const { start_seconds: seconds = START_SECONDS } = entry;
    const limit = AbortSignal.timeout(seconds * 1_000);
    return raceAbort(this.#starting, AbortSignal.any([signal, limit])).catch((error: unknown) => {
      if (signal.aborted) throw new ToolError('io_error', `The start of the server ${name} was not waited for.`);
      if (!limit.aborted) throw error;
      const advice = `It may be loading its program; call again later.${this.#lastWords}`;
      throw new ToolError('timed_out', `The server ${name} is still starting after ${seconds} s. ${advice}`);
    });
  }

  async #start(): Promise<Client> {
    [this.#state, this.#problem, this.#late] = ['starting', undefined, undefined];
    try {
      let client = await this.#connect(this.#knownRevision()).catch((error: unknown) => {
        // A slow start may answer late, and then accepts no older way.
        if (isDiscovery(this.#late)) return this.#connect({ kind: 'modern', discover: this.#late });
        const older = olderRevisions(error);
        if (older.length > 0) return this.#connect({ kind: 'legacy' }, older);
        // Servers of one library end when the first request is not `initialize`, and some over HTTP answer it with nothing.
        const mayBeOlder = this.#isRemote ? !isKind(error, 'refusal') : isKind(error, 'closed');
        if (this.#knownRevision() !== undefined || !mayBeOlder || this.#over.signal.aborted) throw error;
        return this.#connect({ kind: 'legacy' });
      });
      // The server answered the first request before the older one, but after the library stopped waiting for it.
      if (!isModern(client) && isDiscovery(this.#late)) {
        await client.close();
        client = await this.#connect({ kind: 'modern', discover: this.#late });
      }
      [this.#client, this.#state] = [client, 'running'];
      return client;
    } catch (error) {
      this.#state = 'failed';
      this.#problem = this.#reasonOf(error);
      const failure = `The server ${this.settings.name} cannot be used: ${this.#problem}.`;
      throw new ToolError('io_error', `${failure}${this.#lastWords} A later call tries again.`);
    } finally {
      this.#starting = undefined;
    }
  }

  #reasonOf(error: unknown): string {
    return (isKind(error, 'closed') ? this.#log.ended : undefined) ?? failureReason(error, this.settings.name);
  }

  #knownRevision(): PriorDiscovery | undefined {
    const { discover, revision } = this.#remembered;
    if (discover !== undefined) return { kind: 'modern', discover };
    return revision === undefined ? undefined : { kind: 'legacy' };
  }

  /** `revisions`: the older ones to ask for, the first one first; by default all. */
  async #connect(prior: PriorDiscovery | undefined, revisions?: readonly string[]): Promise<Client> {
    this.#log.begin();
    const heard = {
      ...{ log: this.#log, over: this.#over.signal },
      discovered: (result: JsonObject) => this.#hearRevisions(result),
    };
    const transport = await openConnection(this.settings, this.#ports, heard);
    this.#transport = transport;
    // Read again with the next use; the tools of the request stay as they are.
    const changed = (): void => {
      this.#list = undefined;
    };
    const { version } = this.#ports;
    try {
      if (this.#over.signal.aborted) throw new Error('the session has ended');
      const take = (client: Client): void => {
        client.onclose = () => {
          if (this.#client === client) [this.#client, this.#list, this.#state] = [undefined, undefined, 'ended'];
        };
        client.onerror = (error) => {
          this.#problem = cleanLine(messageOf(error), MAX_LINE);
        };
      };
      return await connectClient(transport, { version, questions: this.#questions, changed }, take, prior, revisions);
    } catch (error) {
      await transport.close();
      throw error;
    }
  }

  /** A late answer corrects what is remembered, for the next start. */
  #hearRevisions(result: JsonObject): void {
    this.#late = result;
    if (this.#client !== undefined && isDiscovery(result)) this.remember({ discover: result }).catch(() => {});
  }

  async #readTools(client: Client, signal: AbortSignal): Promise<McpToolList> {
    const revision = client.getNegotiatedProtocolVersion();
    const request = (method: string, params: JsonObject) => this.#request(client, method, params, signal);
    const { list, prompts } = await readLists(request, client.getServerCapabilities() ?? {}, isModern(client));
    const discover = client.getDiscoverResult() ?? this.#late;
    const { discover: _before, ...others } = this.#remembered;
    this.#remembered = others;
    await this.remember({
      tools: [...list.tools],
      ...(prompts && { prompts: [...prompts] }),
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
    const isList = method.endsWith('/list');
    const { stray } = this.#log;
    try {
      const limits = { seconds: entry.timeout_seconds ?? CALL_SECONDS, isAsking: this.#questions.areOpen };
      const request = () => sendRequest(client, method, params, { headers, signal, ...limits });
      return await (isList ? request() : this.#questions.during(request));
    } catch (error) {
      if (signal.aborted) throw error;
      const visit = await this.#questions.visit(error, signal);
      if (visit !== undefined) throw new ToolError('permission_denied', visit);
      // Without an answer of the server, its session may be gone: the next call begins another one.
      if (this.#isRemote && (!isKind(error, 'answer') || isKind(error, 'lost session'))) await client.close();
      const isOdd = isKind(error, 'timeout') && this.#log.stray > stray;
      const odd = isOdd ? `; it printed a line that answers nothing: ${this.#log.lastStray}` : '';
      const reason = this.#reasonOf(error) + odd;
      const code = isKind(error, 'unknown method') ? 'not_found' : 'io_error';
      const runs = this.#client === client;
      const last = runs ? '' : this.#log.lastWords;
      if (isList) throw new ToolError(code, `The server ${name} gave no list (${method}): ${reason}.${last}`);
      const again = `It has ended.${last} The next call ${this.#isRemote ? 'connects' : 'starts it'} again`;
      const how = `The call was sent once and may have had effects. ${runs ? 'It still runs' : again}.`;
      throw new ToolError('io_error', `The server ${name} gave no result: ${reason}. ${how}`);
    }
  }
}

/** The servers of a session, with what is remembered of them. Starts none. */
export function openMcpServers(all: readonly McpServerSettings[], ports: McpPorts): Promise<readonly McpServer[]> {
  const enabled = all.filter(({ entry }) => entry.enabled !== false);
  return Promise.all(enabled.map(async (each) => new McpServer(each, await factsOf(each, ports).read(), ports)));
}
