import { CHAT, chat, MESSAGES, type RuleCase, user } from '../cases/case.ts';

const NO_KEY = { authorization: '', 'x-api-key': '', 'x-goog-api-key': '', 'api-key': '' };
const BASE = '/chat/completions';
const GENERATE = '/v1beta/models/own:generateContent';
const prompt = { contents: [{ role: 'user', parts: [{ text: 'go' }] }] };

/** The body of a request for a model over the protocol of its path. */
function bodyOf(path: string, model: string) {
  if (path.startsWith('/v1beta/')) return prompt;
  return path.endsWith('/messages') ? { model, max_tokens: 9, messages: [user()] } : chat(model);
}

/** A request whose body is right, and what surrounds it is not. */
function access(
  path: string,
  status: number,
  says: string,
  more: Partial<RuleCase> & { readonly model?: string } = {},
) {
  const { model = 'own', ...rest } = more;
  const accepted = { acceptedPath: path, accepted: bodyOf(path, 'own') };
  return { path, refused: bodyOf(path, model), ...accepted, says, status, ...rest };
}

const stray = (path: string, status: number, says: string, acceptedPath = CHAT): RuleCase =>
  access(path, status, says, { acceptedPath });
const emptyKey = (status: number, says: string, path = CHAT): RuleCase =>
  access(path, status, says, { headers: { ...NO_KEY, authorization: 'Bearer' } });
const key = (authorization: string, status: number, says: string, path = CHAT): RuleCase =>
  access(path, status, says, { headers: { ...NO_KEY, authorization: `Bearer ${authorization}` } });
const model = (name: string, status: number, says: string, path = CHAT): RuleCase =>
  access(path, status, says, { model: name });
const DENIED = 'Access denied due to invalid subscription key or wrong API endpoint.';
const NO_ACCESS = 'does not exist or you do not have access to it.';
const plain = { headers: { 'content-type': 'text/plain' } };

/** The cases of the table of paths, keys, types and names of models. */
export const ACCESS_CASES: Readonly<Record<string, RuleCase>> = {
  'openai/path': stray(BASE, 404, 'Invalid URL (POST /chat/completions)'),
  'anthropic/path': stray('/messages', 404, 'Not Found', MESSAGES),
  'openrouter/path': stray(BASE, 404, '<!DOCTYPE html>'),
  'zai/path': stray(BASE, 404, 'Not Found'),
  'dashscope/path': stray(`/api${CHAT}`, 404, '', `/compatible-mode${CHAT}`),
  'mistral/path': stray(BASE, 404, 'no Route matched with those values'),
  'groq/path': stray(`/openai${BASE}`, 404, 'Unknown request URL: POST /openai/chat/completions.', `/openai${CHAT}`),
  'ollama/path': stray(BASE, 404, '404 page not found'),
  'lmstudio/path': stray(BASE, 200, 'Unexpected endpoint or method. (POST /chat/completions)'),
  'vllm/path': stray(BASE, 404, 'Not Found'),
  'sglang/path': stray(BASE, 404, 'Not Found'),
  'openrouter/key': emptyKey(401, 'Missing Authentication header'),
  'moonshot/key': emptyKey(401, 'Invalid Authentication'),
  'zai/key': emptyKey(401, 'Authentication Failed'),
  'dashscope/key': emptyKey(401, 'Incorrect API key provided. For details, see:'),
  'mistral/key': emptyKey(401, 'Unauthorized'),
  'openai/key': key('sk-or-v1-0123456789abcdef', 401, 'Incorrect API key provided: ********. You'),
  'azure/key': key('sk-proj-abc', 401, DENIED),
  'anthropic/key': key('sk-ant-api03-abc', 401, 'invalid x-api-key', MESSAGES),
  'gemini/key': access(GENERATE, 400, 'API key not valid. Please pass a valid API key.', {
    headers: { ...NO_KEY, 'x-goog-api-key': 'ya29.token' },
  }),
  'deepseek/key': key('sk-ant-api03-abcd', 401, 'Authentication Fails, Your api key: ****0000 is invalid'),
  'groq/key': key('sk-abc', 401, 'Invalid API Key'),
  'xai/key': key('gsk_abcQ6', 400, 'Incorrect API key provided: na***ys. You can obtain an API key from'),
  'copilot/key': key('ghp_abc', 400, 'Personal Access Tokens are not supported for this endpoint'),
  'openai/media-type': access(CHAT, 400, "Unsupported content type: 'text/plain'.", plain),
  'vllm/media-type': access(CHAT, 400, "Only 'application/json' is allowed", plain),
  'sglang/media-type': access(CHAT, 400, "Only 'application/json' is allowed", plain),
  'openai/unknown-model': model('openai/own', 404, `The model \`openai/own\` ${NO_ACCESS}`),
  'azure/unknown-model': model('accounts/own', 404, 'The API deployment for this resource does not exist.'),
  'anthropic/unknown-model': model('gpt-4o', 404, 'model: gpt-4o', MESSAGES),
  'gemini/unknown-model': {
    ...access('/v1beta/models/own%20name:generateContent', 404, 'models/own name is not found for API version v1beta'),
    acceptedPath: GENERATE,
  },
  'openrouter/unknown-model': model('ministral-3b', 400, 'ministral-3b is not a valid model ID'),
  'deepseek/unknown-model': model('kimi-k2.5', 400, 'Model Not Exist'),
  'moonshot/unknown-model': model('glm-5', 404, 'Not found the model glm-5 or Permission denied'),
  'zai/unknown-model': model('own[1m]', 400, 'Unknown Model, please check the model code.'),
  'mistral/unknown-model': model('', 400, 'Invalid model: '),
  'groq/unknown-model': model('claude-sonnet-4-6', 404, NO_ACCESS),
  'together/unknown-model': model('gpt-4o-mini', 404, 'Unable to access model gpt-4o-mini.'),
  'fireworks/unknown-model': model('llama-v3p1-8b-instruct', 404, 'Model not found, inaccessible, and/or not deployed'),
};
