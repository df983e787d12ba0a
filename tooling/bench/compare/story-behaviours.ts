import { PLAYER_HEADERS, type ProtocolPlayer } from '../../../test/support/wires/protocol-players.ts';
import { answerTo, type Behaviour, everywhere, inSomeWay, outline, play, playerOf, TOOLS, tool } from './behaviour.ts';
import { at, dataOf, post } from './peer.ts';

const THREE = 'read_file, write_file, run_shell, Three steps are done.';
const chat = playerOf('openai-chat');

/** Status, headers except the date, and body of an answer. */
async function bytesOf(url: string, player: ProtocolPlayer, prompt: string): Promise<readonly [number, string]> {
  const { path, body } = player.request(player.say(prompt), TOOLS, false);
  const { status, headers, text } = await post(url + path, body, PLAYER_HEADERS);
  return [status, JSON.stringify([[...headers].filter(([name]) => name !== 'date'), text])];
}

/** Behaviours of stories: which step answers, and what a step can contain. */
export const STORY_BEHAVIOURS: readonly Behaviour[] = [
  {
    name: 'A story of three tool calls and a final text, over all seven protocols',
    holds: (peer) =>
      everywhere((player) =>
        inSomeWay(peer.ways.three, async (prompt) => outline(await play(peer.url, player, prompt)) === THREE),
      ),
  },
  {
    name: 'Two tool calls in one answer, then the next step, over all seven',
    holds: (peer) =>
      everywhere((player) =>
        inSomeWay(peer.ways.pair, async (prompt) => {
          const story = outline(await play(peer.url, player, prompt));
          return story === 'read_file+read_file, Both are read.';
        }),
      ),
  },
  {
    name: 'A repeated request gets the same step again, over all seven',
    holds: (peer) =>
      everywhere((player) =>
        inSomeWay(peer.ways.three, async (prompt) => {
          const [, second] = await play(peer.url, player, prompt);
          if (second === undefined) return false;
          const again = await answerTo(peer.url, player, second.history);
          return again?.calls[0]?.name === 'write_file' && second.answer.calls[0]?.name === 'write_file';
        }),
      ),
  },
  {
    name: 'Two conversations with the same story at the same time, over all seven',
    holds: (peer) =>
      everywhere((player) =>
        inSomeWay(peer.ways.three, async (prompt) => {
          const stories = await Promise.all([1, 2].map(() => play(peer.url, player, prompt)));
          return stories.every((turns) => outline(turns) === THREE);
        }),
      ),
  },
  {
    name: 'The same story again in a conversation in which it has ended, over all seven',
    holds: (peer) =>
      everywhere((player) =>
        inSomeWay(peer.ways.three, async (prompt) => {
          const last = (await play(peer.url, player, prompt)).at(-1);
          if (last === undefined) return false;
          const turns = await play(peer.url, player, prompt, [...last.history, ...last.answer.kept]);
          return outline(turns) === THREE;
        }),
      ),
  },
  {
    name: 'The next step for a history without its prompt (Chat Completions)',
    holds: (peer) =>
      inSomeWay(peer.ways.three, async (prompt) => {
        const third = (await play(peer.url, chat, prompt))[2];
        if (third === undefined) return false;
        const shortened = await answerTo(peer.url, chat, third.history.slice(-2));
        return shortened?.calls[0]?.name === 'run_shell';
      }),
  },
  {
    name: 'The next step for `previous_response_id` and the tool results alone (Responses)',
    holds: (peer) =>
      inSomeWay(peer.ways.three, async (prompt) => {
        const player = playerOf('openai-responses');
        const { path, body } = player.request(player.say(prompt), TOOLS, false);
        const first = await post(peer.url + path, body);
        const call = at(first.json, 'output', 0, 'call_id');
        if (typeof call !== 'string') return false;
        const next = player.request([{ type: 'function_call_output', call_id: call, output: 'ok' }], TOOLS, false);
        const body2 = { ...next.body, previous_response_id: at(first.json, 'id') };
        return at((await post(peer.url + path, body2)).json, 'output', 0, 'name') === 'write_file';
      }),
  },
  {
    name: 'A step chosen by the text of a tool result (Chat Completions)',
    async holds({ url }) {
      const first = await answerTo(url, chat, chat.say('run the tests'));
      if (first?.calls[0]?.name !== 'run_shell') return false;
      const after = async (result: string) => {
        const history = [...chat.say('run the tests'), ...first.kept, ...chat.results(first.calls, result)];
        return (await answerTo(url, chat, history))?.text;
      };
      return (await after('1 FAIL')) === 'They are red.' && (await after('1 ok')) === 'They are green.';
    },
  },
  {
    name: 'The same bytes for the same request from two servers, without explicit ids in the file, over all seven',
    holds: ({ url, twin }) =>
      everywhere(async (player) => {
        const [[status, first], [, second]] = await Promise.all([
          bytesOf(url, player, 'work in three steps'),
          bytesOf(twin, player, 'work in three steps'),
        ]);
        return status === 200 && first.includes('read_file') && first === second;
      }),
  },
  {
    name: 'The same body for the same request, with explicit ids and time in the file (Chat Completions)',
    async holds({ url, twin }) {
      const { path, body } = chat.request(chat.say('use explicit ids'), TOOLS, false);
      const [first, second] = await Promise.all([post(url + path, body), post(twin + path, body)]);
      return first.text.includes('call_explicit') && first.text === second.text;
    },
  },
  {
    name: 'One story for clients whose tools have different names and arguments, by the intent of the step',
    async holds({ url }) {
      const calls = [tool('save_file', 'target_path', 'text'), tool('Write', 'file_path', 'content')].map(
        async (offered) => {
          const answer = await answerTo(url, chat, chat.say('leave a note'), [offered, tool('view', 'file')]);
          const values = JSON.stringify(answer?.calls[0]?.arguments ?? '');
          return answer?.calls[0]?.name === offered.name && values.includes('note.txt') && values.includes('A note.');
        },
      );
      return (await Promise.all(calls)).every(Boolean);
    },
  },
  {
    name: 'A request for a title of a conversation gets a text without its own entry',
    async holds({ url }) {
      const system = { role: 'system', content: 'Generate a short title for this conversation.' };
      const answer = await answerTo(url, chat, [system, ...chat.say('work in three steps')], []);
      return answer !== undefined && answer.text !== '' && answer.calls.length === 0;
    },
  },
  {
    name: 'An entry for requests with a certain system prompt',
    async holds({ url }) {
      const system = { role: 'system', content: 'You are a title writer.' };
      return (await answerTo(url, chat, [system, ...chat.say('name this chat')], []))?.text === 'A named chat';
    },
  },
  {
    name: 'A request with a JSON schema gets an instance of it without its own entry',
    async holds({ url }) {
      const schema = { type: 'object', properties: { sum: { type: 'integer' } }, required: ['sum'] };
      const response_format = { type: 'json_schema', json_schema: { name: 'sum', schema } };
      const body = { model: 'gpt-5', messages: chat.say('how much is it?'), response_format };
      const { json } = await post(`${url}/v1/chat/completions`, body);
      const content = at(json, 'choices', 0, 'message', 'content');
      return typeof content === 'string' && /^\{"sum":-?\d+\}$/.test(content.replaceAll(/\s/g, ''));
    },
  },
  {
    name: 'An answer that contains a part of the request',
    holds: async ({ url }) =>
      (await answerTo(url, chat, chat.say('repeat the word banana')))?.text === 'You said banana.',
  },
  {
    name: 'Matching by custom code',
    holds: async ({ url }) => (await answerTo(url, chat, chat.say('decide in code')))?.text === 'Code has decided.',
  },
  {
    name: 'A different answer to each repetition of a request',
    async holds({ url }) {
      const send = async () => (await answerTo(url, chat, chat.say('count the requests')))?.text;
      return (await send()) === 'The first.' && (await send()) === 'The second.';
    },
  },
  {
    name: 'An answer with a tool call before its text (Anthropic Messages)',
    async holds({ url }) {
      const player = playerOf('anthropic-messages');
      const { path, body } = player.request(player.say('call before you speak'), TOOLS, false);
      const { json } = await post(url + path, body);
      return at(json, 'content', 0, 'type') === 'tool_use' && at(json, 'content', 1, 'type') === 'text';
    },
  },
  {
    name: 'Explicit usage and finish reason in the file (Chat Completions)',
    async holds({ url }) {
      const { path, body } = chat.request(chat.say('stop at the limit'), TOOLS, false);
      const { json } = await post(url + path, body);
      return at(json, 'usage', 'prompt_tokens') === 123 && at(json, 'choices', 0, 'finish_reason') === 'length';
    },
  },
  {
    name: 'Parallel tool calls in a stream have an `index` each (Chat Completions)',
    async holds({ url }) {
      const { path, body } = chat.request(chat.say('read both files'), TOOLS, true);
      const calls = dataOf((await post(url + path, body)).text).flatMap((frame) => {
        const found = at(frame, 'choices', 0, 'delta', 'tool_calls');
        return Array.isArray(found) ? found : [];
      });
      const named = calls.filter((call) => typeof at(call, 'function', 'name') === 'string' && at(call, 'id'));
      return JSON.stringify(named.map((call) => at(call, 'index'))) === '[0,1]';
    },
  },
];
