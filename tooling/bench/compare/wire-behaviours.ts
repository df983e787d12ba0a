import { requestWith } from '../../../test/support/wires/raw-request.ts';
import { type Behaviour, playerOf, TOOLS } from './behaviour.ts';
import { at, dataOf, get, post } from './peer.ts';

const UPGRADE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
};
const messages = [{ role: 'user', content: 'say hello' }];

/** Behaviours of the providers' protocols. */
export const WIRE_BEHAVIOURS: readonly Behaviour[] = [
  {
    name: '`stream_options.include_usage`: usage in a last frame without choices (Chat Completions)',
    async holds({ url }) {
      const body = { model: 'gpt-5', messages, stream: true, stream_options: { include_usage: true } };
      const last = dataOf((await post(`${url}/v1/chat/completions`, body)).text).at(-1);
      return JSON.stringify(at(last, 'choices')) === '[]' && Number(at(last, 'usage', 'prompt_tokens')) > 0;
    },
  },
  {
    name: 'Every event of a stream has its `sequence_number`, counted from 0 (Responses)',
    async holds({ url }) {
      const body = { model: 'gpt-5', input: messages, stream: true };
      const events = dataOf((await post(`${url}/v1/responses`, body)).text);
      return events.length > 3 && events.every((event, index) => at(event, 'sequence_number') === index);
    },
  },
  {
    name: 'Usage is estimated and not zero (Responses)',
    async holds({ url }) {
      const { json } = await post(`${url}/v1/responses`, { model: 'gpt-5', input: messages });
      return Number(at(json, 'usage', 'input_tokens')) > 0 && Number(at(json, 'usage', 'output_tokens')) > 0;
    },
  },
  {
    name: 'A tool that takes text is called with a `custom_tool_call` (Responses)',
    async holds({ url }) {
      const input = [{ role: 'user', content: 'patch the file' }];
      const tools = [{ type: 'custom', name: 'apply_patch', description: 'Applies a patch' }];
      const { json } = await post(`${url}/v1/responses`, { model: 'gpt-5', input, tools });
      const output = at(json, 'output');
      return Array.isArray(output) && output.some((item) => at(item, 'type') === 'custom_tool_call');
    },
  },
  {
    name: 'Reasoning as a thinking block with a signature (Anthropic Messages)',
    async holds({ url }) {
      const player = playerOf('anthropic-messages');
      const { path, body } = player.request(player.say('think first'), TOOLS, false);
      const thinking = { type: 'enabled', budget_tokens: 1024 };
      const { json } = await post(url + path, { ...body, model: 'claude-sonnet-4-5', max_tokens: 4096, thinking });
      return at(json, 'content', 0, 'type') === 'thinking' && Boolean(at(json, 'content', 0, 'signature'));
    },
  },
  {
    name: 'The header `request-id` that the official client reads (Anthropic Messages)',
    holds: async ({ url }) => {
      const { status, headers } = await post(`${url}/v1/messages`, { model: 'm', max_tokens: 9, messages });
      return status === 200 && headers.get('request-id') !== null;
    },
  },
  {
    name: '`ping` in a stream (Anthropic Messages)',
    async holds({ url }) {
      const { text } = await post(`${url}/v1/messages`, { model: 'm', max_tokens: 9, messages, stream: true });
      return text.includes('event: ping');
    },
  },
  {
    name: '`POST /v1/messages/count_tokens`',
    async holds({ url }) {
      const { json } = await post(`${url}/v1/messages/count_tokens`, { model: 'm', messages });
      return Number(at(json, 'input_tokens')) > 0;
    },
  },
  {
    name: '`:countTokens` (Gemini)',
    async holds({ url }) {
      const contents = [{ role: 'user', parts: [{ text: 'say hello' }] }];
      const { json } = await post(`${url}/v1beta/models/gemini-3-pro:countTokens`, { contents });
      return Number(at(json, 'totalTokens')) > 0;
    },
  },
  {
    name: 'An error has the matching `status` (Gemini)',
    async holds({ url }) {
      const contents = [{ role: 'user', parts: [{ text: 'be busy always' }] }];
      const { json } = await post(`${url}/v1beta/models/gemini-3-pro:generateContent`, { contents });
      return at(json, 'error', 'status') === 'RESOURCE_EXHAUSTED';
    },
  },
  {
    name: 'The list of models in the format of OpenAI',
    holds: async ({ url }) => at((await get(`${url}/v1/models`)).json, 'object') === 'list',
  },
  {
    name: 'The list of models in the format of Anthropic',
    async holds({ url }) {
      const { json } = await get(`${url}/v1/models`, { 'anthropic-version': '2023-06-01' });
      return at(json, 'has_more') === false && at(json, 'data', 0, 'type') === 'model';
    },
  },
  {
    name: 'The list of models in the format of Gemini',
    holds: async ({ url }) =>
      String(at((await get(`${url}/v1beta/models`)).json, 'models', 0, 'name')).startsWith('models/'),
  },
  {
    name: '`/api/tags` (Ollama)',
    holds: async ({ url }) => Array.isArray(at((await get(`${url}/api/tags`)).json, 'models')),
  },
  {
    name: '`/api/version` and `/api/show` (Ollama)',
    async holds({ url }) {
      const { json } = await get(`${url}/api/version`);
      const shown = await post(`${url}/api/show`, { model: 'mock-model' });
      return typeof at(json, 'version') === 'string' && Array.isArray(at(shown.json, 'capabilities'));
    },
  },
  {
    name: '`/api/generate` (Ollama)',
    async holds({ url }) {
      const { json } = await post(`${url}/api/generate`, { model: 'qwen3', prompt: 'say hello', stream: false });
      return at(json, 'response') === 'Hello.';
    },
  },
  {
    name: 'A WebSocket is refused with 426, so that clients fall back to HTTP (Responses)',
    holds: async ({ url }) => (await requestWith(`${url}/v1/responses`, UPGRADE)).status === 426,
  },
  {
    name: 'A WebSocket is served (Responses)',
    holds: async ({ url }) => (await requestWith(`${url}/v1/responses`, UPGRADE)).status === 101,
  },
  {
    name: 'Realtime over a WebSocket (OpenAI)',
    holds: async ({ url }) => (await requestWith(`${url}/v1/realtime?model=gpt-realtime`, UPGRADE)).status === 101,
  },
];

