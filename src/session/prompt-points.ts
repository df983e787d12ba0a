import type { Message } from '../agent/ports/messages.ts';
import type { Task } from '../agent/ports/tool.ts';
import { applyEvent, EMPTY_SESSION } from '../agent/session-state.ts';
import { isMessage, isPrompt } from './log/log-line.ts';
import { readEvent } from './log/read-line.ts';

/** A prompt of the user in a conversation. */
export interface PromptPoint {
  readonly text: string;
  /** The paths of the files that it names, as written. */
  readonly files: readonly string[];
  /** The number of messages of the conversation before it and the files that it names. */
  readonly index: number;
  /** The number of messages in the log before it; see `Checkpoint`. `undefined`: unknown. */
  readonly run: number | undefined;
  /** The number of prompts in the log before it. `undefined`: unknown. */
  readonly prompt: number | undefined;
  /** The tasks before it. `undefined`: unknown. */
  readonly tasks: readonly Task[] | undefined;
}

/** The numbers of messages and of prompts in the log before a message, and the tasks. */
interface Place {
  readonly run: number;
  readonly prompt: number;
  readonly tasks: readonly Task[];
}

/** The prompts in a conversation, the first one first, found in the lines of its log. */
export async function promptPoints(
  messages: readonly Message[],
  lines: AsyncIterable<string>,
): Promise<readonly PromptPoint[]> {
  const places = await placesOf(lines);
  return messages.flatMap((message, at) => {
    if (!isPromptMessage(message)) return [];
    const others = messages.slice(0, at);
    const index = others.findLastIndex((other) => fileOf(other) === undefined) + 1;
    const files = others.slice(index).flatMap((other) => fileOf(other) ?? []);
    const place = places[index];
    return [{ text: message.content, files, index, run: place?.run, prompt: place?.prompt, tasks: place?.tasks }];
  });
}

/** The place in the log of each message of the conversation that the log leads to. */
async function placesOf(lines: AsyncIterable<string>): Promise<readonly (Place | undefined)[]> {
  let state = EMPTY_SESSION;
  let places: readonly (Place | undefined)[] = [];
  let next: Omit<Place, 'tasks'> = { run: 0, prompt: 0 };
  for await (const line of lines) {
    const event = readEvent(line);
    if (event === undefined) continue;
    const before = state.messages;
    state = applyEvent(state, event);
    if (event.type === 'compaction') {
      places = keptPlaces(state.messages, before, places);
    } else if (state.messages.length > before.length) places = [...places, { ...next, tasks: state.tasks }];
    if (isMessage(event)) next = { run: next.run + 1, prompt: next.prompt + (isPrompt(event) ? 1 : 0) };
  }
  return places;
}

/** The places of messages that a compaction has kept: copies of earlier ones, in the same order. */
function keptPlaces(
  kept: readonly Message[],
  before: readonly Message[],
  places: readonly (Place | undefined)[],
): readonly (Place | undefined)[] {
  const texts = before.map((message) => JSON.stringify(message));
  let next = 0;
  return kept.map((message) => {
    const found = texts.indexOf(JSON.stringify(message), next);
    if (found === -1) return undefined;
    next = found + 1;
    return places[found];
  });
}

/** True for a prompt of the user, with which a run begins: no reminder, no named file, no summary and nothing sent later. */
export function isPromptMessage(message: Message): boolean {
  return message.role === 'user' && !message.reminder && !message.summary && !message.steered;
}

/** The path of the named file that a message has. */
function fileOf(message: Message): string | undefined {
  return message.role === 'user' ? message.file : undefined;
}
