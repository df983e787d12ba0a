import { secondOf } from '../../conversation/ids.ts';
import type { UnpairedResults } from '../../matching/pair-results.ts';
import { badRequest } from '../body.ts';
import { modelRoutes } from '../model-routes.ts';
import { describeUnpaired } from '../pairing.ts';
import type { Wire, WireError, WireRequest, WireRoute } from '../wire.ts';
import { anthropicStatusError, describeMissing, encodeAnthropicError } from './errors.ts';

/** The paths below which services have the API: Anthropic itself, and those that have other APIs beside it. */
const BASES = ['/v1', '/anthropic/v1'];
/** Those below which there are messages only: some clients append no version to their base URL. */
const MESSAGE_BASES = [
  ...BASES,
  '',
  '/api/v1',
  '/api/anthropic/v1',
  '/coding/v1',
  '/apps/anthropic/v1',
  '/inference/v1',
];

/** The models of Anthropic at Vertex AI. */
const VERTEX = '/v1/projects/:project/locations/:location/publishers/anthropic/models';

/** The Messages API of Anthropic, with its routes for counting tokens and for models. */
export const anthropicMessages: Wire = {
  protocol: 'anthropic-messages',
  paths: [
    ...MESSAGE_BASES.map((base) => `${base}/messages`),
    `${VERTEX}/:model{.+:rawPredict}`,
    `${VERTEX}/:model{.+:streamRawPredict}`,
  ],
  routes: [
    {
      method: 'POST',
      path: `${VERTEX}/count-tokens:rawPredict`,
      answer: async (request, lint) => (await loadReader()).countAnthropic(request, lint),
    },
    ...MESSAGE_BASES.map(
      (base): WireRoute => ({
        method: 'POST',
        path: `${base}/messages/count_tokens`,
        answer: async (request, lint) => (await loadReader()).countAnthropic(request, lint),
      }),
    ),
    ...BASES.flatMap((base) => modelRoutes(base, encodeModel, listModels, isOurs)),
    // Clients test the connection with these.
    { method: 'HEAD', path: '/', answer: () => ({ status: 200, body: undefined }) },
    { method: 'HEAD', path: '/api/hello', answer: () => ({ status: 200, body: undefined }) },
  ],
  callIdPrefix: 'toolu_',
  requestIdPrefix: 'req_',
  headers: encodeHeaders,
  limitHeaders: encodeLimitHeaders,
  streamType: 'text/event-stream; charset=utf-8',
  owns: (path) =>
    /\/publishers\/anthropic\/|\/messages(?:\/count_tokens)?$|\/v1\/messages\/|^\/anthropic\/|^\/api\/hello$/.test(
      path,
    ),
  recognizes: (headers) => headers['anthropic-version'] !== undefined,
  read: async (request) => (await loadReader()).readAnthropic(request),
  encodeError: encodeAnthropicError,
  statusError: anthropicStatusError,
  pairing: 'right_after',
  unpaired,
};

/** Loads the reader, which needs zod, with the first request. */
function loadReader() {
  return import('./reader.ts');
}

function unpaired(results: UnpairedResults): WireError {
  const { index } = results;
  const sentences = describeUnpaired(results, {
    missing: (ids) => describeMissing(index, ids),
    orphans: (ids) =>
      `messages.${index}.content.0: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${ids}. ` +
      'Each `tool_result` block must have a corresponding `tool_use` block in the previous message.',
  });
  return badRequest(sentences.join(' '), `messages.${index}`);
}

/** Three protocols have models at this path; the header identifies this one. */
function isOurs({ path, headers }: WireRequest): boolean {
  return path.startsWith('/anthropic/') || headers['anthropic-version'] !== undefined;
}

const LIMITS = { requests: 4000, tokens: 2_400_000, 'input-tokens': 2_000_000, 'output-tokens': 400_000 };
/** Rate limits that are never reached. */
const LIMIT_HEADERS = Object.fromEntries(
  Object.entries(LIMITS).flatMap(([name, limit]) => [
    [`anthropic-ratelimit-${name}-limit`, String(limit)],
    [`anthropic-ratelimit-${name}-remaining`, String(limit)],
  ]),
);

function encodeHeaders(digest: string, requestId: string): Record<string, string> {
  const reset = `${new Date(secondOf(digest) * 1000).toISOString().slice(0, -'.000Z'.length)}Z`;
  return {
    'anthropic-organization-id': '00000000-0000-4000-8000-000000000000',
    ...LIMIT_HEADERS,
    'anthropic-ratelimit-requests-reset': reset,
    'anthropic-ratelimit-tokens-reset': reset,
    'anthropic-ratelimit-input-tokens-reset': reset,
    'anthropic-ratelimit-output-tokens-reset': reset,
    'request-id': requestId,
  };
}

const MINUTE = 60_000;

/**
 * The headers of a reached limit. The time of the reset is the start of the minute after a retry makes sense, so that
 * equal requests within a minute get equal headers.
 */
function encodeLimitHeaders(retryAfter: number, now: number): Record<string, string> {
  const minutes = Math.floor((now + retryAfter * 1000) / MINUTE) + 1;
  const reset = formatTime(minutes * MINUTE);
  return Object.fromEntries(
    Object.keys(LIMITS).flatMap((name) => [
      [`anthropic-ratelimit-${name}-remaining`, '0'],
      [`anthropic-ratelimit-${name}-reset`, reset],
    ]),
  );
}

function formatTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('.000Z', 'Z');
}

const YES = { supported: true };
const NO = { supported: false };

/** Capabilities of every model: everything that scenarios can answer. */
const CAPABILITIES = {
  batch: NO,
  citations: NO,
  code_execution: NO,
  context_management: {
    supported: false,
    clear_thinking_20251015: null,
    clear_tool_uses_20250919: null,
    compact_20260112: null,
  },
  effort: { supported: true, low: YES, medium: YES, high: YES, xhigh: YES, max: YES },
  image_input: YES,
  pdf_input: YES,
  server_tools: { supported: false, code_execution: NO, web_search: NO },
  structured_outputs: YES,
  thinking: { supported: true, types: { adaptive: YES, between_tools: YES, disabled: YES, enabled: YES } },
};

function listModels(data: readonly object[], ids: readonly string[]): object {
  return { data, has_more: false, first_id: ids[0], last_id: ids.at(-1) };
}

/** A model with all fields that the official client declares. */
function encodeModel(id: string) {
  return {
    type: 'model',
    id,
    display_name: id,
    created_at: '2025-01-01T00:00:00Z',
    capabilities: CAPABILITIES,
    deprecated_at: null,
    lifecycle: 'active',
    line: null,
    max_input_tokens: 200_000,
    max_tokens: 64_000,
    retires_at: null,
  };
}
