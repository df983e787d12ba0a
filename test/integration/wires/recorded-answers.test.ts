import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ModelError } from '../../../src/agent/errors.ts';
import type { ModelRequest } from '../../../src/agent/ports/language-model.ts';
import { withTextCalls } from '../../../src/providers/text-calls/with-text-calls.ts';
import { withWindowEnds } from '../../../src/providers/window-ends.ts';
import { loadWire } from '../../../src/providers/wires.ts';
import { SERVER_FACTS } from '../../real/server-facts.ts';
import { createManualClock } from '../../support/fakes/manual-clock.ts';
import { type RecordedAnswer, realServerAnswers } from '../../support/recorded/real-servers.ts';
import { pieceReply, startRawServer } from '../../support/replies/raw-server.ts';

const recorded = realServerAnswers();

/** The expected reading of each answer: a line per exchange. */
const expected = z
  .record(z.string(), z.string())
  .parse(JSON.parse(readFileSync(path.join(import.meta.dirname, 'recorded', 'what-is-read.json'), 'utf8')));

const request: ModelRequest = {
  system: 'Be brief.',
  messages: [{ role: 'user', content: 'hello' }],
  tools: [{ name: 'read_file', description: 'Reads.', parameters: { type: 'object' }, effect: 'read' }],
};

/** Text, reasoning, calls, usage and end of an answer in one line; texts of more than 60 characters by their length. */
async function readAnswer({ wire, status, type, body, maxTokens }: RecordedAnswer): Promise<string> {
  const server = await startRawServer(() => pieceReply([body], { status, type }));
  const create = await loadWire(wire);
  const limited = withWindowEnds(
    create({
      ...{
        provider: 'server',
        label: 'The server',
        endpoint: `${server.url}${wire.startsWith('openai') ? '/v1' : ''}`,
      },
      ...{ model: 'm', maxTokens, timeoutMs: 60_000, clock: createManualClock(Date.UTC(2026, 10, 28)) },
    }),
    async () => maxTokens,
  );
  const model = withTextCalls(limited);
  const texts = { text: '', reasoning: '' };
  const calls: { name: string; arguments: string }[] = [];
  const rest: string[] = [];
  try {
    for await (const event of model.stream(request, new AbortController().signal)) {
      switch (event.type) {
        case 'text_delta':
          texts.text += event.text;
          break;
        case 'reasoning_delta':
          texts.reasoning += event.text;
          break;
        case 'tool_call_delta': {
          const call = calls[event.index] ?? { name: '', arguments: '' };
          calls[event.index] = call;
          call.name += event.name ?? '';
          call.arguments += event.arguments;
          break;
        }
        case 'usage':
          rest.push(`usage ${event.inputTokens}/${event.outputTokens}`);
          break;
        case 'finish':
          rest.push(event.reason);
          break;
        case 'warning':
          rest.push(`warning ${event.code}`);
          break;
        default:
      }
    }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    rest.push(`${error.code}: ${error.message.replaceAll(server.url, 'URL')}`);
  }
  const shown = Object.entries(texts).flatMap(([kind, text]) => (text === '' ? [] : [`${kind} ${shortened(text)}`]));
  return [...shown, ...calls.map((call) => `call ${call.name} ${shortened(call.arguments)}`), ...rest].join(' · ');
}

function shortened(text: string): string {
  return text.length <= 60 ? JSON.stringify(text) : `of ${text.length} characters`;
}

describe('the recorded answers of real servers', () => {
  it.each(recorded)('$server $exchange', async (answer) => {
    expect(await readAnswer(answer)).toBe(expected[`${answer.server}/${answer.exchange}`]);
  });

  it('show each fact about a server', () => {
    const shown = new Set(recorded.map(({ fact }) => fact));
    expect(SERVER_FACTS.filter(({ number }) => !shown.has(number))).toEqual([]);
  });

  it('are all in the table, and nothing else is', () => {
    expect(Object.keys(expected)).toEqual(recorded.map(({ server, exchange }) => `${server}/${exchange}`));
  });
});
