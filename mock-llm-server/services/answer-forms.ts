import type { ChatAnswerForm, ChatChunk } from '../wire/wire.ts';

/*
 * The forms of chat completions, as recorded: the four local servers in this project, the others in the cassettes of
 * pydantic/pydantic-ai (4fda3898) and crewAIInc/crewAI (f4731f50).
 */

type Fields = Readonly<Record<string, unknown>>;

const CHECKED = { filtered: false, severity: 'safe' };
const CHECKS = { hate: CHECKED, self_harm: CHECKED, sexual: CHECKED, violence: CHECKED };
const PROMPT_CHECKS = [
  { prompt_index: 0, content_filter_results: { ...CHECKS, jailbreak: { filtered: false, detected: false } } },
];

/** Gemini sends a call as a whole and without an index, with the signature of its first one, and the usage beside the end. */
export const GEMINI_FORM: ChatAnswerForm = {
  wholeCalls: true,
  usage: 'finish',
  shape({ head: { object, created, model }, choices, usage, digest }) {
    const isSigned = /^gemini-(?:[3-9]|\d\d)/.test(model);
    const own = choices.map(({ index, delta, message, finish_reason }) => {
      const { content, ...rest } = without(delta ?? message, 'refusal', 'annotations');
      const calls = Array.isArray(rest['tool_calls']) ? rest['tool_calls'].map(fieldsOf) : [];
      const signed = calls.map(({ index: place, ...call }) =>
        isSigned && (place ?? calls.indexOf(call)) === 0 ? { extra_content: signatureOf(digest), ...call } : call,
      );
      const own = {
        ...(content !== null && content !== undefined && { content }),
        ...rest,
        ...(calls.length > 0 && { tool_calls: signed }),
      };
      return {
        ...(delta ? { delta: { role: 'assistant', ...own } } : { message: own }),
        finish_reason: isSigned && delta ? endOf(finish_reason) : finish_reason,
        index,
      };
    });
    const { prompt_tokens, completion_tokens, total_tokens } = usage ?? {};
    return {
      choices: own,
      created,
      id: digest.slice(0, 22),
      model,
      object,
      ...(usage && { usage: { completion_tokens, prompt_tokens, total_tokens } }),
    };
  },
};

/** Gemini 3 ends a stream with calls as one without. */
function endOf(finish: string | null): string | null {
  return finish === 'tool_calls' ? 'stop' : finish;
}

function signatureOf(digest: string): object {
  return { google: { thought_signature: Buffer.from(digest, 'hex').toString('base64') } };
}

/** Azure begins a stream with a chunk without choices: the results of its filters for the prompt. */
export const AZURE_FORM: ChatAnswerForm = {
  preface: `data: ${JSON.stringify({ choices: [], created: 0, id: '', model: '', object: '', prompt_filter_results: PROMPT_CHECKS })}\n\n`,
  shape({ head: { id, object, created, model, system_fingerprint }, choices, usage, isStream }) {
    const checked = choices.map(({ index, logprobs, finish_reason, ...content }) => {
      const isText = typeof contentOf(content) === 'string' && contentOf(content) !== '';
      return { content_filter_results: isText ? CHECKS : {}, ...content, finish_reason, index, logprobs };
    });
    const filters = isStream ? {} : { prompt_filter_results: PROMPT_CHECKS };
    return { choices: checked, created, id, model, object, ...filters, system_fingerprint, ...usageIn(usage) };
  },
};

/** OpenRouter sends comments while it waits, and the usage beside a finish reason that it repeats. */
export const OPENROUTER_FORM: ChatAnswerForm = {
  failure: 'chunk',
  emptyContent: '',
  preface: ': OPENROUTER PROCESSING\n\n'.repeat(2),
  usage: 'again',
  shape({ head, choices, usage, digest, isStream }) {
    const own = choices.map(({ index, delta, message, logprobs, finish_reason }) => ({
      index,
      ...(isStream ? { delta: { role: 'assistant', content: '', ...fieldsOf(delta) } } : { logprobs, message }),
      finish_reason,
      native_finish_reason: finish_reason,
    }));
    return {
      id: `gen-${head.created}-${digest.slice(0, 20)}`,
      object: head.object,
      created: head.created,
      model: head.model,
      provider: 'OpenAI',
      choices: own,
      ...(usage && { usage: { ...usage, cost: 0, is_byok: false } }),
    };
  },
};

/** Groq sends a call as a whole, and the usage in a field of its own; errors: sashabaranov/go-openai#1057. */
export const GROQ_FORM: ChatAnswerForm = {
  failure: 'event',
  wholeCalls: true,
  usage: 'finish',
  shape({ head: { id, object, created, model, system_fingerprint }, choices, usage, digest, place }) {
    const request = `req_${digest.slice(0, 26)}`;
    const times = usage && { queue_time: 0.01, ...usage, prompt_time: 0.01, completion_time: 0.1, total_time: 0.11 };
    const isMarked = place === 'open' || place === 'finish' || place === 'whole';
    return {
      id,
      object,
      created,
      model,
      system_fingerprint,
      choices: choices.map(plainChoice),
      ...(isMarked && { x_groq: { id: request, ...(place === 'finish' && times && { usage: times }) } }),
      ...(times && { usage: times }),
    };
  },
};

