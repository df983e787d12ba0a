import type { Protocol, ServiceName } from '../conversation/conversation.ts';
import { withAbilities } from './abilities/abilities.ts';
import { withAccess } from './access/access-rules.ts';
import { anthropic } from './cloud/anthropic/anthropic.ts';
import { azure } from './cloud/azure.ts';
import { bedrock } from './cloud/bedrock/bedrock.ts';
import { geminiApi } from './cloud/gemini.ts';
import { openai } from './cloud/openai.ts';
import { vertex } from './cloud/vertex.ts';
import { codex } from './gateways/codex.ts';
import { copilot } from './gateways/copilot.ts';
import { litellm } from './gateways/litellm.ts';
import { openrouter } from './gateways/openrouter.ts';
import { cerebras } from './hosts/cerebras.ts';
import { groq } from './hosts/groq.ts';
import { fireworks, together } from './hosts/hosts.ts';
import { llamacpp } from './local/llamacpp.ts';
import { lmstudio } from './local/lmstudio.ts';
import { ollamaServer } from './local/ollama.ts';
import { sglang } from './local/sglang.ts';
import { vllm, vllmWithoutParser } from './local/vllm.ts';
import { dashscope } from './open-models/dashscope.ts';
import { deepseek } from './open-models/deepseek.ts';
import { mistral } from './open-models/mistral.ts';
import { moonshot } from './open-models/moonshot.ts';
import { xai } from './open-models/xai.ts';
import { zai } from './open-models/zai.ts';
import { turnIntoChat } from './relay/turn-into-chat.ts';
import type { Rule, Service } from './service.ts';

const BY_NAME: Readonly<Record<ServiceName, Service>> = {
  openai,
  azure,
  anthropic,
  gemini: geminiApi,
  vertex,
  bedrock,
  ollama: ollamaServer,
  openrouter,
  deepseek,
  moonshot,
  zai,
  dashscope,
  mistral,
  groq,
  cerebras,
  xai,
  together,
  fireworks,
  copilot,
  codex,
  vllm,
  'vllm-without-parser': vllmWithoutParser,
  sglang,
  llamacpp,
  lmstudio,
  litellm,
};

export const SERVICES: readonly Service[] = Object.values(BY_NAME).map(withAbilities).map(turnIntoChat).map(withAccess);

const TURNED = new Map(SERVICES.map((service) => [service.name, service]));

export function serviceNamed(name: ServiceName): Service {
  return TURNED.get(name) ?? BY_NAME[name];
}

/** Every rule, in the order of the services. */
export const RULES: readonly Rule[] = SERVICES.flatMap(({ rules }) => rules);

/** The service that defines a protocol. Its rules for all models hold for models that no service owns. */
export const PROTOCOL_OWNERS: Readonly<Record<Protocol, ServiceName>> = {
  'openai-chat': 'openai',
  'openai-responses': 'openai',
  'anthropic-messages': 'anthropic',
  'bedrock-converse': 'bedrock',
  gemini: 'gemini',
  'gemini-interactions': 'gemini',
  ollama: 'ollama',
};
