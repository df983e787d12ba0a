import type { ChatAnswerForm, ChatChunk } from '../../wire/wire.ts';
import { briefChoice, plainChoice, saidIn, uuidOf, without } from '../answer-forms.ts';
import { objectOf } from '../raw.ts';

/**
 * DashScope begins a chunk with its choices, and repeats the type of a call, with an empty id, beside each fragment of
 * its arguments: https://github.com/CherryHQ/cherry-studio/issues/6436,
 * https://github.com/anomalyco/opencode/pull/40969
 */
export const DASHSCOPE_FORM: ChatAnswerForm = {
  shape({ head: { id, object, created, model }, choices, usage, isStream }) {
    const own = choices.map(({ index, delta, message, logprobs, finish_reason }) => {
      if (delta === undefined)
        return { message: without(message, 'refusal', 'annotations'), finish_reason, index, logprobs };
      const calls = Array.isArray(delta['tool_calls']) ? delta['tool_calls'].map(objectOf) : undefined;
      const tool_calls = calls?.map((call) => ({ id: '', type: 'function', ...call }));
      return {
        delta: { ...without(delta, 'refusal'), ...(tool_calls && { tool_calls }) },
        finish_reason,
        index,
        logprobs,
      };
    });
    const counts = usage ?? (isStream ? null : undefined);
    return { choices: own, object, usage: counts, created, system_fingerprint: null, model, id };
  },
};

/**
 * Moonshot AI sends the usage within the choice that finishes:
 * https://github.com/higress-group/higress/pull/1568, https://github.com/earendil-works/pi/issues/2017
 */
export const MOONSHOT_FORM: ChatAnswerForm = {
  usage: 'choice',
  shape({ head: { id, object, created, model }, choices, usage, place, digest }) {
    const { prompt_tokens, completion_tokens, total_tokens } = usage ?? {};
    const counts = usage && { usage: { prompt_tokens, completion_tokens, total_tokens } };
    const own = choices.map(({ index, delta, message, finish_reason }) => ({
      index,
      ...saidIn({ delta, message }),
      finish_reason,
      ...(place === 'finish' && counts),
    }));
    const head = { id, object, created, model, choices: own };
    if (place === 'finish') return { ...head, system_fingerprint: `fpv0_${digest.slice(0, 8)}` };
    return { ...head, ...counts };
  },
};

// The next three as in the cassettes of pydantic/pydantic-ai (4fda3898) and crewAIInc/crewAI (f4731f50).

/** Mistral sends a call as a whole, without its type, in one chunk with the finish reason and the usage. */
export const MISTRAL_FORM: ChatAnswerForm = {
  emptyContent: '',
  wholeCalls: true,
  usage: 'finish',
  shape({ head: { object, created, model }, choices, usage, digest }) {
    const own = choices.map(({ index, delta, message, finish_reason }) => {
      const content = delta ? without(delta, 'refusal') : without(message, 'refusal', 'annotations');
      return { index, ...(delta ? { delta: content } : { message: { tool_calls: null, ...content } }), finish_reason };
    });
    const { prompt_tokens, total_tokens, completion_tokens } = usage ?? {};
    return {
      id: digest.slice(0, 32),
      object,
      created,
      model,
      choices: own,
      ...(usage && { usage: { prompt_tokens, total_tokens, completion_tokens } }),
    };
  },
};

/** DeepSeek sends the usage beside the finish reason, with the tokens that its cache held and lacked. */
export const DEEPSEEK_FORM: ChatAnswerForm = {
  usage: 'finish',
  shape({ head: { object, created, model, system_fingerprint }, choices, usage, digest, isStream }) {
    const counts = usage && { ...usage, ...cacheCounts(usage) };
    return {
      id: uuidOf(digest),
      object,
      created,
      model,
      system_fingerprint,
      choices: choices.map(plainChoice),
      ...((isStream || counts) && { usage: counts ?? null }),
    };
  },
};

/** Z.AI names the role in each piece and no finish reason before the last. */
export const ZAI_FORM: ChatAnswerForm = {
  usage: 'finish',
  shape({ head: { object, created, model }, choices, usage, digest }) {
    const own = choices.map(({ index, delta, message, finish_reason }) => ({
      index,
      ...(finish_reason === null ? {} : { finish_reason }),
      ...(delta
        ? { delta: { role: 'assistant', ...without(delta, 'refusal', 'role') } }
        : { message: without(message, 'refusal', 'annotations') }),
    }));
    const { prompt_tokens, completion_tokens, total_tokens, prompt_tokens_details } = usage ?? {};
    return {
      id: digest.slice(0, 28),
      created,
      object,
      model,
      choices: own,
      ...(usage && { usage: { prompt_tokens, completion_tokens, total_tokens, prompt_tokens_details } }),
    };
  },
};

function cacheCounts({ prompt_tokens, prompt_tokens_details: { cached_tokens } }: NonNullable<ChatChunk['usage']>) {
  return { prompt_cache_hit_tokens: cached_tokens, prompt_cache_miss_tokens: prompt_tokens - cached_tokens };
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
      id: uuidOf(digest),
      object,
      created,
      model,
      choices: choices.map(briefChoice),
      ...(own && { usage: own }),
      system_fingerprint,
    };
  },
};
