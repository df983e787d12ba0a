import path from 'node:path';
import type { AgentEvent } from '../../../src/agent/ports/events.ts';
import type { FileSystem } from '../../../src/agent/ports/file-system.ts';
import { computeDigest } from '../../../src/node/system.ts';
import { observeEvents } from '../../../src/session/observe-events.ts';
import { recordEvents, type SessionRecord } from '../../../src/session/session-record.ts';
import { undoWrites } from '../../../src/session/writes/undo.ts';
import type { MemoryFileSystem } from '../fakes/memory-file-system.ts';
import { START } from './session-events.ts';

/** One call of a run: a write of a file, after which the program may die, or a command, which may change files itself. */
export type PlayedCall =
  | { readonly path: string; readonly content: string | Uint8Array; readonly asked?: boolean; readonly dies?: true }
  | { readonly command: string; readonly does?: () => void; readonly asked?: boolean };

const encoder = new TextEncoder();
const bytesOf = (content: string | Uint8Array): Uint8Array =>
  typeof content === 'string' ? encoder.encode(content) : content;

let calls = 0;

/** The events of a run with these calls, whose effects happen between them, as in the agent. */
async function* eventsOf(
  played: readonly PlayedCall[],
  record: SessionRecord,
  fileSystem: FileSystem,
): AsyncGenerator<AgentEvent, void, void> {
  yield { ...START, sessionId: record.id };
  yield { type: 'user_message', text: 'go' };
  for (const one of played) {
    const id = `call_${++calls}`;
    const isWrite = 'path' in one;
    const call = { id, name: isWrite ? 'write_file' : 'run_shell', arguments: '{}' };
    const paths = isWrite ? ([{ requested: one.path, realPath: one.path, access: 'write' }] as const) : [];
    const effect = isWrite
      ? { summary: 'write', paths, after: computeDigest(bytesOf(one.content)) }
      : { summary: 'run', paths, command: one.command };
    yield { type: 'assistant_message', message: { role: 'assistant', content: '', toolCalls: [call] }, finish: 'stop' };
    if (one.asked === true) {
      yield { type: 'tool_call', call, effect, permission: { type: 'ask', rule: 'r', reason: 'why' } };
      yield { type: 'approval_decision', callId: id, decision: { type: 'once' } };
    } else {
      yield { type: 'tool_call', call, effect, permission: { type: 'allow', rule: 'r' } };
    }
    if (isWrite) await fileSystem.replaceFile(path.dirname(one.path), path.basename(one.path), bytesOf(one.content));
    else one.does?.();
    if (isWrite && one.dies === true) return;
    yield {
      ...{ type: 'tool_result', callId: id, toolName: call.name, outcome: 'ok' },
      ...{ content: '', summary: '', durationMs: 0 },
    };
  }
  yield { type: 'run_end', outcome: 'done', message: 'Done.' };
}

/** Plays a run in a session and returns its events. */
export async function playRun(
  record: SessionRecord,
  fileSystem: FileSystem,
  ...played: readonly PlayedCall[]
): Promise<readonly AgentEvent[]> {
  const observers = [record.writes.observe(record.messageCount)];
  const events: AgentEvent[] = [];
  const run = eventsOf(played, record, fileSystem);
  for await (const event of recordEvents(observeEvents(run, observers), record, 'system')) events.push(event);
  return events;
}

/** Undoes as `/undo` does in a workspace `/w`, and describes the result: `from 1 as 3: removed /w/a`. */
export async function undo(record: SessionRecord, from?: number): Promise<string> {
  const report = await undoWrites(record, { workspace: '/w', refusalOf: () => undefined }, from);
  const rows = [
    ...report.restored.map(({ path: file, change }) => `${change} ${file}`),
    ...report.kept.map(({ path: file, reason }) => `not ${file} (${reason})`),
  ];
  return `from ${report.from} as ${report.number}: ${rows.join(', ') || 'nothing'}`;
}

/** The files in the workspace with their contents, and its directories: `a: one`, `d/`. */
export function filesIn({ volume }: Pick<MemoryFileSystem, 'volume'>, directory = '/w'): readonly string[] {
  return volume
    .readdirSync(directory)
    .map(String)
    .flatMap((name) => {
      const file = `${directory}/${name}`;
      const shown = file.slice('/w/'.length);
      if (volume.statSync(file).isDirectory()) return [`${shown}/`, ...filesIn({ volume }, file)];
      return [`${shown}: ${volume.readFileSync(file, 'utf8')}`];
    });
}
