import * as z from 'zod';
import type { PermissionMode } from '../../ports/approver.ts';
import type { ImageContent } from '../../ports/messages.ts';
import type { HostCommand, Lines } from '../drive.ts';
import type { Frame } from '../read-frames.ts';
import { permissionModeOf } from './modes.ts';

const textBlock = z.object({ type: z.literal('text'), text: z.string() });
const imageBlock = z.object({
  type: z.literal('image'),
  source: z.object({
    type: z.literal('base64'),
    media_type: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
    data: z.string(),
  }),
});
const userFrame = z.object({
  message: z.object({ content: z.union([z.string(), z.array(z.union([textBlock, imageBlock]))]) }),
});
const controlRequest = z.object({ request_id: z.string(), request: z.looseObject({ subtype: z.string() }) });
const controlResponse = z.object({
  response: z.object({
    request_id: z.string(),
    subtype: z.string(),
    response: z.unknown().optional(),
    error: z.unknown().optional(),
  }),
});
const setMode = z.object({ mode: z.string() });
const setModel = z.object({ model: z.string().min(1) });
const denial = z.object({ behavior: z.literal('deny'), interrupt: z.literal(true) });
const hookMatchers = z.array(
  z.object({
    matcher: z.string().optional(),
    hookCallbackIds: z.array(z.string()),
    timeout: z.number().positive().optional(),
    onFailure: z.enum(['continue', 'block']).optional(),
  }),
);
const initialize = z.object({
  systemPrompt: z.union([z.string(), z.array(z.string())]).optional(),
  appendSystemPrompt: z.string().optional(),
  jsonSchema: z.record(z.string(), z.json()).optional(),
  hooks: z.record(z.string(), hookMatchers).nullish(),
  sdkMcpServers: z.array(z.string()).optional(),
});

/** The settings of a session that a host gives before its first prompt. */
export type Initialization = z.infer<typeof initialize>;

/** The answer of the host to a question: `undefined` after an error of the host. */
export interface HostAnswer {
  readonly response: unknown;
  readonly error?: string;
}

/** What the decoder needs: the effect of `initialize`. */
export interface DecoderPorts {
  /** Returns the answer, or throws an error with the reason why the settings cannot be used. */
  readonly initialize: (settings: Initialization) => object;
  /** The tool servers in the process of the host, which is asked about them. */
  readonly servers: () => readonly object[];
}

/**
 * Decodes a line of a host that speaks the control protocol of the Claude Agent SDK. A line that cannot be understood and
 * a request that is not known get an answer with an error, and a message that cannot be run a result with one, so that no
 * host waits for ever.
 */
export function decodeFrame(frame: Frame, ports: DecoderPorts): HostCommand {
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
  const read = userFrame.safeParse(value);
  if (!read.success) {
    const problem = 'The message of the user cannot be read: its content must be a text, or blocks of text and images.';
    return { type: 'unreadable', problem };
  }
  const { content } = read.data.message;
  if (typeof content === 'string') return promptOf(content, []);
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  const images = content.flatMap((block): ImageContent[] =>
    block.type === 'image' ? [{ mediaType: block.source.media_type, data: block.source.data }] : [],
  );
  return promptOf(text, images);
}

function promptOf(text: string, images: readonly ImageContent[]): HostCommand {
  if (images.length > 0) return { type: 'prompt', text, images };
  if (text.trim() === '') return { type: 'unreadable', problem: 'The message of the user is empty.' };
  return { type: 'prompt', text };
}

function decodeRequest(value: object, ports: DecoderPorts): HostCommand {
  const read = controlRequest.safeParse(value);
  if (!read.success) {
    const problem = 'The control request cannot be read: it needs request_id and request.subtype.';
    return { type: 'reply', lines: controlError(idIn(value), problem) };
  }
  const { request_id: id, request } = read.data;
  const refuse = (problem: string): HostCommand => ({ type: 'reply', lines: controlError(id, problem) });
  switch (request.subtype) {
    case 'initialize': {
      const settings = initialize.safeParse(request);
      if (!settings.success) return refuse(`initialize cannot be read: ${z.prettifyError(settings.error)}`);
      try {
        return { type: 'reply', lines: controlSuccess(id, ports.initialize(settings.data)) };
      } catch (error) {
        return refuse(error instanceof Error ? error.message : String(error));
      }
    }
    case 'interrupt':
      return { type: 'interrupt', reply: () => controlSuccess(id, { still_queued: [] }) };
    case 'set_permission_mode': {
      const wanted = setMode.safeParse(request);
      const mode: PermissionMode | undefined = wanted.success ? permissionModeOf(wanted.data.mode) : undefined;
      if (!wanted.success || mode === undefined) return refuse(`Unknown permission mode: ${quoted(request['mode'])}`);
      return { type: 'set_mode', mode, reply: replyTo(id, { mode: wanted.data.mode }) };
    }
    case 'set_model': {
      const wanted = setModel.safeParse(request);
      if (!wanted.success) return refuse('set_model needs the name of a model.');
      return { type: 'set_model', model: wanted.data.model, reply: replyTo(id, { model: wanted.data.model }) };
    }
    case 'mcp_status':
      return { type: 'reply', lines: controlSuccess(id, { mcpServers: ports.servers() }) };
    default:
      return refuse(`Unsupported control request: ${quoted(request.subtype)}`);
  }
}

function decodeAnswer(value: object): HostCommand {
  const read = controlResponse.safeParse(value);
  if (!read.success) {
    return {
      type: 'reply',
      lines: controlError('', 'The control response cannot be read: it needs response.request_id.'),
    };
  }
  const { request_id: id, subtype, response, error } = read.data.response;
  const answer: HostAnswer = subtype === 'success' ? { response } : { response: undefined, error: String(error) };
  return { type: 'answer', id, answer, ...(denial.safeParse(response).success && { interrupt: true }) };
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
