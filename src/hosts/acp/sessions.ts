import type {
  AgentContext,
  ClientCapabilities,
  ContentBlock,
  RequestPermissionRequest,
  SessionUpdate,
  StopReason,
} from '@agentclientprotocol/sdk';
import type { PermissionMode } from '../../agent/ports/approver.ts';
import type { FileSystem } from '../../agent/ports/file-system.ts';
import type { ApprovalFront } from '../../app/driver/questions.ts';
import { SessionDriver, type Work } from '../../app/driver/session-driver.ts';
import type { Agent } from '../../app/session.ts';
import type { Machine, SessionAdapters, SessionOptions, Settings } from '../../app/settings.ts';
import { createWiring, type Wiring } from '../../app/wiring.ts';
import { configuredVariables } from '../../config/agent-settings.ts';
import { ownDirectories } from '../../config/layers/sources.ts';
import { contains, pathFlavour } from '../../policy/paths/path-policy.ts';
import { expandPath } from '../../policy/paths/written-path.ts';
import { keptApprovals } from '../../policy/policy-limits.ts';
import { keyVariables } from '../../providers/target/presets.ts';
import { readEvent } from '../../session/log/read-line.ts';
import { invalidParams, stopReasonOf } from './answers.ts';
import { terminalContent } from './call-content.ts';
import { withClientFiles } from './client-files.ts';
import { withClientTerminals } from './client-terminals.ts';
import { acpDecision, formsOf, permissionQuestion } from './permission.ts';
import { promptOf } from './prompt.ts';
import { createUpdateEncoder, type EncoderFacts } from './updates.ts';

/** The parts that the sessions of a client need. */
export interface AcpPorts {
  readonly machine: Machine;
  readonly wiring: Pick<Wiring, 'loadSettings' | 'chooseSession' | 'openSession'>;
  readonly options: SessionOptions;
  /** Called after each turn. */
  readonly afterTurn: () => Promise<void>;
}

/** The directories of a session, and its id if it is stored. */
export interface SessionPlace {
  readonly cwd: string;
  readonly additionalDirectories?: readonly string[];
  readonly sessionId?: string;
}

/** A session of a client. An item of its driver is a prompt, of which there is one at a time. */
interface ServedSession {
  readonly agent: Agent;
  readonly driver: SessionDriver<'prompt'>;
  readonly place: Place;
}

/** The open sessions of one connection. */
export class Sessions {
  readonly #open = new Map<string, ServedSession>();
  readonly #ports: AcpPorts;
  /** The capabilities of the client, from `initialize`. */
  client: ClientCapabilities = {};

  constructor(ports: AcpPorts) {
    this.#ports = ports;
  }

  /** Decides the next calls of an open session in another mode. */
  setMode(id: string, mode: PermissionMode): Promise<void> {
    return this.#find(id).driver.setMode(mode);
  }

  /** Opens a session: a new one, or the stored one with the id `sessionId`. */
  async open(
    { cwd, additionalDirectories = [], sessionId: resume }: SessionPlace,
    context: AgentContext,
  ): Promise<Agent> {
    const known = resume === undefined ? undefined : this.#open.get(resume);
    if (known !== undefined) return known.agent;
    const { wiring, options, machine } = this.#ports;
    if (!pathFlavour(machine.platform).isAbsolute(cwd)) {
      throw invalidParams(`The directory of a session must be an absolute path, which ${JSON.stringify(cwd)} is not.`);
    }
    const addDirectories = [...(options.addDirectories ?? []), ...additionalDirectories];
    const chosen = { ...options, cwd, addDirectories, ...(resume !== undefined && { resume }) };
    const settings = await wiring.loadSettings(chosen);
    const place: Place = { id: '', context, terminals: new Map(), usesTerminals: false };
    const driver = new SessionDriver<'prompt'>({
      openSession: async (approver) =>
        this.#wiringFor(settings, place).openSession(settings, approver, await wiring.chooseSession(chosen, settings)),
      approvals: approvalsOf(
        place,
        this.client,
        keptApprovals(settings.config.safety.persist_approvals, settings.policy),
      ),
      afterTurn: this.#ports.afterTurn,
    });
    const agent = await driver.agent();
    place.id = agent.record.id;
    this.#open.set(place.id, { agent, driver, place });
    return agent;
  }

  /** Sends the stored events of a session as updates. */
  async replay(id: string, context: AgentContext): Promise<void> {
    const encode = createUpdateEncoder({ replays: true });
    for await (const line of this.#find(id).agent.record.lines()) {
      const event = readEvent(line);
      if (event !== undefined) await send(context, id, encode(event));
    }
  }

  /**
   * Runs a prompt to its end. One at a time in a session, unless the client says with `delivery` that it is for the next
   * request of the run in progress, or for the time after that run.
   */
  async prompt(
    id: string,
    blocks: readonly ContentBlock[],
    context: AgentContext,
    delivery?: unknown,
  ): Promise<StopReason> {
    const session = this.#find(id);
    const { driver } = session;
    if (driver.current !== undefined || driver.queue.length > 0) {
      if (delivery === 'next_request') return this.#steer(driver, blocks);
      if (delivery !== 'after_run')
        throw invalidParams('A prompt of this session is running. Wait for its end, or cancel it.');
    }
    return (await driver.submit((work) => this.#run(session, blocks, context, work), 'prompt')) ?? 'cancelled';
  }

  /** Gives a prompt to the run in progress. It ends when the run has taken it. */
  async #steer(driver: ServedSession['driver'], blocks: readonly ContentBlock[]): Promise<StopReason> {
    const { text } = promptOf(blocks);
    if (await driver.steer(text)) return 'end_turn';
    throw invalidParams('The run has ended before another request. Send the prompt again.');
  }

  /** Stops the prompt that is running in a session, if any. */
  cancel(id: string): void {
    this.#open.get(id)?.driver.stop();
  }

  /** Closes a session, after its prompt has been stopped. */
  async close(id: string): Promise<void> {
    const { driver } = this.#find(id);
    this.#open.delete(id);
    await driver.close();
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((id) => this.close(id)));
  }

