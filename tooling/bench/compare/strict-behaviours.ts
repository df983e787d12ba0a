import { gzipSync } from 'node:zlib';
import type { PROTOCOL_PLAYERS } from '../../../test/support/wires/protocol-players.ts';
import { requestWith } from '../../../test/support/wires/raw-request.ts';
import { type Behaviour, everywhere, playerOf } from './behaviour.ts';
import { at, get, type Peer, type PeerAnswer, post } from './peer.ts';

const user = { role: 'user', content: 'say hello' };
const call = (id: string) => ({ id, type: 'function', function: { name: 'read_file', arguments: '{}' } });
const use = (id: string) => ({ type: 'tool_use', id, name: 'read_file', input: {} });
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' });

const chat = (peer: Peer, ...messages: readonly object[]) =>
  post(`${peer.url}/v1/chat/completions`, { model: 'gpt-5', messages });
const responses = (peer: Peer, ...input: readonly object[]) =>
  post(`${peer.url}/v1/responses`, { model: 'gpt-5', input });
const messages = (peer: Peer, list: readonly object[], more: object = { max_tokens: 100 }) =>
  post(`${peer.url}/v1/messages`, { model: 'claude-sonnet-5', messages: list, ...more });

const refusedByOpenAi = ({ status, json }: PeerAnswer) =>
  status === 400 && at(json, 'error', 'type') === 'invalid_request_error';
const refusedByAnthropic = ({ status, json }: PeerAnswer) =>
  status === 400 && at(json, 'type') === 'error' && at(json, 'error', 'type') === 'invalid_request_error';

/** True if a body has the error format of a protocol. */
const ERROR_FORMS: Readonly<Record<(typeof PROTOCOL_PLAYERS)[number]['protocol'], (json: unknown) => boolean>> = {
  'openai-chat': (json) =>
    typeof at(json, 'error', 'message') === 'string' && typeof at(json, 'error', 'type') === 'string',
  'openai-responses': (json) =>
    typeof at(json, 'error', 'message') === 'string' && typeof at(json, 'error', 'type') === 'string',
  'anthropic-messages': (json) => at(json, 'type') === 'error' && typeof at(json, 'error', 'message') === 'string',
  'bedrock-converse': (json) => typeof at(json, 'message') === 'string',
  gemini: (json) =>
    typeof at(json, 'error', 'code') === 'number' && /^[A-Z_]+$/.test(String(at(json, 'error', 'status'))),
  'gemini-interactions': (json) =>
    typeof at(json, 'error', 'message') === 'string' && typeof at(json, 'error', 'code') === 'string',
  ollama: (json) => typeof at(json, 'error') === 'string',
};

