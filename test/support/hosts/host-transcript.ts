import { readFileSync } from 'node:fs';
import * as z from 'zod';

/** One line of a recorded conversation: the host has written `in`, or closed its output, or has read `out`. */
export type TranscriptLine =
  | { readonly in: object }
  | { readonly end: true }
  | { readonly out: Readonly<Record<string, unknown>> };

/** A recorded conversation of a host with an agent. */
export interface Transcript {
  /** The arguments that the host started the agent with. */
  readonly args: readonly string[];
  readonly lines: readonly TranscriptLine[];
}

const argsLine = z.strictObject({ args: z.array(z.string()) });
const transcriptLine = z.union([
  z.strictObject({ in: z.record(z.string(), z.unknown()) }),
  z.strictObject({ end: z.literal(true) }),
  z.strictObject({ out: z.record(z.string(), z.unknown()) }),
]);

/** Reads a transcript: its first line has the arguments. */
export function readTranscript(file: string | URL): Transcript {
  const [first, ...rest] = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  return { ...argsLine.parse(first), lines: rest.map((line) => transcriptLine.parse(line)) };
}

/**
 * The text of a transcript, from the lines in their order: of the printed lines the key fields, with texts in one
 * piece. The ids that differ from run to run are numbered: `host_1`, `agent_1`, `toolu_1`.
 */
export function transcriptText({ args, lines }: Transcript): string {
  const names = new Map<string, string>();
  const name = (kind: string, id: unknown): void => {
    const number = [...names.values()].filter((given) => given.startsWith(kind)).length + 1;
    if (typeof id === 'string' && !names.has(id)) names.set(id, `${kind}_${number}`);
  };
  const entries: TranscriptLine[] = [];
  for (const line of lines) {
    const last = entries.at(-1);
    if ('in' in line) {
      const asked = request.safeParse(line.in);
      if (asked.success) name('host', asked.data.request_id);
      entries.push(line);
    } else if ('end' in line) {
      entries.push(line);
    } else {
      const asked = request.safeParse(line.out);
      if (asked.success) name('agent', asked.data.request_id);
      const spoken = assistant.safeParse(line.out);
      if (spoken.success) name('toolu', spoken.data.message.content[0]['id']);
      const fields = keyFields(line.out);
      const [joined = fields, more] = last !== undefined && 'out' in last ? joinPieces([last.out, fields]) : [];
      if (more === undefined && joined !== fields) entries[entries.length - 1] = { out: joined };
      else entries.push({ out: fields });
    }
  }
  const text = [{ args }, ...entries].map((entry) => `${JSON.stringify(entry)}\n`).join('');
  return text.replace(/"([\w-]+)"/g, (whole, id: string) => (names.has(id) ? JSON.stringify(names.get(id)) : whole));
}

const block = z.looseObject({ type: z.string() });
const assistant = z.object({ type: z.literal('assistant'), message: z.object({ content: z.tuple([block]) }) });
const user = z.object({ type: z.literal('user'), message: z.object({ content: z.array(block) }) });
const result = z.object({ type: z.literal('result'), permission_denials: z.array(z.looseObject({})) });
const streamEvent = z.object({ type: z.literal('stream_event'), event: z.looseObject({ type: z.string() }) });
const request = z.object({
  type: z.literal('control_request'),
  request_id: z.string(),
  request: z.looseObject({ subtype: z.string() }),
});
const response = z.object({
  type: z.literal('control_response'),
  response: z.looseObject({ subtype: z.string(), request_id: z.string() }),
});

/**
 * The type and the key fields of a printed line: the fields by which a host decides, without the ids, the times, the
 * counts of tokens and the paths of one run, and without the output of a command that may have been stopped at any
 * moment.
 */
export function keyFields(line: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { type, subtype } = line;
  const spoken = assistant.safeParse(line);
  if (spoken.success) return { type, block: without(spoken.data.message.content[0], ['id']) };
  const told = user.safeParse(line);
  if (told.success) return { type, content: told.data.message.content.map(resultFields) };
  const ended = result.safeParse(line);
  if (ended.success) {
    const denials = ended.data.permission_denials.map((denial) => without(denial, ['tool_use_id']));
    const kept = pick(line, ['is_error', 'result', 'errors', 'num_turns', 'terminal_reason', 'structured_output']);
    return { type, subtype, ...kept, permission_denials: denials };
  }
  const streamed = streamEvent.safeParse(line);
  if (streamed.success)
    return { type, ...pick(streamed.data.event, ['index', 'delta']), event: streamed.data.event.type };
  const asked = request.safeParse(line);
  if (asked.success) return { type, ...pick(asked.data.request, QUESTION_FIELDS), ...hookFields(asked.data.request) };
  const answered = response.safeParse(line);
  if (answered.success) return { type, ...answered.data.response };
  return { type, subtype, ...pick(line, ['permissionMode', 'tools', 'mcp_servers']) };
}

const QUESTION_FIELDS = ['subtype', 'tool_name', 'server_name', 'callback_id'];

/** The input of a question: that of the call, or the part of the question of a hook that does not depend on the machine. */
function hookFields({ subtype, input, message }: Readonly<Record<string, unknown>>): object {
  const fields = z.record(z.string(), z.unknown()).safeParse(input ?? {}).data ?? {};
  if (subtype === 'hook_callback')
    return { input: without(fields, ['session_id', 'transcript_path', 'cwd', 'tool_use_id']) };
  if (subtype === 'mcp_message') return { method: z.object({ method: z.string() }).parse(message).method };
  return { input };
}

function resultFields(content: Readonly<Record<string, unknown>>): object {
  const isOfCommand = /^(?:exit_code: |Not executed: the user stopped)/.test(String(content['content']));
  return without(content, ['tool_use_id', ...(isOfCommand ? ['content'] : [])]);
}

/** The lines without the borders between pieces of one text, which depend on how it has arrived. */
export function joinPieces(
  lines: readonly Readonly<Record<string, unknown>>[],
): readonly Readonly<Record<string, unknown>>[] {
  const joined: Readonly<Record<string, unknown>>[] = [];
  for (const line of lines) {
    const last = joined.at(-1);
    const [before, next] = [textPiece.safeParse(last), textPiece.safeParse(line)];
    if (!before.success || !next.success) joined.push(line);
    else
      joined[joined.length - 1] = {
        ...line,
        delta: { type: 'text_delta', text: before.data.delta.text + next.data.delta.text },
      };
  }
  return joined;
}

const textPiece = z.object({ delta: z.object({ type: z.literal('text_delta'), text: z.string() }) });

function pick(from: Readonly<Record<string, unknown>>, names: readonly string[]): object {
  return Object.fromEntries(names.flatMap((name) => (name in from ? [[name, from[name]]] : [])));
}

function without(from: Readonly<Record<string, unknown>>, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(from).filter(([name]) => !names.includes(name)));
}
