import * as z from 'zod';

const tokens = {
  input_tokens: z.int().min(0),
  output_tokens: z.int().min(0),
  cache_read_input_tokens: z.int().min(0),
  cache_creation_input_tokens: z.int().min(0),
};
const system = <Subtype extends string, Shape extends z.ZodRawShape>(subtype: Subtype, shape: Shape) =>
  z.strictObject({ type: z.literal('system'), subtype: z.literal(subtype), ...shape });

/** Every line of `yume-json`, without any other field. */
export const yumeLine = z.union([
  system('init', {
    session_id: z.string().min(1),
    model: z.string().min(1),
    cwd: z.string().min(1),
    permissionMode: z.enum(['default', 'auto', 'deny', 'accept-edits', 'plan']),
    tools: z.array(z.string().min(1)),
  }),
  system('session_id', { session_id: z.string().min(1), previous_session_id: z.string().min(1) }),
  system('permission_mode', { permissionMode: z.string() }),
  system('api_retry', {
    attempt: z.int(),
    retry_delay_ms: z.number(),
    code: z.string(),
    message: z.string(),
  }),
  system('tool_progress', {
    id: z.string().min(1),
    name: z.string(),
    file_path: z.string().optional(),
    size: z.int(),
  }),
  system('warning', { code: z.string(), message: z.string() }),
  system('error', { code: z.string(), message: z.string().min(1) }),
  system('compact_boundary', {
    compact_metadata: z.strictObject({ trigger: z.literal('auto'), pre_tokens: z.int(), post_tokens: z.int() }),
  }),
  z.strictObject({ type: z.literal('text'), content: z.string().min(1).max(30_000) }),
  z.strictObject({
    type: z.literal('tool_use'),
    id: z.string().min(1),
    name: z.string().min(1),
    input: z.record(z.string(), z.json()),
  }),
  z.strictObject({
    type: z.literal('tool_result'),
    tool_use_id: z.string().min(1),
    content: z.string(),
    is_error: z.boolean(),
  }),
  z.strictObject({
    type: z.literal('approval_request'),
    id: z.string().min(1),
    name: z.string().min(1),
    input: z.record(z.string(), z.json()),
    reason: z.string().min(1),
  }),
  z.strictObject({ type: z.literal('usage'), ...tokens }),
  z.strictObject({ type: z.literal('interrupt') }),
  z.strictObject({
    type: z.literal('result'),
    subtype: z.enum(['success', 'cancelled', 'error_max_turns', 'error_during_execution']),
    is_error: z.boolean(),
    result: z.string(),
    errors: z.array(z.string()).optional(),
    session_id: z.string().min(1).optional(),
    num_turns: z.int().min(0),
    duration_ms: z.number().min(0),
    total_cost_usd: z.number().min(0).optional(),
    usage: z.strictObject(tokens).optional(),
  }),
  z.strictObject({ type: z.literal('error'), code: z.string(), message: z.string().min(1) }),
  z.strictObject({ type: z.literal('message_stop') }),
]);

/** One line of `yume-json`. */
export type YumeLine = z.infer<typeof yumeLine>;

/**
 * The problems of an output: lines that do not fit their schema, and an order that Yume cannot read. Yume stops reading a
 * turn at `error` and `message_stop`.
 */
export function yumeProblems(lines: readonly unknown[]): readonly string[] {
  const problems = lines.flatMap((line) => {
    const { error } = yumeLine.safeParse(line);
    return error === undefined ? [] : [`${JSON.stringify(line)}: ${z.prettifyError(error)}`];
  });
  const read = lines.flatMap((line) => yumeLine.safeParse(line).data ?? []);
  const turns: YumeLine[][] = [[]];
  for (const line of read) {
    turns.at(-1)?.push(line);
    if (line.type === 'message_stop') turns.push([]);
  }
  const order =
    /^(?:system |text |tool_use |tool_result |approval_request |usage )*(?:interrupt )?(?:system )*result (?:error )?message_stop $/;
  for (const turn of turns) {
    const kinds = turn.map(({ type }) => `${type} `).join('');
    const isIdle = turn.every(({ type }) => type === 'system');
    if (!isIdle && !order.test(kinds)) problems.push(`the order of a turn: ${kinds}`);
    for (const [index, line] of turn.entries()) {
      if (line.type !== 'tool_result') continue;
      const isKnown = turn.slice(0, index).some((use) => use.type === 'tool_use' && use.id === line.tool_use_id);
      if (!isKnown) problems.push(`a result without its tool_use: ${line.tool_use_id}`);
    }
  }
  return problems;
}
