import type { AgentEvent } from '../../agent/ports/events.ts';
import { isEmptyAnswer } from '../../agent/repair-history.ts';
import { jsonOr } from '../../text/json/json.ts';

/**
 * The message of an event as an element of `history.xnl`, which ends with a line feed; `undefined` for an event that is
 * not a message. The system prompt precedes the first message of each process. Pure.
 */
export function historyElement(event: AgentEvent, system: string): string | undefined {
  switch (event.type) {
    case 'session_start':
      return element('system', { content: system });
    case 'user_message':
      return element(event.file === undefined ? 'user' : 'system', { content: event.text });
    case 'assistant_message': {
      const { content, toolCalls } = event.message;
      if (isEmptyAnswer(event.message)) return undefined;
      const calls = toolCalls.map(({ id, name, arguments: text }) => ({ id, name, input: jsonOr(text, text) }));
      return element('assistant', calls.length === 0 ? { content } : { content, toolCalls: calls });
    }
    case 'tool_result':
      return element('tool', { toolCallId: event.callId, name: event.toolName, content: event.content });
    default:
      return undefined;
  }
}

function element(role: string, fields: Readonly<Record<string, unknown>>): string {
  return `<${role} ${formatObject(fields, '')}>\n`;
}

function formatValue(value: unknown, indent: string): string {
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) {
    const inner = `${indent}  `;
    return value.length === 0
      ? '[]'
      : `[\n${value.map((item) => `${inner}${formatValue(item, inner)}\n`).join('')}${indent}]`;
  }
  return typeof value === 'object' && value !== null ? formatObject(value, indent) : String(value);
}

function formatObject(fields: object, indent: string): string {
  const inner = `${indent}  `;
  const entries = Object.entries(fields).map(
    ([key, value]) => `${inner}${formatName(key)} = ${formatValue(value, inner)}\n`,
  );
  return entries.length === 0 ? '{}' : `{\n${entries.join('')}${indent}}`;
}

function formatName(key: string): string {
  return /^[A-Za-z_][A-Za-z0-9_-]*$/.test(key) ? key : quote(key);
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n', '\t': '\\t', '\r': '\\r' };

function quote(text: string): string {
  return `"${text.replace(/[\\"\n\t\r]/g, (character) => ESCAPES[character] ?? character)}"`;
}