/** Behaviours beyond the protocols of chat models, and of the server in use. */
export const REACH_BEHAVIOURS: readonly Behaviour[] = [
  {
    name: 'Azure OpenAI, chat',
    async holds({ url }) {
      const path = '/openai/deployments/mine/chat/completions?api-version=2024-10-21';
      return (await post(url + path, { messages })).text.includes('Hello.');
    },
  },
  {
    name: 'Vertex AI',
    async holds({ url }) {
      const path = '/v1/projects/p/locations/l/publishers/google/models/gemini-3-pro:generateContent';
      const contents = [{ role: 'user', parts: [{ text: 'say hello' }] }];
      return (await post(url + path, { contents })).text.includes('Hello.');
    },
  },
  {
    name: 'Bedrock, Converse',
    async holds({ url }) {
      const path = '/model/us.anthropic.claude-sonnet-5/converse';
      const body = { messages: [{ role: 'user', content: [{ text: 'say hello' }] }] };
      return (await post(url + path, body)).text.includes('Hello.');
    },
  },
  {
    name: 'Cohere, chat',
    holds: async ({ url }) =>
      (await post(`${url}/v2/chat`, { model: 'command-r', messages, stream: false })).text.includes('Hello.'),
  },
  {
    name: 'Embeddings (OpenAI)',
    async holds({ url }) {
      const { json } = await post(`${url}/v1/embeddings`, { model: 'text-embedding-3-small', input: 'embed this' });
      return Array.isArray(at(json, 'data', 0, 'embedding'));
    },
  },
  {
    name: 'Images (OpenAI)',
    async holds({ url }) {
      const { text } = await post(`${url}/v1/images/generations`, { model: 'gpt-image-1', prompt: 'draw a cat' });
      return text.includes('https://example.com/cat.png');
    },
  },
  {
    name: 'Speech (OpenAI)',
    async holds({ url }) {
      const body = { model: 'tts-1', voice: 'alloy', input: 'say it aloud' };
      const { status, headers } = await post(`${url}/v1/audio/speech`, body);
      return status === 200 && String(headers.get('content-type')).startsWith('audio/');
    },
  },
  {
    name: 'Moderation (OpenAI)',
    async holds({ url }) {
      const { json } = await post(`${url}/v1/moderations`, { input: 'this may hurt' });
      return at(json, 'results', 0, 'flagged') === true;
    },
  },
  {
    name: 'An MCP server on the same port',
    async holds({ url }) {
      const params = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
      const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
      const { text } = await post(`${url}/mcp`, body, { accept: 'application/json, text/event-stream' });
      return text.includes('protocolVersion');
    },
  },
  {
    name: 'Metrics for Prometheus',
    async holds({ url }) {
      const { status, text } = await get(`${url}/metrics`);
      return status === 200 && /^# TYPE /m.test(text);
    },
  },
  {
    name: 'Entries added over HTTP while the server runs',
    async holds({ url, entries }) {
      await post(url + entries.path, entries.file('later entry', 'Added later.'));
      const body = { model: 'gpt-5', messages: [{ role: 'user', content: 'later entry' }] };
      return (await post(`${url}/v1/chat/completions`, body)).text.includes('Added later.');
    },
  },
  {
    name: 'Recording: a request without an entry is forwarded to the provider and stored',
    async holds({ twin, record }) {
      if (record === undefined) return false;
      const recorder = await record(twin);
      try {
        const send = async () => (await post(`${recorder.url}/v1/chat/completions`, { model: 'gpt-5', messages })).text;
        return [await send(), await send()].every((text) => text.includes('Hello.'));
      } finally {
        await recorder.stop();
      }
    },
  },
  {
    name: 'In-process use as the `fetch` of a client, without a port',
    async holds(peer) {
      const body = JSON.stringify({ model: 'gpt-5', messages });
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
      const response = await peer.fetch?.('http://mock.test/v1/chat/completions', init);
      return (await response?.text())?.includes('Hello.') ?? false;
    },
  },
];
