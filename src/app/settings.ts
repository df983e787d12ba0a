import type { Clock } from '../agent/ports/clock.ts';
import type { ComputeDigest } from '../agent/ports/digest.ts';
import type { FileSystem } from '../agent/ports/file-system.ts';
import type { JsonObject } from '../agent/ports/json.ts';
import type { SandboxState, Shell } from '../agent/ports/shell.ts';
import type { Tool } from '../agent/ports/tool.ts';
import type { HostOptions } from '../config/host-options.ts';
import type { PolicyText } from '../config/layers/policy-layer.ts';
import type { ConfigOptions } from '../config/layers/sources.ts';
import type { Config } from '../config/schema.ts';
import type { ProjectTrust } from '../config/trust/project-trust.ts';
import type { PathPlatform } from '../policy/paths/path-policy.ts';
import type { PolicyLimits } from '../policy/policy-limits.ts';
import type { SandboxTrials } from '../policy/sandbox/describe-sandbox.ts';
import type { SandboxRules } from '../policy/sandbox/rules.ts';
import type { ModelPorts } from '../providers/target/choose-model.ts';
import type { ChosenModel, StartMockModel } from '../providers/target/chosen-model.ts';
import type { SessionChoice } from '../session/choose-session.ts';
import type { RunGit } from '../session/git/git-command.ts';
import type { Processes } from '../session/log/processes.ts';
import type { ExternalToolSettings } from '../tools/external-tool/discovery.ts';
import type { LoginMachine } from '../tools/mcp/login/login.ts';
import type { McpServerSettings, StartServer } from '../tools/mcp/settings.ts';
import type { TextSearch } from '../tools/search/text-search.ts';
import type { CallHooks } from '../tools/wrappers/hooked-tools.ts';
import type { Agent } from './session.ts';

/** The machine that ybs runs on: values that `cli/main` reads once, and the adapters it chooses. */
export interface Machine {
  readonly platform: PathPlatform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the user's home directory. */
  readonly home: string;
  readonly temporaryDirectory: string;
  /** The directories in which this process works. No program in them is started outside of the sandbox. */
  readonly projects?: Set<string>;
  /** Resolves a path against the current directory. */
  readonly resolvePath: (path: string) => string;
  readonly newId: () => string;
  readonly random: () => number;
  readonly clock: Clock;
  readonly digest: ComputeDigest;
  readonly fileSystem: FileSystem;
  readonly processes: Processes;
  /** Tries the sandbox for commands in a workspace, once. Absent: the shell of this machine has none. */
  readonly probeSandbox?: (workspace: string) => Promise<SandboxState>;
  /** Reads the policy of the administrator of this machine. */
  readonly readPolicy?: () => Promise<PolicyText | undefined>;
  /** Tries to break each invariant of the sandbox, in a directory of its own. */
  readonly trySandbox?: () => Promise<SandboxTrials>;
  /** Loads the adapters that only an open session needs, so that they do not delay the first prompt. */
  readonly loadSessionAdapters: () => Promise<SessionAdapters>;
  /** Starts the embedded mock model on the stories that come with ybs. */
  readonly startMockModel: StartMockModel;
  /** Creates the `fetch` of a model; by default that of Node.js. */
  readonly openFetch?: ModelPorts['openFetch'];
  /** Runs a program that prints a token. */
  readonly runProgram?: ModelPorts['runProgram'];
  /** Opens the keyring of the system and its browser. */
  readonly openLogins?: () => Promise<LoginMachine>;
  /** Runs git; without it, nothing asks git. */
  readonly runGit?: RunGit;
  /** Free space of the disk of a directory, or of its nearest parent that exists. */
  readonly freeBytes?: (directory: string) => Promise<number>;
  /** The version of ybs, for servers. */
  readonly version?: string;
  /** Shows a warning to the user. */
  readonly warn: (message: string) => Promise<unknown>;
}

/** Adapters that only an open session needs. */
export interface SessionAdapters {
  /**
   * The shell of this machine, and its name for the model. Commands get `environment`, and run in the sandbox, which was
   * tried before, if there are rules for it.
   */
  openShell(
    environment: Readonly<Record<string, string>>,
    sandbox?: SandboxRules,
  ): { readonly shell: Shell; readonly name: string };
  /** Starts the servers of a session, in the sandbox if there are rules for it. Absent: it has no servers. */
  openServerStart?(sandbox?: SandboxRules): Promise<StartServer>;
  /** Text search; no program of the workspace takes part in it. */
  openTextSearch(workspace: string): TextSearch & { dispose(): Promise<void> };
}

/** Options of a session from the command line; each is absent unless given. */
export interface SessionOptions extends SessionChoice, HostOptions, ConfigOptions {
  readonly cwd?: string | undefined;
  readonly dryRun: boolean;
  /** Replaces the decision of the user about the trust in the workspace; for stories. */
  readonly trusted?: boolean | undefined;
}

/** Settings of a session: the command line and the configuration files merged, and the model they name. */
export interface Settings {
  readonly config: Config;
  readonly origins?: ReadonlyMap<string, string>;
  /** Warnings about the configuration files, for the user. */
  readonly warnings?: readonly string[];
  /** The keys in the configuration files, by the variables that they stand for. */
  readonly keys?: Readonly<Record<string, string>>;
  /** Real path of the directory to work in. */
  readonly workspace: string;
  readonly trust: ProjectTrust;
  readonly policy?: PolicyLimits | undefined;
  readonly dryRun: boolean;
  /** Replaces `session.auto_save`. */
  readonly autoSave?: boolean;
  readonly model: ChosenModel;
  /** The sandbox of commands, which is tried with the first call; `undefined` if the machine cannot know. */
  readonly sandbox?: () => Promise<SandboxState | undefined>;
  /** Commands run in the sandbox, although they are decided as `sandbox` says. */
  readonly confined?: boolean;
  /** Replaces the system prompt of ybs, with all its parts. */
  readonly systemPrompt?: string | undefined;
  /** Tools besides those of ybs. */
  readonly tools?: readonly Tool[];
  /** The cost in US dollars at which a run ends. */
  readonly maxBudgetUsd?: number | undefined;
  /** JSON Schema of the answer of each run. */
  readonly answerSchema?: JsonObject | undefined;
  /** Hooks of the program that drives ybs around the calls of all tools. */
  readonly hooks?: CallHooks;
  /** The programs of the user that become tools. */
  readonly externalTools?: ExternalToolSettings;
  /** The servers of the Model Context Protocol. */
  readonly mcpServers?: readonly McpServerSettings[];
  /** Reads the configuration files again. Throws `UsageError`. */
  readonly readExternalTools?: () => Promise<ExternalToolSettings>;
}

/** The settings of the store of sessions, which needs no model. */
export type StoreSettings = Pick<Settings, 'config' | 'keys' | 'workspace' | 'autoSave'>;

/** An agent with an open session. `close` closes the session, the model and the text search. */
export interface OpenSession {
  readonly agent: Agent;
  close(): Promise<void>;
}
