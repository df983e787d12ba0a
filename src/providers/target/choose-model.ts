import type { Clock } from '../../agent/ports/clock.ts';
import type { LanguageModel, ReasoningEffort } from '../../agent/ports/language-model.ts';
import type { Fetch } from '../http/fetch-stream.ts';
import { createLimits, type FindLimits, type Limits, type UserLimits } from '../limits/find-limits.ts';
import { knownWindow, withLimits } from '../limits/with-limits.ts';
import { withOfferedModels } from '../offered-models.ts';
import { withoutRejectedPictures } from '../rejected-pictures.ts';
import { withoutEmptyAnswers, withRetry } from '../retry.ts';
import { inServiceForm } from '../service/in-service-form.ts';
import { withOtherWire } from '../service/other-wire.ts';
import { rulesFor } from '../service/services.ts';
import { withTextCalls } from '../text-calls/with-text-calls.ts';
import { withWindowEnds } from '../window-ends.ts';
import type { OfferedModel, ReadToken, WireOptions } from '../wire-options.ts';
import { loadWire, WIRES, type Wire } from '../wires.ts';
import { chooseKey, isSet, type KeyChoice } from './choose-key.ts';
import { findTarget, type TargetConfig, type TargetRefusal } from './find-target.ts';
import { GENERIC_PROVIDER, PROVIDERS, type ProviderPreset } from './presets.ts';
import { createTokenReader, type RunProgram } from './token-command.ts';

/** The part of the configuration that a model depends on, with the key names of the configuration file. */
export interface ModelConfig {
  readonly llm: TargetConfig & {
    readonly model?: string | undefined;
    readonly api_key_variable?: string | undefined;
    readonly headers?: Readonly<Record<string, string>> | undefined;
    readonly ca_file?: string | undefined;
    readonly temperature?: number | undefined;
    readonly max_tokens: number;
    readonly reasoning_effort?: ReasoningEffort | undefined;
    readonly tool_protocol?: 'native' | 'xnl' | undefined;
    readonly timeout_seconds?: number | undefined;
  };
  readonly agent: { readonly retry_attempts: number; readonly retry_backoff_base_ms: number };
  readonly context?: { readonly max_tokens?: number | undefined; readonly [key: string]: unknown };
  /** The limits that the user has set; absent: those of `llm` and `context`. */
  readonly limits?: UserLimits | undefined;
}

export interface ModelPorts {
  readonly clock: Clock;
  /** Random numbers from 0 to below 1. */
  readonly random: () => number;
  /** Creates the `fetch` of a model; `globalThis.fetch` when absent. Throws `UsageError` for an unusable file. */
  readonly openFetch?: ((settings: FetchSettings) => Promise<Fetch>) | undefined;
  /** Runs a program that prints a token. */
  readonly runProgram?: RunProgram | undefined;
}

/** Properties of a connection. */
export interface FetchSettings {
  /** The server is on this machine, so no proxy is used. */
  readonly local: boolean;
  /** Absolute path, or a path below `~`, of a file with certificates to trust, in PEM format. */
  readonly caFile: string | undefined;
}

/** The configured model, or the reason why it cannot be used; `key` is the configuration key to change. */
export type ModelChoice =
  | {
      readonly type: 'model';
      /** Provider and model: `ollama/qwen3:14b`. */
      readonly name: string;
      /** The address of the requests. */
      readonly endpoint: string;
      /** The key of the requests, for people: `with the key in OPENAI_API_KEY`. */
      readonly key: string;
      readonly isKeyless: boolean;
      /** Runs the program that prints the key. Rejects with `ModelError` when it prints none; absent: no program does. */
      readonly checkKey?: () => Promise<void>;
      /** Loads the code of the model's wire. Sends no request. */
      open(): Promise<LanguageModel>;
      /** The limits of the model, as a run has them. Throws nothing but the reason of the signal. */
      limits(signal: AbortSignal): Promise<Limits>;
      /** The models that the provider offers. Throws nothing but `ModelError`, or the reason of the signal. */
      listModels(signal: AbortSignal): Promise<readonly OfferedModel[]>;
    }
  | TargetRefusal;

