import type { ChatAnswerForm } from '../../wire/wire.ts';
import { without } from '../answer-forms.ts';
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
      ...(delta ? { delta: without(delta, 'refusal') } : { message: without(message, 'refusal', 'annotations') }),
      finish_reason,
      ...(place === 'finish' && counts),
    }));
    const head = { id, object, created, model, choices: own };
    if (place === 'finish') return { ...head, system_fingerprint: `fpv0_${digest.slice(0, 8)}` };
    return { ...head, ...counts };
  },
};
