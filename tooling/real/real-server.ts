import type { MarkupName } from '../../mock-llm-server/weights/markups/markups.ts';
import type { Wire } from '../../src/providers/wires.ts';

/** A command of an installation or of the preparation of a model, without a shell. */
export interface InstallCommand {
  readonly command: readonly [file: string, ...args: string[]];
  readonly directory?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** The path of a file that this command must have written, with its SHA-256. */
  readonly verify?: { readonly file: string; readonly sha256: string };
  /** A text that standard output must contain: the checksum that a registry's client prints. */
  readonly prints?: string;
}

/** A wire on which a running server offers a model. */
export interface Address {
  readonly wire: Wire;
  readonly endpoint: string;
  readonly model: string;
  /** The server behind a gateway; absent if the server itself plays the model. */
  readonly behind?: string;
  /** Present if the server does not state its window, or has none, so that there is nothing to compare. */
  readonly window?: 'not stated' | 'none';
}

/** The files of a model whose weights are a script, as `mock-llm-server weights` writes them. */
export interface ModelFiles {
  readonly directory: string;
  /** The window that the server shall load. */
  readonly window: number;
  /** The markup of reasoning and calls. */
  readonly markup: MarkupName;
  /** The scenario files and directories that it was compiled from. */
  readonly scenarios: readonly string[];
  /** The names of the stories of this project among them. */
  readonly stories: readonly string[];
}

/** The start of a server. */
export interface ServerStart {
  readonly file: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Answers with a success as soon as the server is ready. */
  readonly readyUrl: string;
  readonly readyMs: number;
  /** Loads the model after the start. */
  readonly load?: readonly InstallCommand[];
  /** Servers that must be ready before this one starts. */
  readonly behind?: readonly Omit<ServerStart, 'addresses'>[];
  /** The model as its user names it, on each wire. */
  readonly addresses: readonly Address[];
}

/** Surroundings of a start. */
export interface StartContext {
  /** The directory of the installation. */
  readonly installation: string;
  /** A new directory for whatever the server writes. */
  readonly temporary: string;
  readonly model: ModelFiles;
  freePort(): Promise<number>;
  /** The directory of the installation of another server; undefined if that is not installed. */
  installationOf(name: string): Promise<string | undefined>;
}

/** A model server that is installed from a package registry by name, version and checksum. */
export interface RealServer {
  readonly name: string;
  readonly version: string;
  /** Time and size of the installation on two processors, for the user. */
  readonly cost: string;
  /** True if it is installed only when its name is given, because it is very large. */
  readonly onlyByName?: true;
  /** The markups for which it has a parser; all if absent. */
  readonly markups?: readonly MarkupName[];
  /** The commands that install it into this directory, in order. */
  install(directory: string): readonly InstallCommand[];
  /** The program of an installation, by which it is recognised. */
  program(directory: string): string;
  start(context: StartContext): Promise<ServerStart>;
}

/** The addresses of a server with the three APIs that most servers copy. */
export function ofOpenAiServer(base: string, model: string): readonly Address[] {
  return [
    { wire: 'openai-chat', endpoint: `${base}/v1`, model },
    { wire: 'openai-responses', endpoint: `${base}/v1`, model },
    { wire: 'anthropic-messages', endpoint: base, model },
  ];
}