type Environment = Readonly<Record<string, string | undefined>>;

/** The timeout where the user sets none, in seconds. A model on this machine reads a long conversation slowly. */
const TIMEOUT_SECONDS = { local: 600, other: 300 };

/** The maximum time for listing the models of a provider in an error. */
const LOOK_UP_MS = 10_000;

/**
 * Chooses the model that the configuration names, without loading its wire or sending a request. `chooseKey` decides
 * which key the requests carry.
 */
export function chooseModel(config: ModelConfig, environment: Environment, ports: ModelPorts): ModelChoice {
  const { llm, agent } = config;
  const target = findTarget(llm, environment);
  if (target.type === 'refused') return target;
  const { preset, wire, otherWire, endpoint, fixedWindow } = target;
  const model = llm.model ?? preset.model;
  if (model === undefined) {
    const message = `${preset.label} has no default model. Choose one: --model <name>, or llm.model. ybs models lists them.`;
    return { type: 'refused', key: 'llm.model', message };
  }
  const key = chooseKey({
    preset,
    keyHeader: WIRES[wire].keyHeader,
    endpoint,
    configured: llm.api_key_variable,
    environment,
  });
  if (key.type === 'refused') return key;
  const sentKey = describeKey(key, ports);
  const isOwnServer = preset.endpoint === undefined || new URL(preset.endpoint).origin === endpoint.origin;
  const defaultTimeout = endpoint.local && llm.provider !== 'mock' ? TIMEOUT_SECONDS.local : TIMEOUT_SECONDS.other;
  const user = config.limits ?? { window: config.context?.max_tokens, answer: llm.max_tokens };
  const options: WireOptions = {
    provider: llm.provider,
    label: isOwnServer && llm.provider !== GENERIC_PROVIDER ? preset.label : `The server at ${endpoint.origin}`,
    endpoint: endpoint.url,
    wire: WIRES[wire].title,
    usualPath: preset.basePath ?? WIRES[wire].basePath,
    model,
    ...sentKey.options,
    headers: { ...(isOwnServer ? preset.headers : {}), ...projectHeader(key, preset, environment), ...llm.headers },
    pictureHeaders: isOwnServer ? preset.pictureHeaders : undefined,
    maxTokens: llm.max_tokens,
    temperature: llm.temperature,
    reasoningEffort: llm.reasoning_effort,
    maxContextTokens: user.window,
    timeoutMs: (llm.timeout_seconds ?? defaultTimeout) * 1000,
    startCommand: isOwnServer ? preset.startCommand : undefined,
    fetchCommand: isOwnServer && preset.fetchCommand !== undefined ? `${preset.fetchCommand} ${model}` : undefined,
    local: endpoint.local,
    alternatives: isOwnServer && endpoint.local ? alternativesTo(llm.provider, environment) : undefined,
    clock: ports.clock,
  };
  const connect = async () => ({
    ...options,
    fetch: await ports.openFetch?.({ local: endpoint.local, caFile: llm.ca_file }),
  });
  const list = async (connected: WireOptions, signal: AbortSignal) =>
    (await import('../list-models.ts')).listModels(wire, connected, signal);
  const speakOver = async (connected: WireOptions, chosen: Wire, find: FindLimits) => {
    const rules = rulesFor(chosen, endpoint.url, model);
    return inServiceForm(
      await loadWire(chosen),
      { ...connected, wire: WIRES[chosen].title },
      rules,
      async (signal) => (await find(signal)).answer.tokens,
    );
  };
  /** The model over its wire, and its limits. The server is asked for them unless it states nothing. */
  const openWire = async (connected: WireOptions) => {
    const lookUp = { ...connected, timeoutMs: Math.min(connected.timeoutMs, LOOK_UP_MS) };
    const asks = llm.provider !== 'mock' && (preset.isSilent !== true || !isOwnServer);
    const spoken = await speakOver(connected, wire, (signal) => find(signal));
    const isFixed = fixedWindow !== undefined && user.window === undefined;
    const sized = isFixed ? { contextWindow: async () => fixedWindow } : spoken;
    // Ollama's window is the one that is sent, which the setting has limited already.
    const own = wire === 'ollama-chat' ? { answer: user.answer } : user;
    const find: FindLimits = createLimits(sized, lookUp, own, asks ? (signal) => list(lookUp, signal) : undefined);
    return { spoken, find, lookUp };
  };
  const retry = { attempts: agent.retry_attempts, backoffBaseMs: agent.retry_backoff_base_ms };
  return {
    type: 'model',
    name: `${llm.provider}/${model}`,
    endpoint: endpoint.url,
    key: sentKey.shown,
    isKeyless: sentKey.options.apiKey === undefined,
    ...(typeof sentKey.options.apiKey === 'function' && { checkKey: tokenCheck(sentKey.options.apiKey) }),
    async open() {
      const connected = await connect();
      const { spoken, find, lookUp } = await openWire(connected);
      const formed =
        otherWire === undefined ? spoken : withOtherWire(spoken, () => speakOver(connected, otherWire, find));
      const plain = withTextCalls(withoutRejectedPictures(formed));
      const speaking = llm.tool_protocol === 'xnl' ? (await import('../xnl/xnl-model.ts')).withXnl(plain) : plain;
      const created = withOfferedModels(speaking, (signal) => list(lookUp, signal));
      const sized = withWindowEnds(
        { ...created, contextWindow: knownWindow(find) },
        async (signal) => (await find(signal)).answer.tokens,
      );
      const answering = withoutEmptyAnswers(withLimits(sized, options.label, find, llm.tool_protocol));
      return withRetry(answering, ports.clock, retry, ports.random);
    },
    limits: async (signal) => (await openWire(await connect())).find(signal),
    listModels: async (signal) => list(await connect(), signal),
  };
}

