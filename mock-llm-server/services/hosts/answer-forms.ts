import type { ChatAnswerForm, ChatChunk } from '../../wire/wire.ts';
import { without } from '../answer-forms.ts';

/** A choice that has no fields without a value: in a stream, the finish reason only where it ends. */
function briefChoice({ index, delta, message, finish_reason }: ChatChunk['choices'][number]) {
  return {
    index,
    ...(delta ? { delta: without(delta, 'refusal') } : { message: without(message, 'refusal', 'annotations') }),
    ...(finish_reason !== null && { finish_reason }),
  };
}

/**
 * xAI sends a call as a whole, and counts tokens of pictures and sources:
 * https://github.com/vercel/ai/blob/main/packages/xai/src/__fixtures__/xai-tool-call.chunks.txt
 */
export const XAI_FORM: ChatAnswerForm = {
  emptyContent: '',
  wholeCalls: true,
  shape({ head: { object, created, model, system_fingerprint }, choices, usage, digest }) {
    const own = usage && {
      ...usage,
      prompt_tokens_details: { text_tokens: usage.prompt_tokens, image_tokens: 0, ...usage.prompt_tokens_details },
      num_sources_used: 0,
    };
    return {
      id: digest.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
      object,
      created,
      model,
      choices: choices.map(briefChoice),
      ...(own && { usage: own }),
      system_fingerprint,
    };
  },
};

/**
 * Cerebras begins a stream with the role alone, sends a call as a whole, and ends with the usage and its times:
 * https://github.com/vercel/ai/blob/main/packages/cerebras/src/fixtures/cererebras-structured-output-tools.1.chunks.txt
 */
export const CEREBRAS_FORM: ChatAnswerForm = {
  wholeCalls: true,
  usage: 'finish',
  shape({ head: { id, object, created, model, system_fingerprint }, choices, usage, place }) {
    const own = choices.map((choice) => {
      const { index, ...said } = briefChoice(choice);
      return { ...said, ...(place === 'open' && { delta: { role: 'assistant' } }), index };
    });
    const times = { queue_time: 0.01, prompt_time: 0.01, completion_time: 0.1, total_time: 0.12, created };
    return { id, choices: own, created, model, system_fingerprint, object, ...(usage && { usage, time_info: times }) };
  },
};
