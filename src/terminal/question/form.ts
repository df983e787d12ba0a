import type { JsonValue } from '../../agent/ports/json.ts';
import type { Palette } from '../../app/terminal.ts';
import { escapeInQuestion, LINE_MARK } from '../../text/escape.ts';
import {
  type FormAnswer,
  type FormField,
  type FormRequest,
  formFields,
  readField,
} from '../../tools/mcp/questions/forms.ts';
import { markLines } from '../output.ts';
import type { ApprovalPorts } from './approval.ts';

const escapeLine = (text: string): string => escapeInQuestion(text, { keepNewlines: false });

/** A key that the question offers; `stopped` is what Ctrl-C or the end of the input mean. */
type Chosen = 'y' | 'n' | 'e' | 'stopped';

/**
 * Shows a form of a server, asks for its fields one after another, and sends nothing before the user has seen it whole. The
 * end of the input is no answer; Ctrl-C stops the run.
 */
export async function askForm(ports: ApprovalPorts, request: FormRequest, signal: AbortSignal): Promise<FormAnswer> {
  const { palette, terminal, write, interruptRun } = ports;
  const mark = palette('cyan', LINE_MARK);
  const above = markLines(describeForm(request, palette), palette);
  const show = (text: string) => write(markLines(text, palette));
  const read = async (prompt: string, keys?: readonly string[], text?: string): Promise<string | undefined> => {
    const question = {
      prompt: `${mark}   ${prompt}`,
      fresh: true,
      above,
      ...(keys && { keys }),
      ...(text && { text }),
    };
    const input = await terminal.readLine(question, signal);
    if (input.type === 'interrupt') {
      interruptRun();
      signal.throwIfAborted();
    }
    return input.type === 'line' ? input.text : undefined;
  };
  const choose = async (...offered: readonly ('y' | 'n' | 'e')[]): Promise<Chosen> => {
    const typed = await read('> ', offered);
    if (typed === undefined) return 'stopped';
    return offered.find((key) => key === typed.trim().toLowerCase().slice(0, 1)) ?? 'n';
  };
  const answerOf = (chosen: Chosen): FormAnswer => ({ action: chosen === 'n' ? 'decline' : 'cancel' });
  await write(above);
  const first = await choose('y', 'n');
  if (first !== 'y') return answerOf(first);
  const fields = formFields(request.schema ?? {});
  if (fields.length === 0) return { action: 'accept', ...(request.schema && { content: {} }) };
  const typed = new Map<string, string>();
  for (;;) {
    const content: Record<string, JsonValue> = {};
    for (const field of fields) {
      for (;;) {
        const text = await read(`${escapeLine(field.title)}: `, undefined, typed.get(field.name));
        if (text === undefined) return { action: 'cancel' };
        const value = readField(field, text);
        typed.set(field.name, text);
        if ('problem' in value) {
          await show(`  ${escapeLine(value.problem)}\n`);
          continue;
        }
        if (value.value !== undefined) content[field.name] = value.value;
        break;
      }
    }
    const rows = Object.entries(content).map(
      ([name, value]) => `    ${escapeLine(`${name}: ${JSON.stringify(value)}`)}\n`,
    );
    await show(`  ${escapeLine(request.server)} gets:\n${rows.join('')}${keyRows(palette, SEND_KEYS)}`);
    const chosen = await choose('y', 'e', 'n');
    if (chosen === 'y') return { action: 'accept', content };
    if (chosen !== 'e') return answerOf(chosen);
  }
}

const FIRST_KEYS = { y: 'answer', n: 'do not answer (or only Enter)' };
const PAGE_KEYS = { y: 'yes, I have opened it', n: 'no (or only Enter)' };
const SEND_KEYS = { y: 'send it', e: 'change it', n: 'do not answer (or only Enter)' };

function keyRows(palette: Palette, keys: Readonly<Record<string, string>>): string {
  return Object.entries(keys)
    .map(([key, meaning]) => `  ${palette('bold', key)} ${meaning}\n`)
    .join('');
}

/** The text of a form: the server, its message, the fields or the address, and the keys. */
function describeForm({ server, message, schema, url }: FormRequest, palette: Palette): string {
  const rows = [
    `${palette('yellow', '?')} ${palette('bold', `the server ${escapeLine(server)} asks you`)}`,
    ...message.split('\n').map((row) => `  ${escapeLine(row)}`),
    ...formFields(schema ?? {}).map((field) => `  - ${escapeLine(describeField(field))}`),
    ...(url === undefined
      ? []
      : [`  to open this page of ${escapeLine(new URL(url).host)} in your browser:`, `  ${escapeLine(url)}`]),
  ];
  return `${rows.join('\n')}\n${keyRows(palette, url === undefined ? FIRST_KEYS : PAGE_KEYS)}`;
}

function describeField({ title, description, required, fallback, rule }: FormField): string {
  const empty = fallback === undefined ? (required ? '' : '; may be empty') : `; if empty, ${JSON.stringify(fallback)}`;
  return `${title}${description === '' ? '' : ` – ${description}`} (${rule}${empty})`;
}
