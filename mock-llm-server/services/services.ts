import type { Protocol, ServiceName } from '../conversation/conversation.ts';
import { anthropic } from './cloud/anthropic.ts';
import { openai } from './cloud/openai.ts';
import { mistral } from './open-models/mistral.ts';
import type { Rule, Service } from './service.ts';

/** The services. */
export const SERVICES: readonly Service[] = [openai, anthropic, mistral];

const BY_NAME: ReadonlyMap<ServiceName, Service> = new Map(SERVICES.map((service) => [service.name, service]));

/** The service of a name. */
export function serviceNamed(name: ServiceName): Service {
  return BY_NAME.get(name) ?? { name, title: name, rules: [] };
}

/** Every rule, in the order of the services. */
export const RULES: readonly Rule[] = SERVICES.flatMap(({ rules }) => rules);

/** The service that defines a protocol. Its rules for all models hold for models that no service owns. */
export const PROTOCOL_OWNERS: Readonly<Record<Protocol, ServiceName>> = {
  'openai-chat': 'openai',
  'openai-responses': 'openai',
  'anthropic-messages': 'anthropic',
  gemini: 'gemini',
  ollama: 'ollama',
};