/** Behaviours of refusals: requests that the real API refuses, and requests without an entry. */
export const STRICT_BEHAVIOURS: readonly Behaviour[] = [
  {
    name: 'A tool result without its call is a 400 (Chat Completions)',
    holds: async (peer) =>
      refusedByOpenAi(await chat(peer, user, { role: 'tool', tool_call_id: 'call_x', content: 'ok' })),
  },
  {
    name: 'A tool result without its call is a 400 (Responses)',
    holds: async (peer) =>
      refusedByOpenAi(await responses(peer, user, { type: 'function_call_output', call_id: 'call_x', output: 'ok' })),
  },
  {
    name: 'A tool result without its call is a 400 (Anthropic Messages)',
    holds: async (peer) =>
      refusedByAnthropic(await messages(peer, [user, { role: 'user', content: [result('toolu_x')] }])),
  },
  {
    name: 'Two calls with one result are a 400 (Chat Completions)',
    holds: async (peer) =>
      refusedByOpenAi(
        await chat(
          peer,
          user,
          { role: 'assistant', tool_calls: [call('call_a'), call('call_b')] },
          { role: 'tool', tool_call_id: 'call_a', content: 'ok' },
        ),
      ),
  },
  {
    name: 'Two calls with one result are a 400 (Anthropic Messages)',
    holds: async (peer) =>
      refusedByAnthropic(
        await messages(peer, [
          user,
          { role: 'assistant', content: [use('toolu_a'), use('toolu_b')] },
          { role: 'user', content: [result('toolu_a')] },
        ]),
      ),
  },
  {
    name: 'A thinking block without its signature is a 400 (Anthropic Messages)',
    holds: async (peer) =>
      refusedByAnthropic(
        await messages(peer, [
          user,
          { role: 'assistant', content: [{ type: 'thinking', thinking: 'Hm.' }, use('toolu_a')] },
          { role: 'user', content: [result('toolu_a')] },
        ]),
      ),
  },
  {
    name: 'No `max_tokens` is a 400 (Anthropic Messages)',
    holds: async (peer) => refusedByAnthropic(await messages(peer, [user], {})),
  },
  {
    name: 'A message thread gets the 400 that makes the official client send the whole conversation (Anthropic Messages)',
    async holds(peer) {
      const answer = await messages(peer, [user], { max_tokens: 9, thread: { type: 'create' } });
      return refusedByAnthropic(answer) && answer.text.includes('thread_unsupported_request');
    },
  },
  {
    name: 'A body that is not JSON is a 400 in the format of the protocol, for all seven',
    holds: (peer) =>
      everywhere(async (player) => {
        const { path } = player.request(player.say('say hello'), [], false);
        const { status, json } = await post(peer.url + path, '{"model":');
        return status === 400 && ERROR_FORMS[player.protocol](json);
      }),
  },
  {
    name: 'An unknown path is a 404 in the format of the protocol, for all seven',
    holds: (peer) =>
      everywhere(async (player) => {
        const { path } = player.request(player.say('say hello'), [], false);
        // Below a path of Ollama there are only those of other services.
        const unknown = player.protocol === 'ollama' ? '/api/nowhere' : `${path.replace(':', '/')}/nowhere`;
        const { status, json } = await post(peer.url + unknown, {});
        return status === 404 && ERROR_FORMS[player.protocol](json);
      }),
  },
  {
    name: 'A request without an entry is an error in the format of the protocol, for all seven',
    holds: (peer) =>
      everywhere(async (player) => {
        const { path, body } = player.request(player.say('zzz'), [], false);
        const { status, json } = await post(peer.url + path, body);
        return status >= 400 && ERROR_FORMS[player.protocol](json);
      }),
  },
  {
    name: 'Official clients do not retry a request without an entry',
    async holds(peer) {
      const { status, headers } = await chat(peer, { role: 'user', content: 'zzz' });
      const isAnswered = (await chat(peer, user)).status === 200;
      const isRepeated = status >= 500 || [408, 409, 429].includes(status);
      return isAnswered && status >= 400 && (!isRepeated || headers.get('x-should-retry') === 'false');
    },
  },
  {
    name: 'The error for a request without an entry names the nearest entry',
    holds: async (peer) => {
      const { status, text } = await chat(peer, { role: 'user', content: 'say hullo' });
      return status >= 400 && text.includes('say hello');
    },
  },
  {
    name: 'A request with an unknown host name is refused (DNS rebinding)',
    async holds({ url }) {
      const [good, bad] = await Promise.all(
        ['localhost', 'attacker.example'].map((host) => requestWith(`${url}/v1/models`, { host })),
      );
      return good?.status === 200 && bad?.status !== 200;
    },
  },
  {
    name: 'An API key can be required',
    async holds({ guarded }) {
      if (guarded === undefined) return false;
      const send = async (key: string) => {
        const headers = { authorization: `Bearer ${key}` };
        return (await post(`${guarded}/v1/chat/completions`, { model: 'm', messages: [user] }, headers)).status;
      };
      return (await send('right-key')) === 200 && (await send('wrong-key')) === 401;
    },
  },
  {
    name: 'Request bodies compressed with gzip',
    async holds({ url }) {
      const body = gzipSync(JSON.stringify({ model: 'gpt-5', messages: [user] }));
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
      const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body });
      return response.status === 200 && (await response.text()).includes('Hello.');
    },
  },
  {
    name: 'The journal shows the requests of one test over HTTP, without API keys',
    async holds(peer) {
      const send = async (id: string) => {
        const headers = { 'x-test-id': id, authorization: 'Bearer sk-secret-0123456789' };
        const { path, body } = playerOf('openai-chat').request([{ role: 'user', content: `say hello` }], [], false);
        await post(peer.url + path, { ...body, model: `model-of-${id}` }, headers);
      };
      await send('first-test');
      await send('second-test');
      const { status, text } = await get(peer.url + peer.journal('first-test'));
      return status === 200 && text.includes('model-of-first-test') && !/second-test|sk-secret/.test(text);
    },
  },
];
