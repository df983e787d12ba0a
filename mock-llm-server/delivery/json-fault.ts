import type { Reply } from '../conversation/conversation.ts';
import { isJsonObject } from '../conversation/json.ts';
import type { Fault } from '../scenario/fault-format.ts';
import type { Frame } from '../wire/wire.ts';

/** Names of the keys that say which of several tool calls a piece belongs to, in any protocol. */
const INDEX_KEYS = ['index', 'output_index'];

/** Whether a fault takes something out of the JSON of an answer. */
function changesJson(fault: Fault): boolean {
  return Boolean(fault.missing_call_id || fault.missing_index || fault.colliding_index);
}

/** The body of an answer that is not streamed, with what a fault changes in it. */
export function breakBody(body: object, reply: Reply, fault: Fault): unknown {
  return fault.missing_call_id ? withoutIds(body, callIdsOf(reply)) : body;
}

/** The frames with what a fault changes in their JSON. Frames it does not concern keep their bytes. */
export function breakFrames(frames: readonly Frame[], reply: Reply, fault: Fault): readonly Frame[] {
  if (!changesJson(fault)) return frames;
  const ids = callIdsOf(reply);
  const indexes = fault.missing_index || fault.colliding_index ? callIndexes(frames, ids) : new Set<number>();
  const first = Math.min(...indexes);
  return frames.map((frame) => ({
    kind: frame.kind,
    bytes: mapJson(frame.bytes, (value) => {
      const known = fault.missing_call_id ? withoutIds(value, ids) : value;
      return indexes.size === 0 ? known : changeIndexes(known, indexes, fault.missing_index ? undefined : first);
    }),
  }));
}

function callIdsOf({ toolCalls }: Reply): ReadonlySet<unknown> {
  return new Set(toolCalls.map(({ id }) => id));
}

/**
 * The indexes of tool calls: those in frames that carry arguments or name a call. Where a protocol has indexes of
 * other things beside them, these are other numbers or stand elsewhere.
 */
function callIndexes(frames: readonly Frame[], ids: ReadonlySet<unknown>): Set<number> {
  const indexes = new Set<number>();
  for (const { kind, bytes } of frames) {
    mapJson(bytes, (value) => {
      if (kind === 'arguments' || mentions(value, ids)) collectIndexes(value, indexes);
      return value;
    });
  }
  return indexes;
}

function collectIndexes(value: unknown, indexes: Set<number>): void {
  changeCarriers(value, (carrier) => {
    for (const key of INDEX_KEYS) {
      const index = carrier[key];
      if (typeof index === 'number') indexes.add(index);
    }
    return carrier;
  });
}

function changeIndexes(value: unknown, indexes: ReadonlySet<number>, replacement: number | undefined): unknown {
  return changeCarriers(value, (carrier) =>
    Object.fromEntries(
      Object.entries(carrier).flatMap(([key, entry]) => {
        const isIndex = INDEX_KEYS.includes(key) && typeof entry === 'number' && indexes.has(entry);
        if (!isIndex) return [[key, entry]];
        return replacement === undefined ? [] : [[key, replacement]];
      }),
    ),
  );
}

type JsonFields = Readonly<Record<string, unknown>>;

/** Changes the objects that may carry the index of a tool call: the frame itself, and what is in `tool_calls`. */
function changeCarriers(value: unknown, change: (carrier: JsonFields) => JsonFields): unknown {
  return isJsonObject(value) ? changeCallLists(change(value), change) : value;
}

function changeCallLists(value: unknown, change: (carrier: JsonFields) => JsonFields): unknown {
  if (Array.isArray(value)) return value.map((entry) => changeCallLists(entry, change));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => {
      if (key !== 'tool_calls' || !Array.isArray(entry)) return [key, changeCallLists(entry, change)];
      return [key, entry.map((call) => changeCall(call, change))];
    }),
  );
}

/** A call, and its `function`, which carries the index at Ollama. */
function changeCall(call: unknown, change: (carrier: JsonFields) => JsonFields): unknown {
  if (!isJsonObject(call)) return call;
  const changed = change(call);
  const inner = changed['function'];
  return isJsonObject(inner) ? { ...changed, function: change(inner) } : changed;
}

function withoutIds(value: unknown, ids: ReadonlySet<unknown>): unknown {
  if (Array.isArray(value)) return value.map((entry) => withoutIds(entry, ids));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, entry]) => (ids.has(entry) ? [] : [[key, withoutIds(entry, ids)]])),
  );
}

function mentions(value: unknown, ids: ReadonlySet<unknown>): boolean {
  if (Array.isArray(value)) return value.some((entry) => mentions(entry, ids));
  return isJsonObject(value) ? Object.values(value).some((entry) => mentions(entry, ids)) : ids.has(value);
}

/** Changes the JSON objects of a frame, one a line at most, and keeps everything around them. */
function mapJson(bytes: string, change: (value: unknown) => unknown): string {
  return bytes
    .split('\n')
    .map((line) => {
      const start = line.indexOf('{');
      const end = line.lastIndexOf('}') + 1;
      if (start === -1 || end <= start) return line;
      const before = line.slice(start, end);
      const after = JSON.stringify(change(JSON.parse(before)));
      return line.slice(0, start) + after + line.slice(end);
    })
    .join('\n');
}
