import type { Wire } from '../../../src/providers/wires.ts';
import { sse, streamOf, textReply } from './frames.ts';
import type { RawReply } from './raw-server.ts';
import type { ReplyRow } from './run-reply.ts';

/** The parts of a row that describe the visible result. */
export type Expected = Pick<ReplyRow, 'code' | 'requests' | 'shows' | 'hides' | 'sends'>;

/** A stream, and the report of a server that sends it. */
export type PieceRow = readonly [name: string, source: string, pieces: readonly string[], expected: Expected];

/** A whole reply, and the report of a server that sends it. */
export type RawRow = readonly [name: string, source: string, reply: RawReply, expected: Expected];

/** The text is shown, once. */
export const HELLO: Expected = { code: 0, requests: 1, shows: ['Hello'], hides: ['HelloHello'] };
/** The call of `read_file` runs, once. */
export const READ: Expected = {
  code: 0,
  requests: 2,
  shows: ['They say seven.'],
  hides: ['unnamed'],
  sends: ['The notes say seven.'],
};
/** Both calls run. */
export const BOTH: Expected = { ...READ, sends: ['The notes say seven.', '"list_files"'] };
/** The answer is requested again. */
export const AGAIN: Expected = { code: 0, requests: 2, shows: ['They say seven.'] };

/** The run fails at once. */
export function failing(...shows: readonly string[]): Expected {
  return { code: 1, requests: 1, shows };
}

/** The arguments of a call of `read_file`. */
export const PATH = '{"path":"notes.txt"}';

/** A server-sent event with its name. */
export function event(type: string, fields: object = {}): string {
  return sse({ type, ...fields }, type);
}

/** The rows of one wire. */
export function rowsOf(wire: Wire, rows: readonly PieceRow[]): readonly ReplyRow[] {
  return rows.map(([name, source, pieces, expected]) => {
    return { name, source, wire, replies: [streamOf(wire, pieces), textReply(wire, 'They say seven.')], ...expected };
  });
}

/** The rows of whole replies of one wire. */
export function rawRowsOf(wire: Wire, rows: readonly RawRow[]): readonly ReplyRow[] {
  return rows.map(([name, source, reply, expected]) => {
    return { name, source, wire, replies: [reply, textReply(wire, 'They say seven.')], ...expected };
  });
}
