import type { ServiceName } from '../conversation/conversation.ts';
import { isJsonObject } from '../conversation/json.ts';
import type { WireResponse } from '../wire/wire.ts';

/** A model in the list of OpenAI. */
interface Listed {
  readonly id: string;
  readonly object: string;
  readonly created: number;
}

type ListForm = (models: readonly Listed[]) => object;

/** Tokens of every model in a list that names its window. */
const WINDOW = 131_072;

const inData =
  (encode: (model: Listed) => object, rest: object = { object: 'list' }): ListForm =>
  (models) => ({ ...rest, data: models.map(encode) });

const ownedBy = (owned_by: string) => inData((model) => ({ ...model, owned_by }));

const VLLM_LIST = inData((model) => ({
  ...model,
  owned_by: 'vllm',
  root: model.id,
  parent: null,
  max_model_len: WINDOW,
  permission: [
    {
      id: 'modelperm-82273267879cefb9',
      object: 'model_permission',
      created: model.created,
      allow_create_engine: false,
      allow_sampling: true,
      allow_logprobs: true,
      allow_search_indices: false,
      allow_view: true,
      allow_fine_tuning: false,
      organization: '*',
      group: null,
      is_blocking: false,
    },
  ],
}));

/** The lists of models of services, where they differ from OpenAI's. The comment of each names its source. */
const LISTS: Readonly<Partial<Record<ServiceName, ListForm>>> = {
  // Recordings 001-models of the four.
  vllm: VLLM_LIST,
  'vllm-without-parser': VLLM_LIST,
  ollama: ownedBy('library'),
  litellm: ownedBy('openai'),
  llamacpp: (models) => ({
    models: models.map(({ id }) => ({
      name: id,
      model: id,
      modified_at: '',
      size: '',
      digest: '',
      type: 'model',
      description: '',
      tags: [''],
      capabilities: ['completion'],
      parameters: '',
      details: {
        parent_model: '',
        format: 'gguf',
        family: '',
        families: [''],
        parameter_size: '',
        quantization_level: '',
      },
    })),
    object: 'list',
    data: models.map(({ id, object, created }) => ({
      id,
      aliases: [id],
      tags: [],
      object,
      created,
      owned_by: 'llamacpp',
      meta: { vocab_type: 2, n_vocab: 151_936, n_ctx: WINDOW, n_ctx_train: WINDOW, n_embd: 4096 },
    })),
  }),
  // odysseus-dev/odysseus#2202, 2026-06-03: no list around the models.
  together: (models) =>
    models.map(({ id, object, created }) => ({ id, object, created, type: 'chat', context_length: WINDOW })),
  // mozilla-ai/any-llm#1083, 2026-05-22: neither `object` nor `owned_by`.
  openrouter: inData(
    ({ id, created }) => ({
      id,
      canonical_slug: id,
      hugging_face_id: null,
      name: id,
      created,
      description: '',
      context_length: WINDOW,
      architecture: { modality: 'text->text', input_modalities: ['text'], output_modalities: ['text'] },
      pricing: { prompt: '0.0000025', completion: '0.00001' },
      top_provider: { context_length: WINDOW, max_completion_tokens: null, is_moderated: false },
      per_request_limits: null,
      supported_parameters: ['max_tokens', 'reasoning', 'temperature', 'tools', 'tool_choice'],
    }),
    {},
  ),
  // lmstudio-ai/lmstudio-bug-tracker#1988, 2026-05-31: no `created`.
  lmstudio: inData(({ id, object }) => ({ id, object, owned_by: 'organization_owner' })),
  // https://api-docs.deepseek.com/api/list-models: no `created`.
  deepseek: inData(({ id, object }) => ({ id, object, owned_by: 'deepseek' })),
  // simonw/llm-mistral#23, 2025-03-17
  mistral: inData(({ id, object, created }) => ({
    id,
    object,
    created,
    owned_by: 'mistralai',
    capabilities: {
      completion_chat: true,
      completion_fim: false,
      function_calling: true,
      fine_tuning: false,
      vision: false,
    },
    name: id,
    description: `Official ${id} Mistral AI model`,
    max_context_length: WINDOW,
    aliases: [],
    deprecation: null,
    default_model_temperature: 0.3,
    type: 'base',
  })),
  // ericc-ch/copilot-api#101, 2025-09-15: neither `created` nor `owned_by`.
  copilot: inData(({ id, object }) => ({
    capabilities: {
      family: id,
      limits: { max_context_window_tokens: WINDOW, max_output_tokens: 16_384, max_prompt_tokens: 64_000 },
      object: 'model_capabilities',
      supports: {
        parallel_tool_calls: true,
        streaming: true,
        structured_outputs: true,
        tool_calls: true,
        vision: true,
      },
      tokenizer: 'o200k_base',
      type: 'chat',
    },
    id,
    model_picker_enabled: true,
    name: id,
    object,
    policy: { state: 'enabled', terms: '' },
  })),
};

/** The body of a list of models in the form of a service; other bodies are unchanged. */
export function modelListOf(
  service: ServiceName | undefined,
  path: string,
  body: WireResponse['body'],
): WireResponse['body'] {
  const form = service && LISTS[service];
  if (form === undefined || !path.endsWith('/models') || !isJsonObject(body) || body['object'] !== 'list') return body;
  const { data } = body;
  return Array.isArray(data) ? form(data) : body;
}
