import type { Ended, RunEvent } from './run-ybs.ts';

/** A tool call with its result. */
export interface Call {
  readonly name: string;
  /** The arguments as the model wrote them; as data if they are JSON, because servers write JSON anew. */
  readonly arguments: unknown;
  readonly outcome: string;
  readonly content: string;
}

/** A run as its user and the model see it: the same for every wire and server, if nothing is lost. */
export interface WhatHappened {
  /** The texts of the answers, one for each turn. */
  readonly texts: readonly string[];
  /** The reasoning of all answers. */
  readonly reasoning: string;
  readonly finishes: readonly string[];
  readonly calls: readonly Call[];
  readonly outcome: string | undefined;
  readonly message: string;
  readonly code: number | null;
}

/** The parts of a run in which servers may not differ. Ids, times, pieces of texts and token counts are left out. */
export function whatHappened({ code, events }: Pick<Ended, 'code' | 'events'>): WhatHappened {
  const messages = events.flatMap(({ type, message, finish }) =>
    type === 'assistant_message' && typeof message === 'object' ? [{ ...message, finish }] : [],
  );
  const end = events.findLast(({ type }) => type === 'run_end');
  return {
    texts: messages.map(({ content }) => content.trim()),
    reasoning: textOf(events, 'reasoning_delta').trim(),
    finishes: messages.map(({ finish = '' }) => finish),
    calls: messages.flatMap(({ toolCalls }) =>
      toolCalls.map((call) => {
        const result = events.find((event) => event.type === 'tool_result' && event['callId'] === call.id);
        return {
          name: call.name,
          arguments: readArguments(call.arguments),
          outcome: result?.outcome ?? 'no result',
          content: result?.content ?? '',
        };
      }),
    ),
    outcome: end?.outcome,
    message: typeof end?.message === 'string' ? end.message : '',
    code,
  };
}

/** The pieces of a text as the user sees them, put together. */
export function textOf(events: readonly RunEvent[], type: 'text_delta' | 'reasoning_delta'): string {
  return events.flatMap((event) => (event.type === type ? [event.text ?? ''] : [])).join('');
}

/** The arguments of a call as data, or as text if they are no JSON. */
export function readArguments(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
