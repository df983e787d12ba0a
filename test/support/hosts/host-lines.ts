import * as z from 'zod';
import type { AgentEvent } from '../../../src/agent/ports/events.ts';
import type { HostFormat } from '../../../src/hosts/drive.ts';
import { createStreamJson } from '../../../src/hosts/stream-json/stream-json.ts';
import { createLineWriter, type WriteLine } from '../../../src/hosts/write-lines.ts';
import { createYumeJson } from '../../../src/hosts/yume/yume-json.ts';
import { createFakeAgent } from '../fakes/fake-agent.ts';
import { createFakeHost } from './fake-host.ts';
import { StreamJsonLineSchema } from './stream-json-schema.ts';
import { yumeProblems } from './yume-lines.ts';

const SESSION = '00000000-0000-4000-8000-000000000001';

/** The guarantees for the lines of a host, by format: a function that returns their problems. */
export const LINE_PROBLEMS = { 'stream-json': streamJsonProblems, 'yume-json': yumeProblems } as const;

/** The problems of the lines that events become in each format for hosts, with the format of each. */
export async function hostLineProblems(events: readonly AgentEvent[]): Promise<readonly string[]> {
  const lists = await Promise.all([
    linesOf('stream-json', events),
    linesOf('stream-json', events, true),
    linesOf('yume-json', events),
  ]);
  return lists.flatMap(({ name, lines }) => LINE_PROBLEMS[name](lines).map((problem) => `${name}: ${problem}`));
}

/** The lines of events as a host reads them, through the writer of the format. */
export async function linesOf(name: keyof typeof LINE_PROBLEMS, events: readonly AgentEvent[], partial = false) {
  const host = createFakeHost();
  const { format, writeLine } = conversation(name, partial, createLineWriter(host.write));
  const fake = createFakeAgent([]);
  const agent = { ...fake, record: { ...fake.record, id: SESSION } };
  for (const event of events) for (const line of format.encode(event, agent)) await writeLine(line);
  return { name, lines: host.lines };
}

function conversation(
  name: keyof typeof LINE_PROBLEMS,
  partial: boolean,
  writeLine: WriteLine,
): { readonly format: HostFormat; readonly writeLine: WriteLine } {
  const now = () => 0;
  if (name === 'yume-json') return createYumeJson({ asksHost: true }, { writeLine, now });
  const ports = { now, newId: () => SESSION, version: '1', wait: async () => {}, warn: async () => true };
  return createStreamJson({ partial, asksHost: true }, { ...ports, writeLine });
}

/** The problems of lines of stream-json: those that do not fit their schema, and an invalid order. */
function streamJsonProblems(lines: readonly unknown[]): readonly string[] {
  const problems: string[] = [];
  const asked = new Set<string>();
  let running = false;
  for (const line of lines) {
    const { data, error } = StreamJsonLineSchema.safeParse(line);
    if (data === undefined) {
      problems.push(`${JSON.stringify(line)}: ${z.prettifyError(error)}`);
      continue;
    }
    if (data.type === 'system' && data.subtype === 'init') {
      if (running) problems.push('a run begins before the end of the one before');
      running = true;
    } else if ('session_id' in data && data.type !== 'system' && !running && !isOfRefusedMessage(data)) {
      problems.push(`outside of a run: ${JSON.stringify(line)}`);
    }
    if (data.type === 'result') running = false;
    if (data.type === 'assistant') {
      for (const block of data.message.content) if (block.type === 'tool_use') asked.add(block.id);
    }
    if (data.type !== 'user') continue;
    for (const block of data.message.content) {
      if (block.type === 'tool_result' && !asked.has(block.tool_use_id)) {
        problems.push(`a result without its tool_use: ${block.tool_use_id}`);
      }
    }
  }
  if (running) problems.push('the last run has no result');
  return problems;
}

/** The result of a message that was not run has no other lines. */
function isOfRefusedMessage(line: z.infer<typeof StreamJsonLineSchema>): boolean {
  return line.type === 'result' && line.is_error && line.num_turns === 0;
}
