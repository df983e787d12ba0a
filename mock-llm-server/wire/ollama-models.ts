import * as z from 'zod';
import { digestOf } from '../ids.ts';
import { badRequest } from './ollama-request.ts';
import { MODEL } from './openai-models.ts';
import { parseBody } from './parse-body.ts';
import type { WireError, WireRequest, WireResponse, WireRoute } from './wire.ts';

/** The context window of every model, in tokens. */
export const CONTEXT_LENGTH = 131_072;

const VERSION = '0.32.9';
const SIZE = 4_000_000_000;
const SINCE = '2025-01-01T00:00:00Z';
/** Past every test: what is loaded stays loaded. */
const EXPIRY = '2099-01-01T00:00:00Z';

const DETAILS = {
  parent_model: '',
  format: 'gguf',
  family: 'mock',
  families: ['mock'],
  parameter_size: '8B',
  quantization_level: 'Q4_K_M',
};
const CAPABILITIES = ['completion', 'tools', 'thinking'];

/** The endpoints beside the chat. Requests may name any model, so there is none that does not exist. */
export const OLLAMA_ROUTES: readonly WireRoute[] = [
  { method: 'GET', path: '/', answer: () => plain('Ollama is running') },
  { method: 'GET', path: '/api/version', answer: () => ok({ version: VERSION }) },
  { method: 'GET', path: '/api/tags', answer: () => ok({ models: [describeModel({ capabilities: CAPABILITIES })] }) },
  {
    method: 'GET',
    path: '/api/ps',
    answer: () => {
      const loaded = { expires_at: EXPIRY, size_vram: SIZE, context_length: CONTEXT_LENGTH };
      return ok({ models: [describeModel(loaded)] });
    },
  },
  { method: 'POST', path: '/api/show', answer: showModel },
];

const ShowSchema = z.object({ model: z.string().nullish(), name: z.string().nullish() });

function showModel({ body }: WireRequest): WireResponse | WireError {
  const { model, name } = readShowRequest(body);
  if (!(model || name)) return badRequest('model is required');
  return ok({
    modelfile: `FROM ${model || name}\n`,
    parameters: '',
    template: '{{ .Prompt }}',
    details: DETAILS,
    model_info: {
      'general.architecture': 'mock',
      'general.parameter_count': 8_000_000_000,
      'mock.context_length': CONTEXT_LENGTH,
      'mock.embedding_length': 4096,
    },
    capabilities: CAPABILITIES,
    modified_at: SINCE,
  });
}

function readShowRequest(body: string): z.infer<typeof ShowSchema> {
  try {
    return ShowSchema.safeParse(parseBody(body)).data ?? {};
  } catch {
    return {};
  }
}

function describeModel(more: object): object {
  const name = `${MODEL}:latest`;
  return { name, model: name, modified_at: SINCE, size: SIZE, digest: digestOf(name), details: DETAILS, ...more };
}

function ok(body: object): WireResponse {
  return { status: 200, body };
}

function plain(body: string): WireResponse {
  return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body };
}
