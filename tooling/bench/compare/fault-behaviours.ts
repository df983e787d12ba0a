import { type Behaviour, TOOLS } from './behaviour.ts';
import { at, dataOf, type Peer, post, readAnswer } from './peer.ts';

const bodyOf = (prompt: string) => ({
  model: 'gpt-5',
  stream: true,
  messages: [{ role: 'user', content: prompt }],
  tools: TOOLS.map((tool) => ({ type: 'function', function: tool })),
});

/** An observed stream and its end. `firstTextAfter` is in milliseconds. */
interface Streamed {
  readonly status: number;
  readonly bytes: readonly Uint8Array[];
  readonly text: string;
  readonly end: 'end' | 'error' | 'stalled';
  readonly firstTextAfter: number;
}

/** Streams a chat completion. A stream counts as stalled if no text follows within 250 ms. */
async function stream({ url }: Pick<Peer, 'url'>, prompt: string): Promise<Streamed> {
  const started = performance.now();
  const stop = new AbortController();
  const bytes: Uint8Array[] = [];
  const decoder = new TextDecoder();
  let text = '';
  let firstTextAfter = Number.POSITIVE_INFINITY;
  let isStalled = false;
  const giveUp = () => {
    isStalled = true;
    stop.abort();
  };
  let timer = setTimeout(giveUp, 3000);
  const result = (status: number, end: Streamed['end']) => ({ status, bytes, text, end, firstTextAfter });
  try {
    const init = { method: 'POST', body: JSON.stringify(bodyOf(prompt)), signal: stop.signal };
    const response = await fetch(`${url}/v1/chat/completions`, {
      ...init,
      headers: { 'content-type': 'application/json' },
    });
    try {
      for await (const chunk of response.body ?? []) {
        bytes.push(chunk);
        const piece = decoder.decode(chunk, { stream: true });
        text += piece;
        if (!/"content":"[^"]/.test(piece)) continue;
        firstTextAfter = Math.min(firstTextAfter, performance.now() - started);
        clearTimeout(timer);
        timer = setTimeout(giveUp, 250);
      }
      return result(response.status, 'end');
    } catch {
      return result(response.status, isStalled ? 'stalled' : 'error');
    }
  } catch {
    return result(0, isStalled ? 'stalled' : 'error');
  } finally {
    clearTimeout(timer);
  }
}

const contentOf = ({ text }: Streamed) =>
  dataOf(text)
    .map((frame) => at(frame, 'choices', 0, 'delta', 'content'))
    .join('');
const isFinished = ({ text }: Streamed) => /"finish_reason":"/.test(text);

/** Behaviours of faults and timing, over Chat Completions unless the name says otherwise. */
export const FAULT_BEHAVIOURS: readonly Behaviour[] = [
  {
    name: 'A 429 with `retry-after`, then the answer',
    async holds({ url }) {
      const send = () => post(`${url}/v1/chat/completions`, { ...bodyOf('be busy once'), stream: false });
      const first = await send();
      const isBusy = first.status === 429 && first.headers.get('retry-after') === '7';
      return (
        isBusy && at(first.json, 'error', 'message') === 'Slow down.' && (await send()).text.includes('Now it works.')
      );
    },
  },
  {
    name: 'A 529 with the type `overloaded_error` (Anthropic Messages)',
    async holds({ url }) {
      const messages = [{ role: 'user', content: 'be overloaded' }];
      const { status, json } = await post(`${url}/v1/messages`, { model: 'm', max_tokens: 9, messages });
      return status === 529 && at(json, 'type') === 'error' && at(json, 'error', 'type') === 'overloaded_error';
    },
  },
  {
    name: 'A stream that ends without a `finish_reason` and without a connection error',
    async holds(peer) {
      const streamed = await stream(peer, 'break off');
      return streamed.end === 'end' && contentOf(streamed).startsWith('One') && !isFinished(streamed);
    },
  },
  {
    name: 'A connection reset in the middle of a stream',
    async holds(peer) {
      const streamed = await stream(peer, 'hang up');
      return streamed.end === 'error' && contentOf(streamed).startsWith('One') && !isFinished(streamed);
    },
  },
  {
    name: 'A stream that stalls in the middle',
    async holds(peer) {
      const streamed = await stream(peer, 'fall asleep');
      return streamed.end === 'stalled' && contentOf(streamed).startsWith('One');
    },
  },
  {
    name: 'A stream that sends only keep-alive pings after its middle',
    async holds(peer) {
      const streamed = await stream(peer, 'doze');
      const pings = streamed.text.match(/^:/gm)?.length ?? 0;
      return streamed.end === 'stalled' && contentOf(streamed).startsWith('One') && pings > 1;
    },
  },
  {
    name: 'Truncated JSON with status 200',
    async holds(peer) {
      const { status, text } = await stream(peer, 'garble it');
      const data = [...text.matchAll(/^(?:data: )?(\{.*)$/gm)].map(([, json = '']) => json);
      return status === 200 && data.some((json) => dataOf(`data: ${json}`).length === 0);
    },
  },
  {
    name: 'A delayed first token',
    async holds(peer) {
      const streamed = await stream(peer, 'take your time');
      return streamed.firstTextAfter >= 75 && streamed.firstTextAfter < 5000 && isFinished(streamed);
    },
  },
  {
    name: 'Chunks that end inside a multi-byte character',
    async holds(peer) {
      const streamed = await stream(peer, 'tear a character');
      const isTorn = streamed.bytes.some((chunk) => new TextDecoder().decode(chunk).includes('\uFFFD'));
      return isTorn && contentOf(streamed) === '漢字'.repeat(20);
    },
  },
  {
    name: 'Parallel tool calls with the same `index`',
    async holds(peer) {
      const indexes = dataOf((await stream(peer, 'mix the indexes up')).text).flatMap((frame) => {
        const calls = at(frame, 'choices', 0, 'delta', 'tool_calls');
        return Array.isArray(calls) ? calls.filter((call) => at(call, 'id')).map((call) => at(call, 'index')) : [];
      });
      return indexes.length === 2 && indexes[0] === indexes[1];
    },
  },
  {
    name: 'Chaos: a fraction of all requests fails',
    holds: async ({ chaotic }) => {
      if (chaotic === undefined) return false;
      const outcomes = await outcomesOf(chaotic[0]);
      return new Set(outcomes).size > 1;
    },
  },
  {
    name: 'Chaos with a seed: the same requests fail in the same way again',
    async holds({ chaotic }) {
      if (chaotic === undefined) return false;
      const [first, second] = await Promise.all(chaotic.map(seededOutcomes));
      return first === second && new Set(JSON.parse(first ?? '[]')).size > 1;
    },
  },
];

/** The outcomes of the same sequence of requests to a fresh server. */
function seededOutcomes(url: string): Promise<string> {
  return outcomesOf(url, 'seeded').then((outcomes) => JSON.stringify(outcomes));
}

async function outcomesOf(url: string, name = 'first'): Promise<string[]> {
  const outcomes: string[] = [];
  for (let number = 0; number < 24; number += 1) {
    const body = { ...bodyOf(`say hello, ${name} ${number}`), stream: false };
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const outcome = fetch(`${url}/v1/chat/completions`, init).then(readAnswer);
    outcomes.push(
      await outcome.then(
        ({ status, text }) => `${status} ${text.includes('Hello.')}`,
        () => 'broken',
      ),
    );
  }
  return outcomes;
}
