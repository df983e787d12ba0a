import type { PermissionMode } from '../../agent/ports/approver.ts';
import { conforms } from '../../schema/conforms.ts';
import { explain } from '../../schema/explain.ts';
import type { HostCommand, Lines } from '../drive.ts';
import type { Frame } from '../read-frames.ts';
import { HOST_MODES, permissionModeOf } from '../stream-json/modes.ts';
import { problemLine } from './encode.ts';
import { FRAME, FRAME_TYPES } from './frames.data.ts';

/**
 * Decodes a line of a host that sends the control frames of Yume. A line that cannot be understood gets an answer, so that
 * no host waits forever. `isAsked` is true for the id of an open question; `changed` gives the lines about a new mode.
 * Only the explanation of a frame with the wrong fields takes time, because it loads zod.
 */
export function decodeYume(
  frame: Frame,
  isAsked: (id: string) => boolean,
  changed: (mode: PermissionMode, word: string) => Lines,
): HostCommand | Promise<HostCommand> {
  if (frame.type === 'malformed') return refuse(frame.problem);
  const { value: data } = frame;
  if (!conforms(data, FRAME)) {
    const { type } = frame.value;
    if (typeof type === 'string' && FRAME_TYPES.includes(type)) {
      return explain(frame.value, FRAME).then((problem) => refuse(`The frame ${type} cannot be read: ${problem}`));
    }
    const shown = JSON.stringify(type)?.slice(0, MAX_SHOWN) ?? 'missing';
    return refuse(`The type of the frame is ${shown}. Send one of ${FRAME_TYPES.join(', ')}.`);
  }
  switch (data.type) {
    case 'user':
      if (data.content.trim() === '') return refuse('The frame user has no text in content.');
      return { type: 'prompt', text: data.content, ...(data.steer === true && { steers: true }) };
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
        reply: (problem) => (problem === undefined ? changed(mode, data.mode) : [problemLine('mode', problem)]),
      };
    }
    case 'tool_approval':
      if (!isAsked(data.id))
        return refuse(`No question about the call ${data.id.slice(0, MAX_SHOWN)} waits for an answer.`);
      return { type: 'answer', id: data.id, answer: data };
  }
}

const MAX_SHOWN = 80;

function refuse(problem: string): HostCommand {
  return { type: 'reply', lines: [problemLine('invalid_frame', problem)] };
}
