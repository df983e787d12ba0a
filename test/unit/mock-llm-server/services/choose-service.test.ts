import { expect, it } from 'vitest';
import { PROTOCOLS, type Protocol } from '../../../../mock-llm-server/conversation/conversation.ts';
import { chooseService, splitService } from '../../../../mock-llm-server/services/choose-service.ts';

const CHAT = '/v1/chat/completions';

it.each<readonly [Protocol, string, string, string | undefined]>([
  ['openai-chat', CHAT, 'gpt-5', 'openai'],
  ['openai-chat', CHAT, 'ft:gpt-4o-mini:org::1', 'openai'],
  ['openai-chat', CHAT, 'o3-mini', 'openai'],
  ['openai-chat', CHAT, 'gpt-oss-120b', undefined],
  ['openai-chat', CHAT, 'openai/gpt-5', undefined],
  ['openai-chat', CHAT, 'mistral-large', 'mistral'],
  ['openai-chat', CHAT, 'mistral:7b', undefined],
  ['openai-chat', CHAT, 'mistral-nemo:12b', undefined],
  ['openai-chat', CHAT, 'mistralai/Mistral-7B', undefined],
  ['openai-chat', CHAT, 'claude-sonnet-4-6', undefined],
  ['openai-chat', CHAT, 'mock-model', undefined],
  ['openai-responses', '/v1/responses', 'gpt-5', 'openai'],
  ['anthropic-messages', '/v1/messages', 'claude-sonnet-4-6', 'anthropic'],
  ['ollama', '/api/chat', 'mistral', 'ollama'],
  ['openai-chat', '/openai/v1/chat/completions', 'gpt-4o', 'azure'],
  ['openai-chat', '/openai/v1/chat/completions', 'llama-3.3-70b-versatile', 'groq'],
  ['openai-chat', '/openai/deployments/any/chat/completions', 'any', 'azure'],
  ['openai-chat', '/v1beta/openai/chat/completions', 'gemini-2.5-pro', 'gemini'],
  ['openai-chat', '/api/v1/chat/completions', 'mistral-large', 'openrouter'],
])('the service of %s at %s for %s is %s', (protocol, path, model, service) => {
  expect(PROTOCOLS).toContain(protocol);
  expect(chooseService({ protocol, path, model })).toBe(service);
});

it.each([
  ['/as/deepseek/v1/models', { service: 'deepseek', path: '/v1/models' }],
  ['/as/nope/v1/models', { path: '/as/nope/v1/models' }],
  ['/as/deepseek', { path: '/as/deepseek' }],
  ['/v1/models', { path: '/v1/models' }],
])('splits the path %s', (path, parts) => {
  expect(splitService(path)).toEqual(parts);
});
