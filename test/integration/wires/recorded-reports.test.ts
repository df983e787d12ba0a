import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { startRecording } from '../../../mock-llm-server/record/record-session.ts';
import { openFetch } from '../../../src/node/http/open-fetch.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';
import { CALL_ROWS } from '../../support/replies/call-rows.ts';
import { END_ROWS } from '../../support/replies/end-rows.ts';
import { ENVELOPE_ROWS } from '../../support/replies/envelope-rows.ts';
import { FINISH_ROWS } from '../../support/replies/finish-rows.ts';
import { FORM_ROWS } from '../../support/replies/form-rows.ts';
import { GATEWAY_ROWS } from '../../support/replies/gateway-rows.ts';
import { MARKUP_ROWS } from '../../support/replies/markup-rows.ts';
import { PIECE_ROWS } from '../../support/replies/piece-rows.ts';
import { startRawServer } from '../../support/replies/raw-server.ts';
import { REPORTED_ROWS } from '../../support/replies/reported/all.ts';
import { CHAT_REPORTS } from '../../support/replies/reported/chat.ts';
import { CALL_REPORTS } from '../../support/replies/reported/chat-calls.ts';
import { HEAD_REPORTS } from '../../support/replies/reported/heads.ts';
import { LATE_REPORTS } from '../../support/replies/reported/late-reports.ts';
import { MORE_CHAT_REPORTS } from '../../support/replies/reported/more-chat.ts';
import { MORE_WIRE_REPORTS } from '../../support/replies/reported/more-wires.ts';
import { OTHER_REPORTS } from '../../support/replies/reported/other-wires.ts';
import { RESPONSES_REPORTS } from '../../support/replies/reported/responses.ts';
import { RESPONSE_ROWS } from '../../support/replies/response-rows.ts';
import type { ReplyRow } from '../../support/replies/run-reply.ts';
import { SHAPE_ROWS } from '../../support/replies/shape-rows.ts';
import { STATUS_ROWS } from '../../support/replies/status-rows.ts';
import { STREAM_ROWS } from '../../support/replies/stream-rows.ts';

const messages = [{ role: 'user', content: 'hello there' }];
const contents = [{ role: 'user', parts: [{ text: 'hello there' }] }];

/** A request of each wire. */
const REQUESTS = {
  'openai-chat': ['/v1/chat/completions', { model: 'gpt-5', stream: true, messages }],
  'openai-responses': ['/v1/responses', { model: 'gpt-5', stream: true, input: 'hello there' }],
  'anthropic-messages': ['/v1/messages', { model: 'claude-x', max_tokens: 100, stream: true, messages }],
  gemini: ['/v1beta/models/gemini-x:streamGenerateContent?alt=sse', { contents }],
  'ollama-chat': ['/api/chat', { model: 'm', messages }],
} as const;

const ROWS = [
  ...[CHAT_REPORTS, CALL_REPORTS, HEAD_REPORTS, RESPONSES_REPORTS, OTHER_REPORTS, MORE_CHAT_REPORTS, MORE_WIRE_REPORTS],
  ...[CALL_ROWS, FINISH_ROWS, FORM_ROWS, MARKUP_ROWS, SHAPE_ROWS, STATUS_ROWS],
  ...[ENVELOPE_ROWS, GATEWAY_ROWS, STREAM_ROWS, PIECE_ROWS, RESPONSE_ROWS, LATE_REPORTS],
].flat();
const isCall = ({ sends = [] }: (typeof ROWS)[number]): boolean => sends.includes('The notes say seven.');
// A stream of Gemini has no mark of its end, so that the recorder waits for that of the body.
const ENDS = END_ROWS.filter(({ wire }) => wire !== 'gemini');
const ANSWERS = [...ROWS, ...ENDS].filter(
  (row) => row.code === 0 && (isCall(row) || (row.requests === 1 && row.shows.includes('Hello'))),
);
const FAILURES = [...ROWS, ...REPORTED_ROWS].filter(({ code, requests }) => code === 1 && requests === 1);

it.each(FAILURES)('records the failure of $wire: $name', async (row) => {
  const { log, story } = await record(row);
  // An answer that was withheld has its reason.
  if (/answered$/m.test(log)) expect(story).toMatch(/"finish": "(?!stop|tool_calls)/);
});

it.each(ANSWERS)('records the answer of $wire: $name', async (row) => {
  const { log, story } = await record(row);
  // A call within a text or the reasoning stays there, so that a client which plays the story has to read it, too.
  const call = /"name": "[^"]*read_file|"(?:content|text|reasoning)": "(?:[^"\\]|\\.)*read_?file/i;
  const recorded = isCall(row) ? call : /"(?:content|text|delta)": "(?:[^"\\]|\\.)*Hello/;
  expect(story, log).toMatch(recorded);
});

/** Records the first reply of a row. */
async function record(row: ReplyRow) {
  const [reply] = row.replies;
  if (reply === undefined) throw new Error('the row has no reply');
  const server = await startRawServer(() => reply);
  const out = path.join(temporaryDirectory(), 'story');
  const log: string[] = [];
  const none = { scenarios: [], fallbackOnly: false, force: false, fromDrift: false };
  const { url, close } = await startRecording({
    ...{ port: 0, upstream: server.url, key: 'k', out, ...none },
    log: (line) => log.push(line),
  });
  const send = await openFetch({ local: true, caFile: undefined }, { environment: {}, home: '/' });
  const [at, body] = REQUESTS[row.wire];
  const headers = { 'content-type': 'application/json', 'x-api-key': 'k', 'anthropic-version': '2023-06-01' };
  const answer = await send(`${url}${at}`, { method: 'POST', headers, body: JSON.stringify(body) });
  try {
    for await (const _bytes of answer.body ?? []);
  } catch {
    // The server may end the connection before the body.
  }
  await close();
  const story = readdirSync(out).map((name) => readFileSync(path.join(out, name), 'utf8'));
  return { log: log.join('\n'), story: story.join('\n') };
}
