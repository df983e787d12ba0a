import type { ModelEvent } from '../../agent/ports/language-model.ts';

type Piece = Extract<ModelEvent, { readonly type: 'text_delta' | 'reasoning_delta' }>;

/** The pieces of a text: the last one, the length of what was passed on of it, and whether each has all of the text. */
interface Text {
  readonly last: string;
  readonly sent: number;
  readonly isWhole: boolean;
}

/** A text with a piece that does not begin with the one before. No piece begins so. */
const ORDINARY: Text = { last: '\0', sent: 0, isWhole: false };

/**
 * The new parts of the pieces of a text, all of which begin with the text so far at DashScope, Bedrock and gateways.
 * Ordinary pieces may be alike: `Ha` and `Haha`. So a piece waits for the next one if that before it is short.
 */
export function createNewParts(): (event: ModelEvent) => readonly ModelEvent[] {
  const texts = new Map<Piece['type'], Text>();
  let waiting: readonly Piece[] = [];
  const release = (): readonly Piece[] => {
    const released = waiting;
    for (const { type } of released) texts.set(type, ORDINARY);
    waiting = [];
    return released;
  };
  return (event) => {
    if (event.type !== 'text_delta' && event.type !== 'reasoning_delta') return [...release(), event];
    const { type, text } = event;
    const others = waiting[0]?.type === type ? [] : release();
    const before = texts.get(type);
    if (text === '') return others;
    if (before === undefined || !text.startsWith(before.last) || (!before.isWhole && text === before.last)) {
      const released = release();
      texts.set(type, before === undefined ? { last: text, sent: text.length, isWhole: false } : ORDINARY);
      return [...others, ...released, event];
    }
    const { last, sent } = before;
    const isWhole = before.isWhole || (/\p{L}/u.test(last) && (last.length >= 4 || waiting.length > 0));
    texts.set(type, { last: text, sent: isWhole ? text.length : sent, isWhole });
    waiting = isWhole ? [] : [...waiting, event];
    return isWhole && text.length > sent ? [...others, { ...event, text: text.slice(sent) }] : others;
  };
}
