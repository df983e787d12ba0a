import { isMessage } from '../log/log-line.ts';
import { readEvent } from '../log/read-line.ts';
import { commandOf } from '../observe-events.ts';

/** A call in a session: the number of messages before its run, and its id. */
interface CallOfRun {
  readonly run: number;
  readonly call: string;
}

/** The commands of a session in their order among its calls. */
export interface CommandTimeline {
  /** The commands that have started after this call, the first one first; `wholeRun`: also those of its run before it. */
  since(call: CallOfRun | undefined, wholeRun?: boolean): readonly string[];
}

export async function readCommands(lines: AsyncIterable<string>): Promise<CommandTimeline> {
  const commands: { readonly position: number; readonly command: string }[] = [];
  const positions = new Map<string, number>();
  const starts = new Map<number, number>();
  const asked = new Map<string, string>();
  let position = 0;
  let messages = 0;
  let run = 0;
  for await (const line of lines) {
    const event = readEvent(line);
    if (event === undefined) continue;
    position += 1;
    if (event.type === 'user_message' && event.reminder === undefined && event.steered === undefined) {
      run = messages;
      starts.set(run, position);
    }
    if (isMessage(event)) messages += 1;
    if (event.type === 'tool_call') {
      positions.set(`${run} ${event.call.id}`, position);
      const command = commandOf(event.effect);
      if (command === undefined) continue;
      if (event.permission?.type === 'allow') commands.push({ position, command });
      else asked.set(event.call.id, command);
    } else if (event.type === 'approval_decision') {
      const { type } = event.decision;
      const command = asked.get(event.callId);
      if (command !== undefined && (type === 'once' || type === 'session')) commands.push({ position, command });
    }
  }
  return {
    since(call, wholeRun = false) {
      const begun = call === undefined || !wholeRun ? undefined : starts.get(call.run);
      const start = call === undefined ? 0 : (begun ?? positions.get(`${call.run} ${call.call}`) ?? position);
      return commands.flatMap((each) => (each.position > start ? [each.command] : []));
    },
  };
}
