import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { Wire } from '../../../src/providers/wires.ts';
import { type BinResult, runBin } from '../processes/run-bin.ts';
import { runMain } from '../processes/run-main.ts';
import { temporaryDirectory, writeFiles } from '../processes/temporary-directory.ts';
import { type RawReply, type RawRequest, startRawServer } from './raw-server.ts';

/** Bytes of a server, and the result for the user and the model. */
export interface ReplyRow {
  readonly name: string;
  readonly wire: Wire;
  /** The public report, or the recorded server, from which the bytes come. */
  readonly source: string;
  /** The answers to the requests, in their order; the last one answers all later ones. */
  readonly replies: readonly RawReply[];
  readonly code: number;
  /** Parts of what is printed: the answer, and the messages. */
  readonly shows: readonly string[];
  /** Texts that are not printed. */
  readonly hides?: readonly string[];
  /** Number of requests. */
  readonly requests: number;
  /** Parts of the body of the last request, which the model reads. */
  readonly sends?: readonly string[];
  /** Texts that the last request does not have. */
  readonly keeps?: readonly string[];
  /** Settings of `llm` in addition to those of the server. */
  readonly settings?: object;
  /** The prompt has a picture, which is small, or larger than its text. */
  readonly picture?: true | 'large';
}

/** The files of the workspace of a row. */
const FILES = { 'notes.txt': 'The notes say seven.\n' };
/** A picture of one pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Sends the bytes of a row to `ybs`, built or in this process, and checks the result. */
export async function checkReply(row: ReplyRow, program: 'built' | 'sources'): Promise<void> {
  const { result, requests } = await runReply(row, program);
  const shown = result.stdout + result.stderr;
  const seen = {
    code: result.code,
    requests: requests.length,
    missing: row.shows.filter((text) => !shown.includes(text)),
    unwanted: (row.hides ?? []).filter((text) => shown.includes(text)),
    unsent: (row.sends ?? []).filter((text) => !(requests.at(-1)?.body ?? '').includes(text)),
    unkept: (row.keeps ?? []).filter((text) => (requests.at(-1)?.body ?? '').includes(text)),
  };
  const nothing = { missing: [], unwanted: [], unsent: [], unkept: [] };
  expect(seen, shown).toEqual({ code: row.code, requests: row.requests, ...nothing });
}

async function runReply(
  { wire, replies, settings, picture }: ReplyRow,
  program: 'built' | 'sources',
): Promise<{ readonly result: BinResult; readonly requests: readonly RawRequest[] }> {
  const server = await startRawServer((_request, number) => {
    const reply = replies[Math.min(number, replies.length) - 1];
    if (reply === undefined) throw new Error('the row has no reply');
    return reply;
  });
  const directory = temporaryDirectory();
  const place = temporaryDirectory();
  const config = {
    llm: { provider: 'openai-compatible', api_kind: wire, endpoint: server.url, model: 'some-model', ...settings },
    agent: { retry_backoff_base_ms: 1 },
  };
  writeFiles(directory, FILES);
  const bytes = picture === 'large' ? Buffer.concat([PICTURE, Buffer.alloc(100_000)]) : PICTURE;
  if (picture) writeFileSync(path.join(directory, 'dot.png'), bytes);
  writeFiles(place, { 'config.json': JSON.stringify(config) });
  const prompt = `Read notes.txt and say what it says.${picture ? ' @dot.png' : ''}`;
  // The rows test the wire. Trying the sandbox would take half the time of a run.
  const args = ['--no-sandbox', '--config', path.join(place, 'config.json'), prompt];
  const result = await (program === 'built' ? runBin : runMain)(args, { directory });
  return { result, requests: server.requests };
}
