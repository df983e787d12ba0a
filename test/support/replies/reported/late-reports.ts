import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { WIRE_NAMES, type Wire } from '../../../../src/providers/wires.ts';
import { FRAMES, sse, streamOf, textReply } from '../frames.ts';
import { AGAIN, type Expected, failing, HELLO, PATH, READ } from '../piece-row.ts';
import { pieceReply, type RawReply } from '../raw-server.ts';
import type { ReplyRow } from '../run-reply.ts';

/** A piece of an answer: bytes, a value, or, of a chat completion, a delta, a text that is sent by letters, or a finish reason. */
const PieceSchema = z.union([z.string(), z.record(z.string(), z.unknown())]);

const texts = z.array(z.string()).default([]);
const ReportSchema = z.strictObject({
  /** The public report. */
  source: z.string(),
  name: z.string(),
  wire: z.enum(WIRE_NAMES),
  /** The result: see `EXPECTED`. */
  expect: z.enum(['hello', 'read', 'again', 'sent', 'short', 'fails', 'cut']),
  /** An answer before the one of the report: with a call of `read_file`, or these pieces. */
  after: z.union([z.literal('call'), z.array(PieceSchema)]).optional(),
  /** The answer of the report: the pieces of a stream, or a body with its status. */
  chunks: z.array(PieceSchema).optional(),
  /** The bytes of the answer, piece by piece. */
  raw: z.array(z.string()).optional(),
  status: z.number().default(200),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.unknown().optional(),
  afterwards: z.enum(['open', 'close', 'reset']).optional(),
  /** The server answers each request like this. */
  always: z.literal(true).optional(),
  requests: z.number().optional(),
  shows: texts,
  hides: texts,
  sends: texts,
  /** Texts that the last request does not have. */
  keeps: texts,
  settings: z.record(z.string(), z.unknown()).optional(),
  picture: z.union([z.literal(true), z.literal('large')]).optional(),
});

type Report = z.infer<typeof ReportSchema>;

/** The result, by its name. `sent`: sent again in another form; `short`: the conversation is shortened. */
const EXPECTED: Readonly<Record<Report['expect'], Expected>> = {
  hello: HELLO,
  read: READ,
  again: AGAIN,
  sent: { ...AGAIN, shows: ['sent again', 'They say seven.'] },
  short: { ...AGAIN, shows: ['The model refused the conversation as too long', 'They say seven.'] },
  fails: failing(),
  cut: { code: 4, requests: 1, shows: ['cut at the output limit'] },
};

function framesOf(wire: Wire, pieces: readonly z.infer<typeof PieceSchema>[]): readonly string[] {
  return pieces.flatMap((piece) => {
    if (typeof piece === 'string') return `data: ${piece}\n\n`;
    if (wire === 'ollama-chat') return `${JSON.stringify(piece)}\n`;
    const { type, delta, finish, letters } = piece;
    if (letters !== undefined) return [...String(letters)].map((content) => sse({ choices: [{ delta: { content } }] }));
    if (typeof type === 'string') return sse(piece, type);
    if (finish !== undefined) return sse({ choices: [{ index: 0, delta: {}, finish_reason: finish }] });
    return sse(delta === undefined ? piece : { choices: [{ index: 0, delta, finish_reason: null }] });
  });
}

function replyOf({ wire, chunks, raw, status, headers, body, afterwards }: Report): RawReply {
  const options = { status, headers, ...(afterwards && { afterwards, unended: true }) };
  if (raw !== undefined) return streamOf(wire, raw, options);
  if (chunks !== undefined) return streamOf(wire, framesOf(wire, chunks), options);
  const isText = typeof body === 'string';
  const type = isText ? 'text/plain' : 'application/json';
  return pieceReply([isText ? body : JSON.stringify(body)], { type, ...options });
}

function rowOf(report: Report): ReplyRow {
  const { name, source, wire, after, shows, hides, sends, keeps, settings, picture } = report;
  const expected = EXPECTED[report.expect];
  const frames = FRAMES[wire];
  const call = [...frames.call('read_file', JSON.parse(PATH)), ...frames.end(frames.reasons.calls)];
  const first = after === undefined ? [] : [streamOf(wire, after === 'call' ? call : framesOf(wire, after))];
  const answer = report.always === true ? [] : [textReply(wire, 'They say seven.')];
  return {
    ...{ name, source, wire, code: expected.code, replies: [...first, replyOf(report), ...answer] },
    requests: report.requests ?? expected.requests + first.length,
    shows: [...expected.shows, ...shows],
    hides: [...(expected.hides ?? []), ...hides],
    sends: [...(expected.sends ?? []), ...sends],
    keeps,
    ...(settings !== undefined && { settings }),
    ...(picture && { picture }),
  };
}

/** Reports that were collected on 2026-11-30, one a line of `late-reports.jsonl`. */
export const LATE_REPORTS: readonly ReplyRow[] = readFileSync(new URL('./late-reports.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => rowOf(ReportSchema.parse(JSON.parse(line))));
