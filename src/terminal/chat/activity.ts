import type { AgentEvent, WrittenCall } from '../../agent/ports/events.ts';
import type { Status } from '../../app/terminal.ts';
import { formatSize } from '../../text/quantities.ts';
import { escapeLine } from '../output.ts';

/** The activity that a run waits for, without the output of a command. */
export type Activity = Omit<Status, 'detail'>;

/** Number of lines that are shown of a value that the model is writing. */
const TAIL_LINES = 3;

const WAITING = 'waiting for the server';

/** The activity of a run after an event; `undefined` while the run waits for the user or has ended. */
export function activityOf(event: AgentEvent, before: Activity | undefined): Activity | undefined {
  switch (event.type) {
    case 'user_message':
    case 'turn_start':
    case 'tool_result':
      return { label: WAITING };
    case 'retry':
      return { label: 'waiting to try again' };
    case 'text_delta':
      return { label: 'answering', quiet: WAITING };
    case 'reasoning_delta':
      return { label: 'thinking', quiet: WAITING };
    case 'tool_call_delta':
      return event.written === undefined ? before : writing(event.written);
    case 'assistant_message':
      return before === undefined ? undefined : { label: before.label };
    case 'tool_call':
      return event.permission?.type === 'allow' ? { label: 'running' } : before;
    case 'approval_decision':
      return { label: 'running' };
    case 'approval_request':
    case 'run_end':
      return undefined;
    default:
      return before;
  }
}

function writing({ name, effect, path, size, tail }: WrittenCall): Activity {
  const label = escapeLine(`writing ${subjectOf(name, effect, path)}`);
  const rows = tail.replaceAll('\t', '  ').split('\n').slice(-TAIL_LINES).map(escapeLine);
  return { label, size: size === 0 ? undefined : formatSize(size), rows: size === 0 ? [] : rows, quiet: WAITING };
}

function subjectOf(name: string | undefined, effect: WrittenCall['effect'], path: string | undefined): string {
  if (name === undefined) return 'a call';
  if (path === undefined) return effect === 'execute' ? 'a command' : `a call of ${name}`;
  return effect === 'write' ? path : `a call of ${name}: ${path}`;
}
