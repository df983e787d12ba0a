import { type Protocol, SERVICE_NAMES, type ServiceName } from '../conversation/conversation.ts';
import { SERVICES } from './services.ts';

/** Base paths that belong to services, and what tells the services of one path apart. */
const BASES: readonly (readonly [RegExp, (model: string) => ServiceName])[] = [
  [/^\/model\//, () => 'bedrock'],
  [/^\/openai\/v1\//, (model) => (ownerOf('openai-chat', model) === 'openai' ? 'azure' : 'groq')],
  [/^\/openai\//, () => 'azure'],
  [/^\/v1beta\/openai\//, () => 'gemini'],
  [/^\/backend-api\/codex\//, () => 'codex'],
  [/^\/api\/v1\//, () => 'openrouter'],
  [/^\/beta\//, () => 'deepseek'],
  [/^\/inference\/v1\//, () => 'fireworks'],
  [/^\/coding\/v1\//, () => 'moonshot'],
  [/^\/(?:compatible-mode\/v1|apps\/anthropic)\//, () => 'dashscope'],
  [/^\/v1(?:beta1)?\/(?:projects|publishers)\//, () => 'vertex'],
  [/^\/api\/(?:(?:coding\/)?paas\/v4|anthropic)\//, () => 'zai'],
];

/** The services of the models that each protocol serves at `/v1`. */
const SERVED: Readonly<Record<Protocol, (name: ServiceName) => boolean>> = {
  'openai-chat': (name) => name !== 'anthropic' && name !== 'gemini',
  'openai-responses': (name) => name !== 'anthropic' && name !== 'gemini',
  'anthropic-messages': () => true,
  'bedrock-converse': () => false,
  gemini: (name) => name === 'gemini',
  'gemini-interactions': (name) => name === 'gemini',
  ollama: () => false,
};

/** A tag (`mistral:7b`) or a publisher (`mistralai/…`): the model runs on a server that has those of others. */
const ELSEWHERE = /[:/]/;

function ownerOf(protocol: Protocol, model: string): ServiceName | undefined {
  if (ELSEWHERE.test(model.replace(/^ft:.*/, ''))) return undefined;
  return SERVICES.find(({ name, owns }) => SERVED[protocol](name) && owns?.test(model) === true)?.name;
}

/** A request, as far as its service depends on it. */
export interface AddressedRequest {
  readonly protocol: Protocol;
  readonly path: string;
  readonly model: string;
}

/**
 * The service of a request that names none: that of its path, else that of its model. Undefined for a model that no
 * service owns.
 */
export function chooseService({ protocol, path, model }: AddressedRequest): ServiceName | undefined {
  if (protocol === 'ollama') return 'ollama';
  const base = BASES.find(([pattern]) => pattern.test(path));
  if (base !== undefined) return base[1](model);
  return ownerOf(protocol, model);
}

/** The start of a path that names a service: `/as/deepseek/v1/chat/completions`. */
export const SERVICE_PREFIX = '/as/';

/** The service that a path names, and the rest of the path. The whole path if it names none that is known. */
export function splitService(path: string): { readonly service?: ServiceName; readonly path: string } {
  if (!path.startsWith(SERVICE_PREFIX)) return { path };
  const end = path.indexOf('/', SERVICE_PREFIX.length);
  if (end === -1) return { path };
  const service = readServiceName(path.slice(SERVICE_PREFIX.length, end));
  return service === undefined ? { path } : { service, path: path.slice(end) };
}

export function readServiceName(text: string): ServiceName | undefined {
  return SERVICE_NAMES.find((name) => name === text);
}
