import { messageOf, UsageError } from '../../agent/errors.ts';
import { PERMISSION_MODES, type PermissionMode } from '../../agent/ports/approver.ts';
import type { Digest } from '../../agent/ports/digest.ts';
import type { AgentEvent } from '../../agent/ports/events.ts';
import type { FileSystem } from '../../agent/ports/file-system.ts';
import type { Message } from '../../agent/ports/messages.ts';
import { applyEvent, EMPTY_SESSION, type SessionState } from '../../agent/session-state.ts';
import type { StoredEvent } from './events.data.ts';
import { isMessage, isPrompt, LOG_VERSION, openWork } from './log-line.ts';
import { readLine } from './read-line.ts';

/** A line of a log that cannot be read. `line` is counted from 1. */
export interface LogDamage {
  readonly line: number;
  readonly reason: string;
}

export interface LogReading {
  /** The state after the last event, without the permission rules, which hold in one process only. */
  readonly state: SessionState;
  /** The last known version of each file that the model knows, by real path. */
  readonly files: ReadonlyMap<string, Digest>;
  /** The first `session_start` of the log; absent if that line is damaged. */
  readonly start: Extract<StoredEvent, { type: 'session_start' }> | undefined;
  /** The permission mode of the last run; absent if the log does not say it. */
  readonly permissionMode: PermissionMode | undefined;
  /** The tools of servers that the session offers, not checked yet; absent if it offers none. */
  readonly serverTools?: unknown;
  /** Results for the calls that were running when the last process of the session ended; not part of the state. */
  readonly interrupted: readonly StoredEvent[];
  /** Those calls as a text for the user. */
  readonly running: readonly string[];
  /** The work of the last run at the time it was stopped; absent if it ended by itself. See `openWork`. */
  readonly stopped: string | undefined;
  readonly damage: readonly LogDamage[];
  readonly ending: LogEnding;
  /** The bytes after the last line feed are a whole line, which counts. */
  readonly isRestComplete: boolean;
  /** Number of prompts, answers and results in the log. */
  readonly messageCount: number;
  readonly promptCount: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** The end of a log: the size of its complete lines in bytes, and the bytes after the last line feed. */
export interface LogEnding {
  readonly size: number;
  readonly rest: Uint8Array;
}

const LINE_FEED = 0x0a;

/**
 * Reads the complete lines of a log, as many at a time as have arrived, and returns its end. The first line of a batch
 * has the number `first`.
 */
export async function* readLines(
  fileSystem: FileSystem,
  file: string,
): AsyncGenerator<{ readonly first: number; readonly lines: readonly string[] }, LogEnding, void> {
  const decoder = new TextDecoder();
  let rest: Uint8Array[] = [];
  let size = 0;
  let first = 1;
  for await (const piece of fileSystem.readPieces(file)) {
    const [start, end] = [piece.indexOf(LINE_FEED), piece.lastIndexOf(LINE_FEED)];
    if (end < 0) {
      rest.push(piece.slice());
      continue;
    }
    // Only the line that began in an earlier piece is copied.
    const line = join([...rest, piece.subarray(0, start)]);
    const others = end > start ? decoder.decode(piece.subarray(start + 1, end)).split('\n') : [];
    const lines = [decoder.decode(line), ...others];
    yield { first, lines };
    first += lines.length;
    size += line.length + end - start + 1;
    rest = [piece.slice(end + 1)];
  }
  return { size, rest: join(rest) };
}

/** Reads a log and folds its events. Throws `UsageError` for a log of a newer version, and `FileSystemError`. */
export async function readLog(fileSystem: FileSystem, file: string): Promise<LogReading> {
  const fold = new LogFold(file);
  const batches = readLines(fileSystem, file);
  for (;;) {
    const step = await batches.next();
    if (step.done === true) {
      const last = completeRest(step.value.rest);
      if (last !== undefined) fold.addLine(last, fold.lines + 1);
      return { ...fold.result(), ending: step.value, isRestComplete: last !== undefined };
    }
    const { first, lines } = step.value;
    for (const [index, line] of lines.entries()) fold.addLine(line, first + index);
  }
}

/** The last line of a log, if only its line feed is missing. */
export function completeRest(rest: Uint8Array): string | undefined {
  if (rest.length === 0) return undefined;
  const line = new TextDecoder().decode(rest);
  try {
    readLine(line);
    return line;
  } catch {
    return undefined;
  }
}

/** State of a call of the last answer. */
type CallProgress = 'requested' | 'started';

/** Folds the events of a log in linear time. */
class LogFold {
  lines = 0;
  readonly #file: string;
  #state: SessionState = EMPTY_SESSION;
  #messages: Message[] = [];
  #usage: { readonly event: StoredEvent; readonly messages: number } | undefined;
  #messageCount = 0;
  #promptCount = 0;
  #inputTokens = 0;
  #outputTokens = 0;
  #start: LogReading['start'];
  #permissionMode: PermissionMode | undefined;
  #serverTools: unknown;
  /** The plan that the model has presented last, until an event reports the mode after it. */
  #plan: { readonly callId: string; isApproved: boolean } | undefined;
  #stopped: string | undefined;
  readonly #files = new Map<string, Digest>();
  #calls = new Map<string, { readonly toolName: string; summary: string; progress: CallProgress }>();
  readonly #damage: LogDamage[] = [];

  constructor(file: string) {
    this.#file = file;
  }

