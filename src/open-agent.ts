import { type input, prettifyError } from 'zod';
import { UsageError } from './agent/errors.ts';
import type { Approver } from './agent/ports/approver.ts';
import type { LanguageModel } from './agent/ports/language-model.ts';
import type { Tool } from './agent/ports/tool.ts';
import { CONFIG_KEYS } from './app/config-keys.data.ts';
import type { Agent, Prompt } from './app/session.ts';
import type { Machine } from './app/settings.ts';
import { createWiring } from './app/wiring.ts';
import { indexKeys } from './config/describe/keys.ts';
import { mergeLayers } from './config/layers/merge-layers.ts';
import { layerOf, readLayer } from './config/layers/read-layer.ts';
import type { Config, ConfigSchema } from './config/schema.ts';
import { readMachine } from './node/machine.ts';
import { modelVariables } from './providers/target/presets.ts';
import { TOOL_ALIASES } from './tools/dialects/aliases.ts';
import { TOOL_NAMES } from './tools/tools.ts';

/** Options of `openAgent`. Every one has a default. */
export interface AgentOptions {
  /**
   * The keys of the configuration file, with the same defaults. No configuration file is read; the environment applies.
   */
  readonly config?: input<ConfigSchema>;
  /** The directory to work in, relative to the current directory, which is the default. */
  readonly workspace?: string;
  /** The workspace is trusted: the model sees the state of its git repository. False by default. */
  readonly trusted?: boolean;
  /** A model of your own, instead of the one that `config.llm` names. */
  readonly model?: LanguageModel;
  /** Answers the questions of the permission mode; by default each one is denied. */
  readonly approver?: Approver;
  /** Replaces the system prompt of ybs. */
  readonly systemPrompt?: string;
  /** Tools besides those of ybs, which `config.tools.builtin` can turn off. */
  readonly tools?: readonly Tool[];
  /** Replaces parts of this machine: its file system, its shell and text search, its clock. */
  readonly adapters?: Partial<Pick<Machine, 'fileSystem' | 'loadSessionAdapters' | 'clock' | 'environment' | 'home'>>;
}

/** An agent with its resources. */
export interface OpenAgent extends Omit<Agent, 'run'>, AsyncDisposable {
  /** As `run` of `Agent`; without a signal, nothing aborts the run. */
  run(prompt: string | Prompt, signal?: AbortSignal): ReturnType<Agent['run']>;
  /** Closes the model, ends the threads of searches and removes the logs of commands. */
  close(): Promise<void>;
}

/**
 * Opens an agent on this machine. Rejects with `UsageError` when the directory, the configuration or the model cannot
 * be used.
 */
export async function openAgent(options: AgentOptions = {}): Promise<OpenAgent> {
  const { workspace: directory = '.', trusted = false, approver = NOBODY, model, systemPrompt, tools } = options;
  const machine = {
    ...(await readMachine({ startMockModel: refuseMockModel, warn: async () => {} })),
    ...options.adapters,
  };
  const config = await readConfig(options.config, machine.environment);
  const wiring = createWiring(machine);
  const settings = await wiring.useConfig(config, { directory, model, trusted });
  const { agent, close } = await wiring.openSession(
    { ...settings, ...(systemPrompt !== undefined && { systemPrompt }), ...(tools !== undefined && { tools }) },
    approver,
  );
  const opened: Pick<OpenAgent, 'run' | 'close' | typeof Symbol.asyncDispose> = {
    run: (prompt, signal = new AbortController().signal) => agent.run(prompt, signal),
    close,
    [Symbol.asyncDispose]: close,
  };
  // Many properties of an agent are getters. A copy of their values would stay as they are at the start.
  const properties = { ...Object.getOwnPropertyDescriptors(agent), ...Object.getOwnPropertyDescriptors(opened) };
  return Object.defineProperties({ ...agent, ...opened }, properties);
}

/** Denies every question, because there is nobody to ask. */
const NOBODY: Approver = { decide: async () => ({ type: 'unavailable' }) };

/** The keys of the configuration, with a schema that the first agent builds for all. */
const KEYS = indexKeys(CONFIG_KEYS, TOOL_NAMES, async () => TOOL_ALIASES);

/** Merges the option with the environment, as if it were a configuration file. */
async function readConfig(values: AgentOptions['config'] = {}, environment: Machine['environment']): Promise<Config> {
  const parsed = (await KEYS.loadSchema()).safeParse(values);
  if (!parsed.success) throw new UsageError(`The option config is invalid:\n${prettifyError(parsed.error)}`);
  // A program that uses the library decides whether it leaves files behind.
  const chosen = {
    ...values,
    session: { auto_save: false, ...values.session },
    // Nor does it expect the user's own programs among its tools.
    tools: { search_paths: [], ...values.tools },
  };
  const option = await readLayer(KEYS, 'the option config', true, JSON.stringify(chosen));
  const commandLine = await layerOf(KEYS, 'command line', {});
  const variables = modelVariables(environment);
  return (await mergeLayers(KEYS, { files: [option], variables, commandLine })).config;
}

async function refuseMockModel(): Promise<never> {
  throw new UsageError(
    'The library has no embedded mock model. Start one with startMockLlm of ybs/testing, and set config.llm.endpoint to its URL.',
  );
}
