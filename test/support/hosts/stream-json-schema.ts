import { z } from 'zod';

/** The lines of stream-json, as the types of the Claude Agent SDK 0.3 declare them. Unknown fields are errors. */

const ids = { session_id: z.uuid(), uuid: z.uuid() };
const usage = z.strictObject({
  input_tokens: z.int().nonnegative(),
  output_tokens: z.int().nonnegative(),
  cache_creation_input_tokens: z.int().nonnegative(),
  cache_read_input_tokens: z.int().nonnegative(),
});
const input = z.record(z.string(), z.unknown());
const block = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() }),
  z.strictObject({ type: z.literal('tool_use'), id: z.string().min(1), name: z.string().min(1), input }),
]);
const message = z.strictObject({
  id: z.string().startsWith('msg_'),
  type: z.literal('message'),
  role: z.literal('assistant'),
  model: z.string().min(1),
  content: z.array(block).max(1),
  stop_reason: z.null(),
  stop_sequence: z.null(),
  usage,
});
const image = z.strictObject({
  type: z.literal('image'),
  source: z.strictObject({ type: z.literal('base64'), media_type: z.string(), data: z.base64() }),
});
const text = z.strictObject({ type: z.literal('text'), text: z.string() });
const toolResult = z.strictObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string().min(1),
  content: z.union([z.string(), z.array(z.union([text, image]))]),
  is_error: z.literal(true).optional(),
});

const index = z.int().nonnegative();
const delta = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text_delta'), text: z.string() }),
  z.strictObject({ type: z.literal('thinking_delta'), thinking: z.string() }),
  z.strictObject({ type: z.literal('input_json_delta'), partial_json: z.string() }),
]);
const sse = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('message_start'), message }),
  z.strictObject({ type: z.literal('content_block_start'), index, content_block: block }),
  z.strictObject({ type: z.literal('content_block_delta'), index, delta }),
  z.strictObject({ type: z.literal('content_block_stop'), index }),
  z.strictObject({
    type: z.literal('message_delta'),
    delta: z.strictObject({ stop_reason: z.string().nullable(), stop_sequence: z.null() }),
    usage,
  }),
  z.strictObject({ type: z.literal('message_stop') }),
]);

const strings = z.array(z.string());
const mode = z.enum(['default', 'acceptEdits', 'bypassPermissions', 'plan', 'dontAsk', 'auto']);
const system = z.discriminatedUnion('subtype', [
  z.strictObject({
    type: z.literal('system'),
    subtype: z.literal('init'),
    cwd: z.string(),
    tools: strings,
    mcp_servers: z.array(z.strictObject({ name: z.string(), status: z.string() })),
    model: z.string(),
    permissionMode: mode,
    slash_commands: strings,
    apiKeySource: z.string(),
    claude_code_version: z.string(),
    output_style: z.string(),
    agents: strings,
    skills: strings,
    plugins: z.array(z.never()),
    ...ids,
  }),
  z.strictObject({
    type: z.literal('system'),
    subtype: z.literal('session_id'),
    previous_session_id: z.string().min(1),
    ...ids,
  }),
  z.strictObject({
    type: z.literal('system'),
    subtype: z.literal('status'),
    status: z.null(),
    permissionMode: mode,
    ...ids,
  }),
  z.strictObject({
    type: z.literal('system'),
    subtype: z.literal('api_retry'),
    attempt: z.int(),
    max_retries: z.int(),
    retry_delay_ms: z.number(),
    error_status: z.null(),
    error: z.string(),
    ...ids,
  }),
  z.strictObject({
    type: z.literal('system'),
    subtype: z.literal('compact_boundary'),
    compact_metadata: z.strictObject({
      trigger: z.enum(['manual', 'auto']),
      pre_tokens: z.int(),
      post_tokens: z.int(),
    }),
    ...ids,
  }),
]);

const count = z.number().nonnegative();
const resultFields = {
  type: z.literal('result'),
  duration_ms: count,
  duration_api_ms: count,
  num_turns: count,
  stop_reason: z.string().nullable(),
  total_cost_usd: count,
  usage,
  modelUsage: z.record(
    z.string(),
    z.strictObject({
      inputTokens: count,
      outputTokens: count,
      cacheReadInputTokens: count,
      cacheCreationInputTokens: count,
      webSearchRequests: count,
      costUSD: count,
      contextWindow: count,
      maxOutputTokens: count,
    }),
  ),
  permission_denials: z.array(z.strictObject({ tool_name: z.string(), tool_use_id: z.string(), tool_input: input })),
  terminal_reason: z.string().optional(),
  structured_output: z.unknown().optional(),
  ...ids,
};
const result = z.discriminatedUnion('subtype', [
  z.strictObject({ subtype: z.literal('success'), is_error: z.boolean(), result: z.string(), ...resultFields }),
  ...(['error_during_execution', 'error_max_turns', 'error_max_budget_usd'] as const).map((subtype) =>
    z.strictObject({
      subtype: z.literal(subtype),
      is_error: z.literal(true),
      errors: z.array(z.string()).min(1),
      ...resultFields,
      // A message may be refused before there is a session.
      session_id: z.union([ids.session_id, z.literal('')]),
    }),
  ),
]);

const parent = { parent_tool_use_id: z.null() };
const controlResponse = z.strictObject({
  type: z.literal('control_response'),
  response: z.discriminatedUnion('subtype', [
    z.strictObject({ subtype: z.literal('success'), request_id: z.string(), response: input }),
    z.strictObject({ subtype: z.literal('error'), request_id: z.string(), error: z.string().min(1) }),
  ]),
});
const controlRequest = z.strictObject({
  type: z.literal('control_request'),
  request_id: z.string().min(1),
  request: z.discriminatedUnion('subtype', [
    z.strictObject({
      subtype: z.literal('can_use_tool'),
      tool_name: z.string(),
      input,
      tool_use_id: z.string(),
      permission_suggestions: z.array(
        z.strictObject({
          type: z.literal('addRules'),
          rules: z.array(z.strictObject({ toolName: z.string(), ruleContent: z.string().optional() })),
          behavior: z.literal('allow'),
          destination: z.literal('session'),
        }),
      ),
      decision_reason: z.string(),
      description: z.string(),
    }),
    z.strictObject({
      subtype: z.literal('hook_callback'),
      callback_id: z.string(),
      input,
      tool_use_id: z.string().optional(),
    }),
    z.strictObject({ subtype: z.literal('mcp_message'), server_name: z.string(), message: input }),
  ]),
});

/** One line that ybs prints with `--output-format stream-json`. */
export const StreamJsonLineSchema = z.union([
  system,
  result,
  z.strictObject({
    type: z.literal('assistant'),
    message,
    aborted: z.literal(true).optional(),
    ...parent,
    ...ids,
  }),
  z.strictObject({
    type: z.literal('user'),
    message: z.strictObject({ role: z.literal('user'), content: z.array(z.union([toolResult, text])) }),
    ...parent,
    ...ids,
  }),
  z.strictObject({ type: z.literal('stream_event'), event: sse, ...parent, ...ids }),
  controlResponse,
  controlRequest,
  z.strictObject({ type: z.literal('control_cancel_request'), request_id: z.string() }),
]);