  addLine(line: string, number: number): void {
    this.lines = number;
    try {
      const entry = readLine(line);
      if (entry.type === 'event') {
        if (entry.event.type === 'tool_call') this.#requireAnswer(entry.event);
        this.#apply(entry.event);
      }
      if (entry.type === 'system') this.#serverTools = entry.serverTools;
      if (entry.type === 'version' && entry.version > LOG_VERSION) throw newerVersion(this.#file, entry.version);
    } catch (error) {
      if (error instanceof UsageError) throw error;
      this.#damage.push({ line: number, reason: messageOf(error) });
    }
  }

  result(): Omit<LogReading, 'ending' | 'isRestComplete'> {
    this.#applyUsage();
    return {
      state: { ...this.#state, messages: this.#messages, started: false, rules: [] },
      files: this.#files,
      start: this.#start,
      permissionMode: this.#permissionMode,
      ...(this.#serverTools !== undefined && { serverTools: this.#serverTools }),
      interrupted: [...this.#calls].flatMap(([callId, { toolName, progress }]) =>
        progress === 'started' ? [interruptedResult(callId, toolName)] : [],
      ),
      running: [...this.#calls.values()].flatMap(({ summary, progress }) => (progress === 'started' ? [summary] : [])),
      stopped: this.#stopped,
      damage: this.#damage,
      messageCount: this.#messageCount,
      promptCount: this.#promptCount,
      inputTokens: this.#inputTokens,
      outputTokens: this.#outputTokens,
    };
  }

  /**
   * Applies an event in time that does not depend on the number of messages, which `applyEvent` copies. `#state` has
   * none of them, and the last usage, which refers to the messages before it, is applied when it is known to be the last.
   */
  #apply(event: StoredEvent): void {
    if (event.type === 'usage') {
      if (applyEvent(this.#state, event) !== this.#state) this.#usage = { event, messages: this.#messages.length };
    } else {
      if (event.type === 'compaction') this.#applyUsage();
      const { messages, ...state } = applyEvent(this.#state, event);
      if (event.type === 'compaction') this.#messages = [];
      for (const message of messages) this.#messages.push(message);
      this.#state = { ...state, messages: [] };
    }
    this.#follow(event);
  }

  #applyUsage(): void {
    if (this.#usage === undefined) return;
    const messages = this.#messages.slice(0, this.#usage.messages);
    this.#state = { ...applyEvent({ ...this.#state, messages }, this.#usage.event), messages: [] };
    this.#usage = undefined;
  }

  #follow(event: StoredEvent): void {
    if (isMessage(event)) this.#messageCount += 1;
    if (isPrompt(event)) this.#promptCount += 1;
    this.#stopped = openWork(this.#stopped, event);
    switch (event.type) {
      case 'session_start':
        this.#start ??= event;
        this.#permissionMode = PERMISSION_MODES.find((mode) => mode === event.permissionMode);
        return;
      case 'plan':
        this.#plan = { callId: event.callId, isApproved: false };
        return;
      case 'permission_mode':
        // The mode of an approved plan ends with its run, even if ybs ends before.
        if (this.#plan?.isApproved !== true) this.#permissionMode = event.mode;
        this.#plan = undefined;
        return;
      case 'run_end':
        this.#plan = undefined;
        return;
      case 'usage':
        this.#inputTokens += event.inputTokens;
        this.#outputTokens += event.outputTokens;
        return;
      case 'assistant_message':
        this.#calls = new Map(
          event.message.toolCalls.map(({ id, name }) => [id, { toolName: name, summary: name, progress: 'requested' }]),
        );
        return;
      case 'tool_call':
        this.#describe(event.call.id, event.effect?.summary);
        if (event.permission?.type === 'allow') this.#markStarted(event.call.id);
        return;
      case 'approval_decision':
        if (event.decision.type === 'once' || event.decision.type === 'session') this.#markStarted(event.callId);
        if (event.decision.type === 'once' && this.#plan?.callId === event.callId) this.#plan.isApproved = true;
        return;
      case 'tool_result':
        this.#calls.delete(event.callId);
        for (const { realPath, digest } of event.files ?? []) this.#files.set(realPath, digest);
        return;
      default:
    }
  }

  /** Other programs write a call without an answer that makes it, which a history needs. */
  #requireAnswer({ call, effect, permission }: Extract<StoredEvent, { type: 'tool_call' }>): void {
    if (this.#calls.has(call.id) || effect !== undefined || permission !== undefined) return;
    const message = { role: 'assistant', content: '', toolCalls: [call] } as const;
    this.#apply({ type: 'assistant_message', message, finish: 'tool_calls' });
  }

  #describe(callId: string, summary: string | undefined): void {
    const call = this.#calls.get(callId);
    if (call !== undefined && summary !== undefined) call.summary = summary;
  }

  #markStarted(callId: string): void {
    const call = this.#calls.get(callId);
    if (call !== undefined) call.progress = 'started';
  }
}

function interruptedResult(callId: string, toolName: string): Extract<AgentEvent, { type: 'tool_result' }> {
  return {
    type: 'tool_result',
    callId,
    toolName,
    outcome: 'interrupted',
    content: 'Interrupted: ybs ended while this call was running. It may have had effects: check before you repeat it.',
    summary: 'interrupted, effects possible',
    durationMs: 0,
  };
}

function newerVersion(file: string, version: number): UsageError {
  return new UsageError(
    `${file} was written by a newer ybs (version ${version} of the format, this ybs reads ${LOG_VERSION}). Update ybs.`,
  );
}

function join(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  if (only !== undefined && pieces.length === 1) return only;
  const whole = new Uint8Array(pieces.reduce((total, { length }) => total + length, 0));
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}
