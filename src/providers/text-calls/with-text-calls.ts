import { ModelError } from '../../agent/errors.ts';
import type { LanguageModel, ModelEvent, ModelRequest } from '../../agent/ports/language-model.ts';
import type { ToolDefinition } from '../../agent/ports/tool.ts';
import type { TextCall } from './call-text.ts';
import { createMarkupHolder, type MarkupHolder } from './hold-markup.ts';
import { readMarkup } from './markup.ts';
import { createTextFilter, type TextFilter, unopenedEnd } from './text-filter.ts';

/**
 * A model whose answers may contain reasoning and calls as text, as those of many local models do. `<think>…</think>`
 * at the start of an answer becomes reasoning, and so does what stands before `</think>` in the answer after one
 * that began within its reasoning. Calls at the end of an answer become calls if each of them is complete,
 * names a tool of the request and has valid arguments, if the model finished its answer, and if the answer contains no
 * other call; a warning `recovered_tool_call` reports them. Text is held back only while it may be part of a call, and
 * no longer than `maxHeld` characters; `held_delta` reports it meanwhile. The markup of a model's own calls is never
 * shown: if its server did not read it, and it cannot be read here, the answer is incomplete.
 */
export function withTextCalls(model: LanguageModel, maxHeld?: number): LanguageModel {
  const habit: Habit = { inside: undefined };
  return { ...model, stream: (request, signal) => recoverCalls(model, request, signal, habit, maxHeld) };
}

/** The form of the answers of one model, as far as it is known. */
interface Habit {
  /** The tag that ends the reasoning with which each answer begins. */
  inside: string | undefined;
}

async function* recoverCalls(
  model: LanguageModel,
  request: ModelRequest,
  signal: AbortSignal,
  habit: Habit,
  maxHeld: number | undefined,
): AsyncGenerator<ModelEvent, void, void> {
  const createHolder = () => (request.tools.length === 0 ? NO_MARKUP : createMarkupHolder(request.tools));
  let filter = createTextFilter(request.tools, maxHeld, habit.inside);
  let holder = createHolder();
  let reasoning = '';
  let isSilent = true;
  let hasCalls = false;
  /** Length of the text that is held back and was reported. */
  let reported = 0;
  let held = '';
  /** The start of the text. */
  let said = '';
  try {
    for await (const event of model.stream(request, signal)) {
      switch (event.type) {
        case 'text_delta':
          isSilent = false;
          said += event.text.slice(0, MAX_REASONING - said.length);
          yield* filter.push(holder.push(event.text));
          held = filter.candidate + holder.markup;
          if (held.length > Math.max(reported, MIN_REPORTED)) yield { type: 'held_delta', text: held.slice(reported) };
          reported = held.length > MIN_REPORTED ? held.length : 0;
          break;
        case 'reasoning_delta':
          reasoning += event.text.slice(0, MAX_REASONING - reasoning.length);
          yield event;
          break;
        case 'tool_call_delta':
          hasCalls = true;
          yield* filter.ignoreCalls();
          yield event;
          break;
        case 'finish': {
          if (said !== '') habit.inside = reasoning === '' ? unopenedEnd(said) : undefined;
          // Reasoning in which markup has begun may have an end, and an answer behind it.
          const close = filter.awaited;
          const [thought, ...answer] = close === undefined ? [''] : holder.markup.split(close);
          if (answer.join('').trim() !== '') {
            yield* filter.push(`${thought}${close}`);
            holder = createHolder();
            yield* filter.push(holder.push(answer.join(close)));
          }
          const { text, markup } = holder.end();
          // Some servers leave the tag of a call in the text before it.
          if (!hasCalls || !/^<(?:function|tool_call>?)\s*$/.test(text)) yield* filter.push(text);
          // An answer that was cut or filtered may lack a part of its calls.
          const isWhole = event.reason === 'stop' || event.reason === 'tool_calls';
          if (!isWhole) yield* filter.ignoreCalls();
          const unread = markup === '' && CUT_CALL.test(filter.candidate) ? filter.candidate : markup;
          const { parts, calls } = filter.end(markup !== '');
          const isUnread = isWhole && !hasCalls && calls.length === 0;
          const more = isUnread ? hiddenCalls(unread, isSilent ? reasoning : '', request.tools) : [];
          yield* finish(event, { parts, calls: [...calls, ...more] });
          return;
        }
        case 'retry':
          filter = createTextFilter(request.tools, maxHeld, habit.inside);
          said = '';
          holder = createHolder();
          reasoning = '';
          isSilent = true;
          hasCalls = false;
          reported = 0;
          yield event;
          break;
        default:
          yield event;
      }
    }
    yield* rest(filter, holder);
  } catch (error) {
    yield* rest(filter, holder);
    throw error;
  }
}

/** A call in tags that ends within its JSON. */
const CUT_CALL = /^<tool_call>\s*\{\s*"name"(?![\s\S]*\}\s*(?:<|$))/;

/** Length from which on a text that is held back is reported, so that a tag within an answer is not. */
const MIN_REPORTED = 40;

/** Holds nothing back: a request without tools has no calls. */
const NO_MARKUP = { push: (text: string) => text, markup: '', end: () => ({ text: '', markup: '' }) };

/** The maximum length of the reasoning that is searched for calls, in characters. */
const MAX_REASONING = 100_000;

/**
 * The calls in the markup of an answer, or at the end of the reasoning of one that has nothing else, as some parsers of
 * reasoning leave them. Throws `ModelError` for markup that cannot be read.
 */
function hiddenCalls(markup: string, reasoning: string, tools: readonly ToolDefinition[]): readonly TextCall[] {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  if (markup !== '') {
    const calls = readMarkup(markup, byName);
    if (calls !== undefined) return calls;
    const shown = JSON.stringify(markup.slice(0, MAX_SHOWN));
    const message = `The model wrote a call as text, in a form that cannot be read as a call of a tool: ${shown}. Try again, or let its server read calls.`;
    throw new ModelError('incomplete_answer', message);
  }
  if (reasoning === '') return [];
  const holder = createMarkupHolder(tools);
  holder.push(reasoning);
  const calls = readMarkup(holder.end().markup, byName);
  if (calls !== undefined) return calls;
  const filter = createTextFilter(tools);
  filter.push(reasoning.trim());
  return filter.end().calls;
}

/** The maximum length of markup within a message, in characters. */
const MAX_SHOWN = 80;

/** The text that was held back in an answer that did not finish. */
function* rest(filter: TextFilter, holder: Pick<MarkupHolder, 'end'>): Generator<ModelEvent, void, void> {
  yield* filter.ignoreCalls();
  yield* filter.push(holder.end().text);
  yield* filter.end().parts;
}

function* finish(
  event: Extract<ModelEvent, { type: 'finish' }>,
  { parts, calls }: ReturnType<TextFilter['end']>,
): Generator<ModelEvent, void, void> {
  yield* parts;
  if (calls.length === 0) return yield event;
  yield { type: 'warning', code: 'recovered_tool_call', message: describe(calls) };
  yield* calls.map((call, index) => ({ type: 'tool_call_delta', index, ...call }) as const);
  yield { type: 'finish', reason: 'tool_calls' };
}

function describe(calls: readonly TextCall[]): string {
  const names = calls.map(({ name }) => name).join(', ');
  return calls.length === 1
    ? `The model wrote its call of ${names} as text. It counts as a call.`
    : `The model wrote its calls of ${names} as text. They count as calls.`;
}