/**
 * Ollama names the role in each piece, counts no details and has the fingerprint of its name. A call is in one chunk:
 * NousResearch/hermes-agent#25629, 2026-06-24.
 */
export const OLLAMA_FORM: ChatAnswerForm = {
  wholeCalls: true,
  emptyContent: '',
  shape({ head: { object, created, model }, choices, usage, digest, isStream }) {
    const own = choices.map(({ index, delta, message, finish_reason }) => ({
      index,
      ...(delta
        ? { delta: { role: 'assistant', content: '', ...without(delta, 'refusal', 'role') } }
        : { message: without(message, 'refusal', 'annotations') }),
      finish_reason,
    }));
    const { prompt_tokens, completion_tokens, total_tokens } = usage ?? {};
    return {
      id: `chatcmpl-${Number.parseInt(digest.slice(0, 8), 16) % 1000}`,
      object,
      created,
      model,
      system_fingerprint: 'fp_ollama',
      choices: own,
      ...(usage &&
        (!isStream || choices.length === 0) && { usage: { prompt_tokens, completion_tokens, total_tokens } }),
    };
  },
};

/** llama.cpp begins with the choices and ends with its timings. */
export const LLAMACPP_FORM: ChatAnswerForm = {
  shape({ head: { id, object, created, model }, choices, usage, isStream }) {
    const own = choices.map(({ index, delta, message, finish_reason }) => ({
      finish_reason,
      index,
      ...saidIn({ delta, message }),
    }));
    const { completion_tokens = 0, prompt_tokens = 0, total_tokens } = usage ?? {};
    const counts = { completion_tokens, prompt_tokens, total_tokens, prompt_tokens_details: { cached_tokens: 0 } };
    const timings = {
      cache_n: 0,
      prompt_n: prompt_tokens,
      prompt_ms: 1,
      predicted_n: completion_tokens,
      predicted_ms: 1,
    };
    const head = { created, model, system_fingerprint: 'b0-unknown', object };
    if (!isStream) return { choices: own, ...head, usage: counts, id, timings };
    const streamed = { choices: own, created, id, model, system_fingerprint: 'b0-unknown', object };
    return usage && choices.length === 0 ? { ...streamed, usage: counts, timings } : streamed;
  },
};

/**
 * vLLM has fields of its own beside the finish reason, and the last piece of a text, as in the recording
 * vllm-0.32.0/011-chat-plain-stream and in NousResearch/hermes-agent#100515. It ends a stream that fails as ever:
 * BerriAI/litellm#40578.
 */
export const VLLM_FORM: ChatAnswerForm = {
  endsInText: true,
  failure: 'done',
  shape({ head: { id, object, created, model }, choices, usage, place, isStream }) {
    const own = choices.map(({ index, delta, message, logprobs, finish_reason }) => ({
      index,
      ...(delta
        ? { delta: without(delta, 'refusal') }
        : { message: { ...message, audio: null, function_call: null, reasoning: message?.['reasoning'] ?? null } }),
      logprobs,
      finish_reason,
      ...(finish_reason !== null && { stop_reason: null }),
      ...(place !== 'open' && { token_ids: null }),
    }));
    const { prompt_tokens, total_tokens, completion_tokens } = usage ?? {};
    const counts = usage && { prompt_tokens, total_tokens, completion_tokens };
    const base = { id, object, created, model, choices: own };
    const fingerprint = { system_fingerprint: 'vllm-0.32.0-mock' };
    if (isStream) return { ...base, ...(counts && { usage: counts, ...fingerprint }) };
    return { ...base, service_tier: null, ...fingerprint, usage: counts, prompt_logprobs: null };
  },
};

function usageIn(usage: ChatChunk['usage']): Fields {
  return usage === undefined ? {} : { usage };
}

function contentOf(choice: Fields): unknown {
  return fieldsOf(choice['delta'] ?? choice['message'])['content'];
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** The delta or the message of a choice without the fields that only OpenAI has. */
export function saidIn({ delta, message }: { delta?: Fields | undefined; message?: Fields | undefined }): Fields {
  return delta ? { delta: without(delta, 'refusal') } : { message: without(message, 'refusal', 'annotations') };
}

/** A choice with all of its usual fields. */
export function plainChoice(choice: ChatChunk['choices'][number]): Fields {
  const { index, logprobs, finish_reason } = choice;
  return { index, ...saidIn(choice), logprobs, finish_reason };
}

/** A choice without fields that have no value: in a stream, the finish reason only where it ends. */
export function briefChoice(choice: ChatChunk['choices'][number]): Fields {
  const { index, finish_reason } = choice;
  return { index, ...saidIn(choice), ...(finish_reason !== null && { finish_reason }) };
}

/** The fields but for the named ones. */
export function without(fields: Fields | undefined, ...names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields ?? {}).filter(([name]) => !names.includes(name)));
}

/** The digest as the form of a UUID. */
export function uuidOf(digest: string): string {
  return digest.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
