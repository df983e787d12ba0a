import type { PermissionMode } from '../../agent/ports/approver.ts';
import type { ImageContent } from '../../agent/ports/messages.ts';
import { conforms } from '../../schema/conforms.ts';
import { explain } from '../../schema/explain.ts';
import type { HostCommand, Lines } from '../drive.ts';
import type { Frame } from '../read-frames.ts';
import {
  CONTROL_REQUEST,
  CONTROL_RESPONSE,
  DENIAL,
  INITIALIZE,
  type Initialization,
  SET_MODE,
  SET_MODEL,
  USER_FRAME,
} from './frames.data.ts';
import { permissionModeOf } from './modes.ts';

/** The answer of the host to a question: `undefined` after an error of the host. */
export interface HostAnswer {
  readonly response: unknown;
  readonly error?: string;
}

/** The effect of `initialize`, for the decoder. */
export interface DecoderPorts {
  /** Returns the answer, or throws an error with the reason why the settings cannot be used. */
  readonly initialize: (settings: Initialization) => object;
  /** The tool servers in the process of the host, which is asked about them. */
  readonly servers: () => readonly object[];
}

/**
 * Decodes a line of a host that speaks the control protocol of the Claude Agent SDK. A line that cannot be understood and
 * a request that is not known get an answer with an error, and a message that cannot be run a result with one, so that no
 * host waits forever. Only the explanation of settings that cannot be read takes time, because it loads zod.
 */
export function decodeFrame(frame: Frame, ports: DecoderPorts): HostCommand | Promise<HostCommand> {
  if (frame.type === 'malformed') return { type: 'reply', lines: controlError('', frame.problem) };
  const { value } = frame;
  switch (value['type']) {
    case 'user':
      return decodePrompt(value);
    case 'control_request':
      return decodeRequest(value, ports);
    case 'control_response':
      return decodeAnswer(value);
    case 'control_cancel_request':
    case 'keep_alive':
      return { type: 'ignored' };
    default:
      return { type: 'reply', lines: controlError(idIn(value), `Unknown type of message: ${quoted(value['type'])}`) };
  }
}

function decodePrompt(value: object): HostCommand {
  if (!conforms(value, USER_FRAME)) {
    const problem = 'The message of the user cannot be read: its content must be a text, or blocks of text and images.';
    return { type: 'unreadable', problem };
  }
  const { content } = value.message;
  const steers = value.priority === 'now' || value.priority === 'next';
  if (typeof content === 'string') return promptOf(content, [], steers);
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  const images = content.flatMap((block): ImageContent[] =>
    block.type === 'image' ? [{ mediaType: block.source.media_type, data: block.source.data }] : [],
  );
  return promptOf(text, images, steers);
}

function promptOf(text: string, images: readonly ImageContent[], steers: boolean): HostCommand {
  if (images.length > 0) return { type: 'prompt', text, images };
  if (text.trim() === '') return { type: 'unreadable', problem: 'The message of the user is empty.' };
  return { type: 'prompt', text, ...(steers && { steers }) };
}

function decodeRequest(value: object, ports: DecoderPorts): HostCommand | Promise<HostCommand> {
  if (!conforms(value, CONTROL_REQUEST)) {
    const problem = 'The control request cannot be read: it needs request_id and request.subtype.';
    return { type: 'reply', lines: controlError(idIn(value), problem) };
  }
  const { request_id: id, request } = value;
  const refuse = (problem: string): HostCommand => ({ type: 'reply', lines: controlError(id, problem) });
  switch (request.subtype) {
    case 'initialize': {
      if (!conforms(request, INITIALIZE)) {
        return explain(request, INITIALIZE).then((problem) => refuse(`initialize cannot be read: ${problem}`));
      }
      try {
        return { type: 'reply', lines: controlSuccess(id, ports.initialize(request)) };
      } catch (error) {
        return refuse(error instanceof Error ? error.message : String(error));
      }
    }
    case 'interrupt':
      return { type: 'interrupt', reply: () => controlSuccess(id, { still_queued: [] }) };
    case 'set_permission_mode': {
      const wanted = conforms(request, SET_MODE) ? request.mode : undefined;
      const mode: PermissionMode | undefined = wanted === undefined ? undefined : permissionModeOf(wanted);
      if (mode === undefined) return refuse(`Unknown permission mode: ${quoted(request['mode'])}`);
      return { type: 'set_mode', mode, reply: replyTo(id, { mode: wanted }) };
    }
    case 'set_model': {
      if (!conforms(request, SET_MODEL)) return refuse('set_model needs the name of a model.');
      const { model } = request;
      return { type: 'set_model', model, reply: replyTo(id, { model }) };
    }
    case 'mcp_status':
      return { type: 'reply', lines: controlSuccess(id, { mcpServers: ports.servers() }) };
    default:
      return refuse(`Unsupported control request: ${quoted(request.subtype)}`);
  }
}

function decodeAnswer(value: object): HostCommand {
  if (!conforms(value, CONTROL_RESPONSE)) {
    return {
      type: 'reply',
      lines: controlError('', 'The control response cannot be read: it needs response.request_id.'),
    };
  }
  const { request_id: id, subtype, response, error } = value.response;
  const answer: HostAnswer = subtype === 'success' ? { response } : { response: undefined, error: String(error) };
  return { type: 'answer', id, answer, ...(conforms(response, DENIAL) && { interrupt: true }) };
}

function replyTo(id: string, response: object): (problem?: string) => Lines {
  return (problem) => (problem === undefined ? controlSuccess(id, response) : controlError(id, problem));
}

function controlSuccess(id: string, response: object): Lines {
  return [{ type: 'control_response', response: { subtype: 'success', request_id: id, response } }];
}

function controlError(id: string, error: string): Lines {
  return [{ type: 'control_response', response: { subtype: 'error', request_id: id, error } }];
}

function idIn(value: object): string {
  const id: unknown = 'request_id' in value ? value.request_id : undefined;
  return typeof id === 'string' ? id : '';
}

/** Characters of an unknown value that its problem shows. */
const SHOWN_CHARACTERS = 80;

function quoted(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, SHOWN_CHARACTERS)) : typeof value;
}