  /** Runs a prompt. When the client disconnects, the run is stopped, but still reaches its end, which its log needs. */
  async #run(
    { agent, place: { terminals } }: ServedSession,
    blocks: readonly ContentBlock[],
    context: AgentContext,
    { run, signal }: Work,
  ): Promise<StopReason> {
    terminals.clear();
    const facts: EncoderFacts = { notices: this.client.session?.notices != null, terminals };
    const encode = createUpdateEncoder(facts);
    const end = await run(promptOf(blocks), async (event) => {
      // The model knows its window after the first request, so that this sends no request.
      if (event.type === 'usage') facts.window ??= await windowOf(agent, signal);
      return send(context, agent.record.id, encode(event)).then(
        () => true,
        () => false,
      );
    });
    return stopReasonOf(end);
  }

  #find(id: string): ServedSession {
    const session = this.#open.get(id);
    if (session !== undefined) return session;
    throw invalidParams(`The session ${id} is not open. Begin one with session/new, or open it with session/load.`);
  }

  /** Wiring whose files and terminals are those of the client, as far as it offers them. */
  #wiringFor(settings: Settings, place: Place): Pick<Wiring, 'openSession'> {
    const { machine, wiring } = this.#ports;
    const { fs: { readTextFile, writeTextFile } = {}, terminal } = this.client;
    const hasFiles = readTextFile === true || writeTextFile === true;
    if (!hasFiles && terminal !== true) return wiring;
    return createWiring({
      ...machine,
      ...(hasFiles && { fileSystem: filesFor(machine, settings, place, this.client) }),
      ...(terminal === true && { loadSessionAdapters: () => adaptersFor(machine, settings, place) }),
    });
  }
}

/** The connection and the id of a session, which is empty while it is being opened. */
interface Place {
  id: string;
  readonly context: AgentContext;
  /** The terminals of the client in which calls of the last run ran, by the ids of the calls. */
  readonly terminals: Map<string, string>;
  /** True if commands run in terminals of the client. */
  usesTerminals: boolean;
}

/** The adapters of a session whose commands run in terminals of the client, unless there is a sandbox for them. */
async function adaptersFor(machine: Machine, { config }: Settings, place: Place): Promise<SessionAdapters> {
  const [adapters, { secretNames }] = await Promise.all([
    machine.loadSessionAdapters(),
    import('../../tools/shell/shell-environment.ts'),
  ]);
  const { context, terminals } = place;
  return {
    ...adapters,
    openShell(environment, sandbox) {
      const opened = adapters.openShell(environment, sandbox);
      if (sandbox !== undefined) return opened;
      const shell = withClientTerminals(opened, {
        clock: machine.clock,
        secrets: secretNames(machine.environment, keyVariables(configuredVariables(config))),
        create: (command) => context.createTerminal({ sessionId: place.id, ...command }),
        onOpen(callId, id) {
          terminals.set(callId, id);
          const content = [terminalContent(id)];
          send(context, place.id, [{ sessionUpdate: 'tool_call_update', toolCallId: callId, content }]).catch(() => {});
        },
      });
      place.usesTerminals = shell !== opened.shell;
      return { ...opened, shell };
    },
  };
}

/** The file system of a session. The client does not know its id before it is open, and gets none of ybs's own files. */
function filesFor(
  machine: Machine,
  { config, workspace }: Settings,
  place: Place,
  client: ClientCapabilities,
): FileSystem {
  const { platform, home, fileSystem } = machine;
  const own = ownDirectories(config, machine).map((directory) => expandPath(directory, { workspace, platform, home }));
  const { context } = place;
  return withClientFiles(fileSystem, {
    covers: (path) =>
      place.id !== '' &&
      contains(workspace, path, platform) &&
      !own.some((directory) => contains(directory, path, platform)),
    join: pathFlavour(platform).join,
    ...(client.fs?.readTextFile === true && {
      readText: async (path) => (await context.request('fs/read_text_file', { sessionId: place.id, path })).content,
    }),
    ...(client.fs?.writeTextFile === true && {
      writeText: async (path, content) => {
        await context.request('fs/write_text_file', { sessionId: place.id, path, content });
      },
    }),
  });
}

/** Questions for approval to the client, which answers each request by itself. */
function approvalsOf(place: Place, client: ClientCapabilities, keepsApprovals: boolean | undefined): ApprovalFront {
  return {
    newId: ({ callId }) => callId,
    forms: formsOf(
      client,
      (request, signal) => place.context.request('elicitation/create', request, stopsWith(signal)),
      () => place.id,
    ),
    async show(_id, request, signal) {
      const question: RequestPermissionRequest = {
        sessionId: place.id,
        ...permissionQuestion(request, { keepsApprovals, inTerminal: place.usesTerminals }),
      };
      const { outcome } = await place.context.request('session/request_permission', question, stopsWith(signal));
      return acpDecision(outcome, request, keepsApprovals);
    },
  };
}

const stopsWith = (signal: AbortSignal) => ({ cancellationSignal: signal, stopWaitingOnCancel: true });

async function windowOf(agent: Agent, signal: AbortSignal): Promise<number | undefined> {
  return agent.measureContext(signal).then(
    ({ window }) => window,
    () => undefined,
  );
}

async function send(context: AgentContext, sessionId: string, updates: readonly SessionUpdate[]): Promise<void> {
  for (const update of updates) await context.notify('session/update', { sessionId, update });
}
