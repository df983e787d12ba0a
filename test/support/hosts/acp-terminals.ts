import { type ChildProcess, spawn } from 'node:child_process';
import type {
  CreateTerminalRequest,
  TerminalOutputResponse,
  WaitForTerminalExitResponse,
} from '@agentclientprotocol/sdk';

interface OpenTerminal {
  readonly child: ChildProcess;
  readonly ended: Promise<WaitForTerminalExitResponse>;
  output: string;
}

/**
 * The terminals of a client that starts `command` with `args` itself, without a shell, and adds `env` to its own
 * environment, as the protocol says. Their input stays open, as that of a terminal does.
 */
export class TestTerminals {
  readonly #open = new Map<string, OpenTerminal>();
  readonly #environment: Readonly<Record<string, string>>;
  /** The requests for terminals, and the ids of those that were killed and released, in their order. */
  readonly created: CreateTerminalRequest[] = [];
  readonly killed: string[] = [];
  readonly released: string[] = [];
  /** Called when a terminal has been created. */
  onCreate: () => void = () => {};

  /** `environment` is that of the client. */
  constructor(environment: Readonly<Record<string, string>> = {}) {
    this.#environment = environment;
  }

  create(request: CreateTerminalRequest): string {
    this.created.push(request);
    const { command, args = [], env = [], cwd } = request;
    const given = Object.fromEntries(env.map(({ name, value }) => [name, value]));
    const child = spawn(command, args, {
      ...(cwd != null && { cwd }),
      env: { ...this.#environment, ...given },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const ended = new Promise<WaitForTerminalExitResponse>((resolve) => {
      child.once('close', (exitCode, signal) => resolve({ exitCode, signal }));
    });
    const terminal: OpenTerminal = { child, ended, output: '' };
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        terminal.output += text;
      });
    }
    const id = `terminal-${this.created.length}`;
    this.#open.set(id, terminal);
    this.onCreate();
    return id;
  }

  output(id: string): TerminalOutputResponse {
    return { output: this.#find(id).output, truncated: false };
  }

  waitForExit(id: string): Promise<WaitForTerminalExitResponse> {
    return this.#find(id).ended;
  }

  kill(id: string): Record<string, never> {
    this.killed.push(id);
    this.#find(id).child.kill('SIGKILL');
    return {};
  }

  release(id: string): Record<string, never> {
    this.#find(id).child.kill('SIGKILL');
    this.#open.delete(id);
    this.released.push(id);
    return {};
  }

  #find(id: string): OpenTerminal {
    const terminal = this.#open.get(id);
    if (terminal === undefined) throw new Error(`unknown terminal: ${id}`);
    return terminal;
  }
}
