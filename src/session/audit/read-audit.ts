import type { AgentEvent } from '../../agent/ports/events.ts';
import { readLine } from '../log/read-line.ts';
import { commandOf } from '../observe-events.ts';

type DecisionEvent = Extract<AgentEvent, { type: 'decision' }>;
type ResultEvent = Extract<AgentEvent, { type: 'tool_result' }>;

/** One decision about a call, and the result of the call; or an action of the user without one. */
export interface AuditEntry
  extends Pick<DecisionEvent, 'verdict' | 'rule' | 'by'>,
    Partial<Pick<DecisionEvent, 'callId' | 'decidedBy' | 'digest' | 'sandbox'>> {
  /** ISO 8601. */
  readonly time: string;
  readonly tool: string;
  /** One line for people. */
  readonly summary: string;
  readonly command?: string;
  /** Absent if the session ended before, and for an action of the user. */
  readonly outcome?: ResultEvent['outcome'];
  readonly exit?: ResultEvent['exit'];
  readonly ms?: number;
}

const TYPED = { rule: 'typed by the user', by: 'user' } as const;

/** Reads the decisions in the lines of a log, the first one first. Lines that cannot be read are left out. */
export async function readAudit(lines: AsyncIterable<string>): Promise<readonly AuditEntry[]> {
  const entries: AuditEntry[] = [];
  const calls = new Map<string, Extract<AgentEvent, { type: 'tool_call' }>>();
  /** The index of the last decision about a call without a result. */
  const open = new Map<string, number>();
  for await (const line of lines) {
    const entry = entryOf(line);
    if (entry === undefined) continue;
    const { event, time } = entry;
    if (event.type === 'tool_call') {
      calls.set(event.call.id, event);
    } else if (event.type === 'decision') {
      const { type: _type, sandbox, ...decision } = event;
      const call = calls.get(event.callId);
      const command = commandOf(call?.effect);
      open.set(event.callId, entries.length);
      entries.push({
        time,
        tool: call?.call.name ?? 'unknown',
        summary: call?.effect?.summary ?? '',
        // The sandbox limits commands and programs only.
        ...(command !== undefined && { command, sandbox }),
        ...decision,
      });
    } else if (event.type === 'user_action') {
      entries.push(actionEntry(time, event));
    } else if (event.type === 'permission_mode') {
      const who = event.automatic
        ? ({ rule: 'end of the approved plan', by: 'mode' } as const)
        : ({ rule: 'chosen by the user', by: 'user' } as const);
      entries.push({ time, tool: '/mode', summary: event.mode, verdict: 'allow', ...who });
    } else if (event.type === 'user_message' && event.file !== undefined) {
      entries.push({ time, tool: '@file', summary: event.file, verdict: 'allow', ...TYPED });
    } else if (event.type === 'tool_result') {
      const index = open.get(event.callId);
      open.delete(event.callId);
      const decided = index === undefined ? undefined : entries[index];
      if (index === undefined || decided === undefined) continue;
      const { toolName, outcome, exit, durationMs } = event;
      entries[index] = { ...decided, tool: toolName, outcome, ...(exit !== undefined && { exit }), ms: durationMs };
    }
  }
  return entries;
}

function actionEntry(
  time: string,
  { action, detail, blockedBy, sandbox }: Extract<AgentEvent, { type: 'user_action' }>,
): AuditEntry {
  return {
    ...{ time, tool: action, summary: detail },
    ...(action === '!command' && { command: detail }),
    ...(sandbox !== undefined && { sandbox }),
    ...(blockedBy === undefined ? { verdict: 'allow', ...TYPED } : { verdict: 'deny', rule: blockedBy, by: 'rule' }),
  };
}

function entryOf(line: string): { readonly event: AgentEvent; readonly time: string } | undefined {
  try {
    const entry = readLine(line);
    return entry.type === 'event' ? entry : undefined;
  } catch {
    return undefined;
  }
}
