import * as z from 'zod';
import type { HostCommand } from '../drive.ts';
import type { Frame } from '../read-frames.ts';
import { HOST_MODES, permissionModeOf } from '../stream-json/modes.ts';
import { problemLine } from './encode.ts';

/** The answer of the host to a question. */
export const toolApproval = z.object({
  type: z.literal('tool_approval'),
  id: z.string(),
  approved: z.boolean(),
  /** The arguments of the call instead of those that were asked about. */
  input: z.record(z.string(), z.json()).nullish(),
  /** Text for the model about a no. */
  message: z.string().nullish(),
});

/** A frame of the host. Other fields are ignored. */
const frameSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('user'), content: z.string() }),
  z.object({ type: z.literal('interrupt') }),
  z.object({ type: z.literal('set_permission_mode'), mode: z.string() }),
  toolApproval,
]);

/**
 * Decodes a line of a host that sends the control frames of Yume. A line that cannot be understood gets an answer, so that
 * no host waits for ever. `isAsked` is true for the id of a question that waits.
 */
export function decodeYume(frame: Frame, isAsked: (id: string) => boolean): HostCommand {
  if (frame.type === 'malformed') return refuse(frame.problem);
  const read = frameSchema.safeParse(frame.value);
  if (!read.success) {
    const { type } = frame.value;
    const isKnown = typeof type === 'string' && FRAMES.includes(type);
    if (isKnown) return refuse(`The frame ${type} cannot be read: ${z.prettifyError(read.error)}`);
    const shown = JSON.stringify(type)?.slice(0, MAX_SHOWN) ?? 'missing';
    return refuse(`The type of the frame is ${shown}. Send one of ${FRAMES.join(', ')}.`);
  }
  const { data } = read;
  switch (data.type) {
    case 'user':
      if (data.content.trim() === '') return refuse('The frame user has no text in content.');
      return { type: 'prompt', text: data.content };
    case 'interrupt':
      return { type: 'interrupt', reply: () => [] };
    case 'set_permission_mode': {
      const mode = permissionModeOf(data.mode);
      if (mode === undefined) {
        const known = [...HOST_MODES.keys()].join(', ');
        return refuse(
          `There is no permission mode ${JSON.stringify(data.mode.slice(0, MAX_SHOWN))}. Send one of ${known}.`,
        );
      }
      return {
        type: 'set_mode',
        mode,
        reply: (problem) => (problem === undefined ? [] : [problemLine('mode', problem)]),
      };
    }
    case 'tool_approval':
      if (!isAsked(data.id))
        return refuse(`No question about the call ${data.id.slice(0, MAX_SHOWN)} waits for an answer.`);
      return { type: 'answer', id: data.id, answer: data };
  }
}

const FRAMES: readonly string[] = frameSchema.options.map(({ shape }) => shape.type.value);
const MAX_SHOWN = 80;

function refuse(problem: string): HostCommand {
  return { type: 'reply', lines: [problemLine('invalid_frame', problem)] };
}
