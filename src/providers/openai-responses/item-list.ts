import type { TextPhase } from '../provider-state.ts';

/** The kinds of items that are read. */
export type Kind = 'message' | 'call' | 'reasoning' | 'other';

/** The fields of an event that tell which item it is about. */
interface ItemEvent {
  readonly output_index?: number | string | null | undefined;
  readonly item_id?: string | null | undefined;
  readonly item?:
    | { readonly id?: string | null | undefined; readonly call_id?: string | null | undefined }
    | null
    | undefined;
}

/** An item of the answer that has begun. */
export interface Item<Kept> {
  readonly kind: Kind;
  readonly index: number | undefined;
  readonly id: string | undefined;
  readonly callId: string | undefined;
  /** The number of the call; 0 for other items. */
  callIndex: number;
  /** The text, or the arguments, as far as they have arrived. */
  text: string;
  phase?: TextPhase;
  ended: boolean;
  /** The item as it is sent back. */
  item?: Kept;
}

export interface ItemList<Kept> {
  add(kind: Kind, event: ItemEvent): Item<Kept>;
  find(kind: Kind, event: ItemEvent): Item<Kept> | undefined;
  /** In the order of the answer. */
  all(): readonly Item<Kept>[];
}

/**
 * Creates an empty list. Servers differ in how events name their item: llama.cpp by its id alone, Ollama by an index that
 * a message and the calls after it share, Copilot by an index and an id that is new in each event. So an item is found by
 * its kind and its id, else by its kind and its index; without an index it is the last one of its kind.
 */
export function createItemList<Kept>(): ItemList<Kept> {
  const items: Item<Kept>[] = [];
  return {
    add(kind, event) {
      const item: Item<Kept> = {
        kind,
        index: indexOf(event),
        id: idOf(event),
        callId: event.item?.call_id || undefined,
        callIndex: 0,
        text: '',
        ended: false,
      };
      items.push(item);
      return item;
    },
    find(kind, event) {
      const id = idOf(event);
      const callId = event.item?.call_id || undefined;
      const index = indexOf(event);
      const possible = items.filter(
        (item) => item.kind === kind && (callId === undefined || item.callId === undefined || callId === item.callId),
      );
      const open = possible.filter(({ ended }) => !ended);
      return (
        possible.findLast((item) => id !== undefined && item.id === id) ??
        (index === undefined
          ? open.at(-1)
          : [...possible.filter(({ ended }) => ended), ...open].findLast((item) => item.index === index))
      );
    },
    all: () => items.toSorted((one, other) => (one.index ?? 0) - (other.index ?? 0)),
  };
}

function indexOf({ output_index: index }: ItemEvent): number | undefined {
  return index === undefined || index === null ? undefined : Number(index);
}

function idOf({ item_id, item }: ItemEvent): string | undefined {
  return item_id || item?.id || undefined;
}
