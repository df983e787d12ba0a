import type { ModelEvent } from '../../agent/ports/language-model.ts';
import type { ValueOf } from '../../schema/conforms.ts';
import { callDelta } from '../provider-state.ts';
import type { CHAT_CALL } from './schemas.data.ts';

/** A piece of a call as a server sends it. */
export type CallPiece = ValueOf<typeof CHAT_CALL>;

/** A call that has begun. */
interface Call {
  readonly index: number;
  id: string;
  name: string;
  text: string;
}

/** Finds the call that a piece belongs to. */
export interface CallCollector {
  /** The number of the call, in order of arrival, and the event of its piece; none if the piece adds nothing. */
  add(piece: CallPiece): { readonly position: number; readonly events: readonly ModelEvent[] };
}

/**
 * Creates the collector of the calls of one answer. Servers differ in how they tell the pieces of calls apart: by index,
 * by id, by both or, if calls come whole, by nothing; some use the index 0 for each call, some a new id for each piece.
 */
export function createCallCollector(): CallCollector {
  const calls: Call[] = [];
  let last = -1;

  const positionOf = (piece: CallPiece, text: string): number => {
    const { id, index, function: called } = piece;
    if (typeof index !== 'number') {
      const known = id ? calls.findIndex((call) => call.id === id) : -1;
      if (known !== -1) return known;
      return last === -1 || id || called?.name ? calls.length : last;
    }
    const position = calls.findLastIndex((call) => call.index === index);
    const call = calls[position];
    if (call === undefined) return calls.length;
    if (id && call.id !== '' && call.id !== id) {
      const same = calls.findIndex((other) => other.index === index && other.id === id);
      if (same !== -1) return same;
      // Without a name, it is a piece of the call with an id of its own.
      return called?.name || call.name === '' ? calls.length : position;
    }
    const isNext = !id && Boolean(called?.name) && text !== '' && isWhole(call.text);
    return isNext ? calls.length : position;
  };

  return {
    add(piece) {
      const name = piece.function?.name || '';
      const text = textOf(piece.function?.arguments);
      const position = positionOf(piece, text);
      last = position;
      const id = piece.id || '';
      const call = calls[position] ?? { index: piece.index ?? nextIndex(calls), id: '', name: '', text: '' };
      const isNew = calls[position] === undefined;
      const adds = isNew || text !== '' || (id !== '' && call.id === '') || (name !== '' && call.name === '');
      calls[position] = call;
      call.id ||= id;
      call.name ||= name;
      call.text += text;
      if (!adds) return { position, events: [] };
      return { position, events: [callDelta(position, text, { id: id && call.id, name })] };
    },
  };
}

function nextIndex(calls: readonly Call[]): number {
  return Math.max(-1, ...calls.map(({ index }) => index)) + 1;
}

/** Some servers send the arguments as an object, or as a list. */
function textOf(args: unknown): string {
  if (args === undefined || args === null) return '';
  return typeof args === 'string' ? args : JSON.stringify(args);
}

/** True for arguments that are a whole JSON object, behind which only another call can follow. */
function isWhole(text: string): boolean {
  if (!text.trimEnd().endsWith('}')) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
