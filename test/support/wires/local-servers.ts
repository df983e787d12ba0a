import type { Fetch } from '../../../src/providers/http/fetch-stream.ts';

/** An answer of a server: its status and its unchanged body. */
export interface RecordedAnswer {
  readonly status?: number;
  readonly body: string;
}

/** Minimal excerpts of recorded answers of servers (2026-11-28); those of LM Studio are from its documentation. */
export const LOCAL_ANSWERS = {
  /** Ollama 0.17.4: GET /api/tags. */
  ollamaTags: {
    body: '{"models":[{"name":"caller:latest","model":"caller:latest","modified_at":"2026-11-28T20:49:42.14490476Z","size":139484,"digest":"9382088715c44daa5c93fb8ded2d23b31997d2ec7f1587f2f0b7f432d587b0a4","details":{"parent_model":"","format":"gguf","family":"llama","families":["llama"],"parameter_size":"64K","quantization_level":"F16"}}]}',
  },
  /** Ollama 0.17.4: POST /api/show of a model whose template has no tools. */
  ollamaShow: {
    body: '{"details":{"format":"gguf","family":"llama"},"model_info":{"general.architecture":"llama","llama.context_length":32768},"capabilities":["completion"]}',
  },
  /** Ollama 0.17.4: GET /api/ps. */
  ollamaPs: { body: '{"models":[]}' },
  /** Ollama 0.17.4: POST /api/chat with tools. */
  ollamaRefusal: {
    status: 400,
    body: '{"error":"registry.ollama.ai/library/caller:latest does not support tools"}',
  },
  /** llama.cpp 11434: GET /v1/models. */
  llamaModels: {
    body: '{"models":[{"name":"scripted.gguf","model":"scripted.gguf","modified_at":"","size":"","digest":"","type":"model"}],"object":"list","data":[{"id":"scripted.gguf","aliases":["scripted.gguf"],"tags":[],"object":"model","created":1795844044,"owned_by":"llamacpp","meta":{"vocab_type":2,"n_vocab":291,"n_ctx":32768,"n_ctx_train":32768,"n_embd":64,"n_params":66112,"size":264448,"ftype":"all F32"}}]}',
  },
  /** vLLM 0.32.0: GET /v1/models. */
  vllmModels: {
    body: '{"object":"list","data":[{"id":"tiny","object":"model","created":1795841111,"owned_by":"vllm","root":"/models/tiny","parent":null,"max_model_len":8192}]}',
  },
  /** LM Studio: GET /v1/models and GET /api/v0/models. https://lmstudio.ai/docs/developer/rest/endpoints */
  studioModels: {
    body: '{"object":"list","data":[{"id":"granite-3.0-2b-instruct","object":"model","owned_by":"organization_owner"}]}',
  },
  studioFacts: {
    body: '{"object":"list","data":[{"id":"granite-3.0-2b-instruct","object":"model","type":"llm","publisher":"lmstudio-community","arch":"granite","compatibility_type":"gguf","quantization":"Q4_K_M","state":"not-loaded","max_context_length":4096}]}',
  },
  /** vLLM 0.32.0 with SmolLM2-135M-Instruct: a chat completion with tools that the model answers with text. */
  text: {
    body: 'data: {"id":"chatcmpl-83a6173d4b498df5","object":"chat.completion.chunk","created":1795840844,"model":"smollm2","choices":[{"index":0,"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null}],"prompt_token_ids":null,"prompt_text":null}\n\ndata: {"id":"chatcmpl-83a6173d4b498df5","object":"chat.completion.chunk","created":1795840844,"model":"smollm2","choices":[{"index":0,"delta":{"content":"You can"},"logprobs":null,"finish_reason":null,"token_ids":null}]}\n\ndata: {"id":"chatcmpl-83a6173d4b498df5","object":"chat.completion.chunk","created":1795840844,"model":"smollm2","choices":[{"index":0,"delta":{"content":""},"logprobs":null,"finish_reason":"stop","stop_reason":null,"token_ids":null}]}\n\ndata: [DONE]\n\n',
  },
} satisfies Record<string, RecordedAnswer>;

interface SentTo {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Answers on this machine by method and address; other addresses refuse the connection. */
export function localFetch(answers: Readonly<Record<string, RecordedAnswer>>): {
  readonly fetch: Fetch;
  readonly sent: readonly SentTo[];
} {
  const sent: SentTo[] = [];
  const fetch: Fetch = async (url, { method = 'GET', headers = {}, body = '' }) => {
    const address = `${method} ${url}`;
    sent.push({ address, headers, body });
    const answer = answers[address];
    if (answer === undefined) {
      throw new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) });
    }
    const type = answer.body.startsWith('data:') ? 'text/event-stream' : 'application/json';
    return new Response(answer.body, { status: answer.status ?? 200, headers: { 'content-type': type } });
  };
  return { fetch, sent };
}
