import { isJsonObject } from '../../conversation/json.ts';
import { decodePercent } from '../../text.ts';
import { lintEchoedThinking } from '../anthropic/lint.ts';
import type { AnthropicMessage } from '../anthropic/request.ts';
import type { ReadRequest, RecallCall, WireError, WireRequest } from '../wire.ts';
import { encodeException, readModelPath } from './aws.ts';
import { packEvents } from './event-stream.ts';
import { encodeConverseFrames, encodeConverseReply } from './reply.ts';
import { type ConverseBlock, type ConverseRequest, readConverseRequest } from './request.ts';

/** Reads a request of the operations Converse and ConverseStream. */
export function readConverse({ path, body }: WireRequest): ReadRequest | WireError {
  const { model = '', operation } = readModelPath(path) ?? {};
  return openConverse(decodePercent(model), body, operation === 'converse-stream');
}

/** The request of a body in the form of the Converse API. */
export function openConverse(model: string, body: string, stream: boolean): ReadRequest | WireError {
  const read = readConverseRequest(model, body);
  if ('type' in read) return read;
  return {
    type: 'request',
    conversation: read.conversation,
    json: read.json,
    stream,
    limits: read.limits,
    toolChoice: read.toolChoice,
    native: { form: 'data_only' },
    pack: packEvents,
    encode: encodeConverseReply,
    frames: encodeConverseFrames,
    encodeFailure: encodeException,
    ...(/\banthropic\./.test(model) && { lint: (recall: RecallCall) => lintThinking(read, recall) }),
  };
}

/** The errors of Claude, which the service passes on: langchain-ai/langchain-aws#844, BerriAI/litellm#25375 */
function lintThinking({ body, conversation: { model } }: ConverseRequest, recall: RecallCall): readonly WireError[] {
  const messages = body.messages.map(({ role, content }) => ({ role, content: content.map(blockOfClaude) }));
  const fields = body.additionalModelRequestFields ?? {};
  const { thinking = fields['reasoning_config'] } = fields;
  const isEnabled = isJsonObject(thinking) && thinking['type'] === 'enabled';
  return lintEchoedThinking(messages, { model, isEnabled }, recall).map((error) => ({
    ...error,
    message: `The model returned the following errors: ${error.message}`,
  }));
}

/** A block in the form of Claude, as far as its thinking depends on it. */
function blockOfClaude({ reasoningContent, toolUse, text }: ConverseBlock): AnthropicMessage['content'][number] {
  if (toolUse !== undefined) return { type: 'tool_use', id: toolUse.toolUseId, name: toolUse.name };
  if (reasoningContent === undefined) return text === undefined ? { type: 'other' } : { type: 'text', text };
  const { reasoningText } = reasoningContent;
  if (!isJsonObject(reasoningText)) return { type: 'redacted_thinking' };
  const { text: thinking, signature } = reasoningText;
  return {
    type: 'thinking',
    thinking: typeof thinking === 'string' ? thinking : '',
    ...(typeof signature === 'string' && { signature }),
  };
}
