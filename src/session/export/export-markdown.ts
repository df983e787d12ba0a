import type { StoredEvent } from '../log/events.data.ts';

/**
 * A session as Markdown: its prompts, answers, calls and results. Pure. The events are those of a log, so their secrets
 * are redacted.
 */
export function exportMarkdown(name: string, events: Iterable<StoredEvent>): string {
  const parts = [`# Session ${name}`];
  const summaries = new Map<string, string>();
  for (const event of events) {
    if (event.type === 'tool_call') {
      summaries.set(event.call.id, event.effect?.summary ?? `${event.call.name} ${event.call.arguments}`);
    }
    const part = partOf(event, summaries);
    if (part !== undefined) parts.push(part);
  }
  return `${parts.join('\n\n')}\n`;
}

function partOf(event: StoredEvent, summaries: ReadonlyMap<string, string>): string | undefined {
  switch (event.type) {
    case 'session_start':
      return [`- model: ${event.model}`, `- workspace: ${event.workspace}`, `- time: ${event.time}`].join('\n');
    case 'user_message':
      return event.reminder === true ? undefined : `## User\n\n${event.text}`;
    case 'assistant_message': {
      const { content, partial } = event.message;
      const text = content.trim();
      return text === '' ? undefined : `## Assistant${partial === true ? ' (stopped)' : ''}\n\n${text}`;
    }
    case 'tool_result': {
      const summary = summaries.get(event.callId) ?? event.toolName;
      return `### ${oneLine(summary)}\n\n${event.toolName}: ${oneLine(event.summary)}\n\n${fenced(event.content)}`;
    }
    case 'compaction':
      return `*The conversation was shortened here: ${event.tokensBefore} to ${event.tokensAfter} tokens.*`;
    case 'commit':
      return `*Committed ${event.hash.slice(0, 8)}: ${oneLine(event.subject)}*`;
    case 'run_end':
      return event.outcome === 'done' ? undefined : `*${oneLine(event.message)}*`;
    default:
      return undefined;
  }
}

/** A code block whose fence is longer than any in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
