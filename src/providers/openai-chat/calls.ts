import type { ModelEvent } from '../../agent/ports/language-model.ts';
import { conforms, type ValueOf } from '../../schema/conforms.ts';
import { isWholeObject } from '../finish-reasons.ts';
import { callDelta } from '../provider-state.ts';
import { CHAT_CALL } from './schemas.data.ts';

/** A piece of a call as a server sends it. */
type CallPiece = ValueOf<typeof CHAT_CALL>;

/**
 * The pieces in the calls of a message, which are a list; of some servers one piece, or something else for none. Pieces
 * of several calls that have no index have that of their place.
 */
export function piecesIn(calls: unknown): readonly CallPiece[] {
  const pieces = [calls].flat().flatMap((piece) => (conforms(piece, CHAT_CALL) ? [piece] : []));
  return pieces.length < 2 ? pieces : pieces.map((piece, place) => ({ ...piece, index: piece.index ?? place }));
}

interface Call {
  readonly index: number;
  id: string;
  name: string;
  text: string;
}

/** Finds the call that a piece belongs to. */
export interface CallCollector {
  /** The number of the call, in order of arrival, and the event of its piece; none if the piece adds nothing. */
  add(piece: CallPiece): { readonly position: number; readonly events: readonly ModelEvent[] } | undefined;
  /** The arguments of the calls, as far as they have come. */
  texts(): readonly string[];
}

/** The fields of a piece, each with its usual type. */
interface PlainPiece {
  readonly index: number | undefined;
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

/**
 * Creates the collector of the calls of one answer. Servers differ in how they tell the pieces of calls apart: by index,
 * by id, by both or, if calls come whole, by nothing; some use the index 0 for each call, some a new id for each piece,
 * and some another index for the rest of a call than for its start. A name comes once, with each piece, or in pieces.
 */
export function createCallCollector(): CallCollector {
  const calls: Call[] = [];
  /** The ids of calls of which nothing else has come, by index. Some of these calls never begin. */
  const announced = new Map<number | undefined, string>();
  let last = -1;

  const positionOf = ({ index, id, name, text }: PlainPiece): number => {
    const withId = id === '' ? -1 : calls.findIndex((call) => call.id === id && (index ?? call.index) === call.index);
    if (index === undefined) {
      const known = calls[withId];
      const repeats = known !== undefined && isNext(known, name, text) && known.name !== name;
      if (known !== undefined && !repeats) return withId;
      return last === -1 || id !== '' || name !== '' ? calls.length : last;
    }
    const position = calls.findLastIndex((call) => call.index === index);
    const call = calls[position];
    if (call === undefined) {
      const same = calls.findIndex((other) => other.id === id && id !== '' && isSame(other, name, text));
      if (same !== -1) return same;
      return last === -1 || id !== '' || name !== '' ? calls.length : last;
    }
    if (id !== '' && call.id !== '' && call.id !== id) {
      if (withId !== -1) return withId;
      // Without a name, it is a piece of the call with an id of its own.
      return name === '' ? position : calls.length;
    }
    return id === '' && isNext(call, name, text) ? calls.length : position;
  };

  return {
    add(piece) {
      const plain = plainPiece(piece);
      const { name, text } = plain;
      const position = positionOf(plain);
      const known = calls[position];
      if (known === undefined && name === '' && text === '') {
        announced.set(plain.index, plain.id);
        return undefined;
      }
      const id = plain.id || (known === undefined ? (announced.get(plain.index) ?? '') : '');
      announced.delete(plain.index);
      last = position;
      const before =
        known === undefined && id === '' ? calls.findLast(({ index }) => index === plain.index) : undefined;
      const call = known ?? { index: plain.index ?? nextIndex(calls), id: '', name: '', text: '' };
      calls[position] = call;
      // A call whose start is lost is taken for one of the tool before it.
      const more = moreOfName(call, name || (before?.name ?? ''));
      const adds = known === undefined || text !== '' || (id !== '' && call.id === '') || more !== '';
      call.id ||= id;
      call.name += more;
      call.text += text;
      return {
        position,
        events: adds ? [callDelta(position, text, { id: id && call.id, name: more && call.name })] : [],
      };
    },
    texts: () => calls.map(({ text }) => text),
  };
}

function plainPiece({ index, id, function: called, name, arguments: args }: CallPiece): PlainPiece {
  const number = typeof index === 'string' && index !== '' ? Number(index) : index;
  return {
    index: typeof number === 'number' && Number.isInteger(number) ? number : undefined,
    id: typeof id === 'string' || typeof id === 'number' ? String(id) : '',
    name: (called?.name ?? name) || '',
    text: textOf(called?.arguments ?? called?.input ?? called?.parameters ?? args),
  };
}

/** True for a piece without an id of its own that begins another call behind a whole one, if need be without its name. */
function isNext(call: Call, name: string, text: string): boolean {
  const begins = name !== '' || (isWholeObject(text) && call.text.trim() !== '{}');
  // The call of a tool without parameters may have no arguments. A call without a name may get it at its end (SGLang).
  const isOther = name !== '' && call.name !== '' && name !== call.name;
  return begins && (text !== '' || isOther) && isWholeObject(call.text);
}

/** True for a piece with the id of a call, but another index, that goes on with the call or repeats it (LocalAI). */
function isSame(call: Call, name: string, text: string): boolean {
  return (name === '' || name === call.name) && (text === call.text || !isWholeObject(call.text));
}

/** The part of a name that a piece adds: all of it, or the next letters; nothing if it repeats the name. */
function moreOfName(call: Call, name: string): string {
  if (call.text !== '' && call.name !== '') return '';
  return name.startsWith(call.name) ? name.slice(call.name.length) : name;
}

function nextIndex(calls: readonly Call[]): number {
  return Math.max(-1, ...calls.map(({ index }) => index)) + 1;
}

/** Some servers send the arguments as an object, or as a list. */
function textOf(args: unknown): string {
  if (args === undefined || args === null) return '';
  return typeof args === 'string' ? args : JSON.stringify(args);
}