function tokenCheck(read: ReadToken): () => Promise<void> {
  return async () => {
    await read(new AbortController().signal);
  };
}

/** The options of a key, and its description for people. */
function describeKey(
  key: Exclude<KeyChoice, { type: 'refused' }>,
  { runProgram, clock }: ModelPorts,
): { readonly shown: string; readonly options: Pick<WireOptions, 'apiKey' | 'keyHeader' | 'keyVariable'> } {
  switch (key.type) {
    case 'none':
      return { shown: 'without a key', options: {} };
    case 'key': {
      const options = { apiKey: key.value, keyHeader: key.header, keyVariable: key.variable };
      return { shown: `with the key in ${key.variable}`, options };
    }
    case 'token': {
      const run = runProgram ?? (async () => ({ type: 'failed', reason: 'programs cannot be run here' }) as const);
      const programs = new Set(key.commands.map(({ program }) => program));
      const apiKey = createTokenReader(key.commands, run, clock);
      return {
        shown: `with a token of ${[...programs].join(' or ')}`,
        options: { apiKey, keyHeader: 'authorization' },
      };
    }
  }
}

/** Google attributes a request with a user's token to this project. */
function projectHeader(
  key: KeyChoice,
  { projectVariable }: ProviderPreset,
  environment: Environment,
): Readonly<Record<string, string>> {
  const project = projectVariable === undefined ? '' : (environment[projectVariable]?.trim() ?? '');
  return key.type === 'token' && project !== '' ? { 'x-goog-user-project': project } : {};
}

/** The providers that need no server on this machine: those whose key is in the environment, and the mock. */
function alternativesTo(current: string, environment: Environment): string | undefined {
  if (current === 'mock') return undefined;
  const withKey = [...PROVIDERS].flatMap(([name, { endpoint, keyVariables }]) => {
    const variable = keyVariables?.find((key) => isSet(environment, key));
    return variable === undefined || endpoint === undefined ? [] : [`--provider ${name} (${variable} is set)`];
  });
  return `${[...withKey, '--provider mock (replays stories, needs no key)'].join(', ')}; ybs init configures one`;
}
