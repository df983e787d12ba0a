import { messageOf } from '../../agent/errors.ts';
import type { DescribedModel } from '../limits/describe-model.ts';
import { chooseModel, type ModelConfig, type ModelPorts } from './choose-model.ts';
import { GENERIC_PROVIDER } from './presets.ts';

/** A model server on this machine. */
export interface FoundServer {
  /** The program, if its list of models names it. */
  readonly label: string;
  /** Scheme, host and port. */
  readonly address: string;
  /** Values of `llm.provider` and `llm.endpoint` for it. Absent: the address of the provider. */
  readonly provider: string;
  readonly endpoint?: string | undefined;
  readonly models: readonly DescribedModel[];
  /** The server answers, but has no models before its model is loaded. */
  readonly isLoading?: true;
}

/** An address that is asked. `usual`: the program that listens there unless it is told otherwise. */
interface Address {
  readonly usual: string;
  readonly provider: string;
  readonly at: string;
}

/** The usual addresses of model servers. `ollama` is that in OLLAMA_HOST, if it is set. */
const ADDRESSES: readonly Address[] = [
  { usual: 'Ollama', provider: 'ollama', at: 'localhost:11434' },
  { usual: 'llama.cpp', provider: GENERIC_PROVIDER, at: '127.0.0.1:8080' },
  { usual: 'LM Studio', provider: 'lmstudio', at: 'localhost:1234' },
  { usual: 'vLLM', provider: GENERIC_PROVIDER, at: '127.0.0.1:8000' },
];

/** The answer of llama.cpp while it loads its model, to every request. */
const LOADING = /\bLoading model\b/;

/** The time for one server to list its models, in seconds. A server that is not there refuses at once. */
const LIST_SECONDS = 2;

/** At most this many models of Ollama are asked for their windows. */
const MAX_ASKED = 20;

/**
 * Asks the usual addresses of model servers for their models, all at once, without a key and without the headers of the
 * user. An address where nothing answers, or something else than a model server, is left out.
 */
export async function findServers(
  config: ModelConfig,
  environment: Readonly<Record<string, string | undefined>>,
  ports: ModelPorts,
  signal: AbortSignal,
): Promise<readonly FoundServer[]> {
  const host = environment['OLLAMA_HOST'];
  const bare = { ...config, llm: { ...config.llm, api_kind: undefined, headers: {}, api_key_variable: undefined } };
  const found = await Promise.all(
    ADDRESSES.map(async ({ provider, usual, at }): Promise<FoundServer | undefined> => {
      const own = provider === 'ollama' ? bare.llm.endpoint : undefined;
      const endpoint = provider === GENERIC_PROVIDER ? `http://${at}/v1` : own;
      const llm = { ...bare.llm, provider, endpoint, timeout_seconds: LIST_SECONDS };
      const ask = (model: string) => chooseModel({ ...bare, llm: { ...llm, model } }, { OLLAMA_HOST: host }, ports);
      const choice = ask('none');
      if (choice.type === 'refused') return undefined;
      const listed = await choice.listModels(signal).catch((error: unknown) => messageOf(error));
      const address = new URL(choice.endpoint).origin;
      if (typeof listed === 'string')
        return LOADING.test(listed)
          ? { label: usual, address, provider, endpoint, models: [], isLoading: true }
          : undefined;
      const { describeModel } = await import('../limits/describe-model.ts');
      const described = listed.map((model) => describeModel(provider, model));
      const models = provider === 'ollama' ? await withWindows(described, ask, signal) : described;
      const label =
        listed.find(({ server }) => server !== undefined)?.server ?? (provider === 'ollama' ? usual : 'a server');
      return { label, address, provider, endpoint, models };
    }),
  );
  signal.throwIfAborted();
  // OLLAMA_HOST may name the port of another row.
  const byAddress = new Map<string, FoundServer>();
  for (const server of found) {
    if (server !== undefined && !byAddress.has(server.address)) byAddress.set(server.address, server);
  }
  return [...byAddress.values()];
}

/** Ollama's list has no windows: each model is asked for. A request that fails adds nothing. */
async function withWindows(
  models: readonly DescribedModel[],
  ask: (model: string) => ReturnType<typeof chooseModel>,
  signal: AbortSignal,
): Promise<readonly DescribedModel[]> {
  return Promise.all(
    models.map(async (model, index) => {
      const choice = ask(model.name);
      if (choice.type === 'refused' || index >= MAX_ASKED) return model;
      const limits = await choice.limits(signal).catch(() => undefined);
      if (limits === undefined) return model;
      const { window, lacksTools } = limits;
      return {
        ...model,
        ...(window.source === 'server' && { contextWindow: window.tokens }),
        ...(lacksTools === true && { lacksTools }),
      };
    }),
  );
}

/** The addresses that `findServers` asks, for people. `ollama` replaces that of Ollama. */
export function askedAddresses(ollama: string | undefined): string {
  return ADDRESSES.map(({ usual, provider, at }) => `${usual} (${provider === 'ollama' ? (ollama ?? at) : at})`).join(
    ', ',
  );
}
