import type { ContextWindow } from '../../agent/ports/language-model.ts';
import { suggest } from '../../text/suggest.ts';
import { readApiKind, WIRES, type Wire } from '../wires.ts';
import { type Endpoint, readEndpoint } from './endpoint.ts';
import { GENERIC_PROVIDER, PROVIDERS, type ProviderPreset } from './presets.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The keys of the configuration that name a target. */
export interface TargetConfig {
  readonly provider: string;
  readonly api_kind?: string | undefined;
  readonly endpoint?: string | undefined;
  readonly model?: string | undefined;
}

/** The reason why the configuration names no target; `key` is the configuration key to change. */
export interface TargetRefusal {
  readonly type: 'refused';
  readonly key: `llm.${string}`;
  readonly message: string;
}

/** The context window that is assumed where it can neither be set nor read. */
const FIXED_WINDOW = 8_192;

/** The provider, the wire and the address of a model. */
export interface Target {
  readonly type: 'target';
  readonly preset: ProviderPreset;
  readonly wire: Wire;
  /** The wire that the service may demand instead, where the user has chosen none. */
  readonly otherWire: Wire | undefined;
  readonly endpoint: Extract<Endpoint, { type: 'endpoint' }>;
  /** The context window that is assumed, where it can neither be set nor read. */
  readonly fixedWindow: ContextWindow | undefined;
}

/** Finds the provider, the wire and the address that the configuration names. */
export function findTarget(
  { provider, api_kind, endpoint: configured, model }: TargetConfig,
  environment: Environment,
): Target | TargetRefusal {
  const kind = api_kind === undefined ? undefined : readApiKind(api_kind);
  if (typeof kind === 'object') return refused('llm.api_kind', unknownName('apiKind', String(api_kind), kind.names));
  // Profiles may give a server any name, if they also say how it is reached.
  const named = kind === undefined || configured === undefined ? undefined : { label: provider, wire: kind };
  const preset: ProviderPreset | undefined = PROVIDERS.get(provider) ?? named;
  if (preset === undefined) return refused('llm.provider', unknownProvider(provider));
  const isFromVariable =
    preset.endpointVariable !== undefined && environment[preset.endpointVariable]?.trim() === configured;
  const isHost = isFromVariable && configured !== undefined && preset.endpointVariable === OLLAMA_HOST;
  const address = isHost ? ollamaAddress(configured) : (configured ?? preset.endpoint);
  if (address === undefined) {
    const advice = preset.endpointAdvice ?? 'Set one: --endpoint <url>, or llm.endpoint.';
    return refused('llm.endpoint', `The provider ${provider} has no default endpoint. ${advice}`);
  }
  // Under this path Ollama has OpenAI's API, whose requests cannot set the context window.
  const isCompatibleOllama = kind === undefined && preset.wire === 'ollama-chat' && /\/v1\/*$/.test(address);
  const wire = isCompatibleOllama ? 'openai-chat' : (kind ?? usualWire(preset, address, model ?? preset.model));
  const { basePath, routes } = WIRES[wire];
  const endpoint = readEndpoint(address, { basePath: preset.basePath ?? basePath, routes });
  if (endpoint.type === 'endpoint') {
    const window = isCompatibleOllama ? fixedWindow(endpoint.url) : undefined;
    const otherWire = kind === undefined ? OTHER_WIRES.get(wire) : undefined;
    return { type: 'target', preset, wire, otherWire, endpoint, fixedWindow: window };
  }
  const name = isFromVariable ? `The endpoint in ${preset.endpointVariable}` : 'The endpoint';
  return refused('llm.endpoint', `${name} is invalid: ${endpoint.reason}`);
}

/** The wires of OpenAI, of which a service may have only one for a model. */
const OTHER_WIRES: ReadonlyMap<Wire, Wire> = new Map<Wire, Wire>([
  ['openai-chat', 'openai-responses'],
  ['openai-responses', 'openai-chat'],
]);

/** The wire of a provider for a model: at its own address, it may be another one than at others with its protocol. */
function usualWire(preset: ProviderPreset, address: string, model: string | undefined): Wire {
  const { wire, ownWire = wire, otherWire, endpoint } = preset;
  if (otherWire?.models.test(String(model))) return otherWire.wire;
  const [own, host] = [endpoint, address].map((text = '') => (URL.canParse(text) ? new URL(text).hostname : undefined));
  return own !== undefined && host !== undefined && `.${host}`.endsWith(`.${own}`) ? ownWire : wire;
}

/** The variable of Ollama's own programs. */
const OLLAMA_HOST = 'OLLAMA_HOST';

/** The address in the forms that OLLAMA_HOST has: without scheme or port, or that of every interface. */
function ollamaAddress(text: string): string {
  const [, scheme, host = '', port = '', path = ''] =
    /^(https?:\/\/)?([^/:]*|\[[^\]]*\])(:\d*)?(\/.*)?$/.exec(text.trim()) ?? [];
  if (scheme === undefined && host === '' && port === '') return text;
  const known = ['', '0.0.0.0', '[::]'].includes(host) ? '127.0.0.1' : host;
  return `${scheme ?? 'http://'}${known}${port === '' && scheme === undefined ? ':11434' : port}${path}`;
}

function fixedWindow(url: string): ContextWindow {
  return {
    tokens: FIXED_WINDOW,
    warning: `The context window cannot be set at ${url}, so ybs assumes ${FIXED_WINDOW} tokens. Remove /v1 from the endpoint to use Ollama's own API.`,
  };
}

function unknownProvider(name: string): string {
  const names = [...PROVIDERS.keys()];
  const generic = `Any other OpenAI-compatible API works with --provider ${GENERIC_PROVIDER} --endpoint <url>.`;
  // In other agents, -p is followed by a prompt.
  const prompt = suggest(name, names).length === 0 ? ` A prompt needs no -p: ybs ${JSON.stringify(name)}` : '';
  return `${unknownName('provider', name, names)} ${generic}${prompt}`;
}

function unknownName(what: string, name: string, names: readonly string[]): string {
  const [nearest] = suggest(name, names);
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  return `Unknown ${what} ${JSON.stringify(name)}.${hint} Choose one of ${names.join(', ')}.`;
}

function refused(key: TargetRefusal['key'], message: string): TargetRefusal {
  return { type: 'refused', key, message };
}
