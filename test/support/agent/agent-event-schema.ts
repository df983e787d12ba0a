import * as z from 'zod';

const Offered = {
  sandbox: z.looseObject({ type: z.enum(['on', 'off']) }).optional(),
  offers: z.looseObject({ type: z.string() }).optional(),
  offersDirectory: z.looseObject({ type: z.string() }).optional(),
};
const Permission = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('allow'), rule: z.string(), decidedBy: z.string() }),
  z.strictObject({ type: z.literal('deny'), rule: z.string(), decidedBy: z.string(), reason: z.string() }),
  z.strictObject({
    type: z.literal('ask'),
    rule: z.string(),
    decidedBy: z.string(),
    reason: z.string(),
    ...Offered,
  }),
]);
const Call = z.strictObject({ id: z.string(), name: z.string(), arguments: z.string() });
const Effect = z.looseObject({ summary: z.string(), paths: z.array(z.looseObject({ realPath: z.string() })) });
const question = {
  callId: z.string(),
  toolName: z.string(),
  effect: Effect,
  reason: z.string(),
  ...Offered,
  digest: z.hash('sha256'),
  editable: z.literal(true).optional(),
};
const Request = z.strictObject({ ...question, pending: z.array(z.strictObject(question)).optional() });
const Decision = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('once'), all: z.literal(true).optional(), mode: z.string().optional() }),
  z.strictObject({
    type: z.literal('change'),
    arguments: z.record(z.string(), z.json()),
    shown: z.string().optional(),
  }),
  z.strictObject({ type: z.literal('session'), scope: z.literal('directory').optional() }),
  z.strictObject({ type: z.literal('edit'), command: z.string(), shown: z.string().optional() }),
  z.strictObject({ type: z.literal('deny'), feedback: z.string().optional() }),
  z.strictObject({ type: z.literal('unavailable'), afterSeconds: z.number().optional() }),
]);
const Count = z.int().min(0);
const Model = z.strictObject({ provider: z.string().min(1), wire: z.string().min(1), model: z.string().min(1) });
const Image = z.strictObject({ mediaType: z.string().startsWith('image/'), data: z.base64() });
const State = z.strictObject({ model: z.string(), items: z.array(z.json()) });

const Exit = z.strictObject({ cause: z.string(), exitCode: z.int().optional(), signal: z.string().optional() });
const CommandRun = z.strictObject({ command: z.string(), exit: Exit.optional() });

/** One line of `--output-format json`, in its documented format. */
export const AgentEventSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('session_start'),
    sessionId: z.string().min(1),
    time: z.iso.datetime(),
    model: z.string(),
    workspace: z.string(),
    permissionMode: z.string(),
    sandbox: Offered.sandbox,
  }),
  z.strictObject({
    type: z.literal('user_message'),
    text: z.string(),
    images: z.array(z.strictObject({ mediaType: z.string(), data: z.string() })).optional(),
    reminder: z.literal(true).optional(),
    file: z.string().optional(),
    steered: z.literal(true).optional(),
  }),
  z.strictObject({
    type: z.literal('user_action'),
    action: z.enum(['/permissions', '/approvals', '/undo', '!command']),
    detail: z.string(),
    blockedBy: z.string().optional(),
    sandbox: z.enum(['on', 'off']).optional(),
  }),
  z.strictObject({ type: z.literal('permission_mode'), mode: z.string() }),
  z.strictObject({ type: z.literal('answer'), value: z.unknown() }),
  z.strictObject({ type: z.literal('plan'), callId: z.string(), text: z.string() }),
  z.strictObject({ type: z.literal('turn_start'), turn: Count, model: Model }),
  z.strictObject({ type: z.literal('text_delta'), text: z.string() }),
  z.strictObject({ type: z.literal('reasoning_delta'), text: z.string() }),
  z.strictObject({
    type: z.literal('assistant_message'),
    message: z.strictObject({
      role: z.literal('assistant'),
      content: z.string(),
      toolCalls: z.array(Call),
      reasoning: z.string().optional(),
      partial: z.literal(true).optional(),
      providerState: State.optional(),
    }),
    finish: z.enum([
      'stop',
      'tool_calls',
      'length',
      'window',
      'paused',
      'content_filter',
      'unknown',
      'aborted',
      'failed',
    ]),
  }),
  z.strictObject({
    type: z.literal('tool_call'),
    call: Call,
    effect: Effect.optional(),
    permission: Permission.optional(),
  }),
  z.strictObject({ type: z.literal('approval_request'), request: Request }),
  z.strictObject({
    type: z.literal('approval_decision'),
    callId: z.string(),
    decision: Decision,
    added: z.looseObject({ type: z.string() }).optional(),
  }),
  z.strictObject({
    type: z.literal('tool_call_delta'),
    callId: z.string().optional(),
    name: z.string().optional(),
    text: z.string(),
    written: z
      .strictObject({
        effect: z.enum(['read', 'write', 'execute']).optional(),
        name: z.string().optional(),
        path: z.string().optional(),
        size: Count,
        tail: z.string(),
      })
      .optional(),
  }),
  z.strictObject({
    type: z.literal('tool_output'),
    callId: z.string(),
    stream: z.enum(['stdout', 'stderr']),
    text: z.string(),
  }),
  z.strictObject({
    type: z.literal('tool_result'),
    callId: z.string(),
    toolName: z.string(),
    outcome: z.enum(['ok', 'failed', 'denied', 'not_run', 'interrupted']),
    content: z.string(),
    code: z.string().optional(),
    exit: Exit.optional(),
    images: z.array(Image).optional(),
    files: z.array(z.strictObject({ realPath: z.string(), digest: z.hash('sha256') })).optional(),
    summary: z.string(),
    durationMs: z.number().min(0),
  }),
  z.strictObject({
    type: z.literal('tasks'),
    tasks: z.array(
      z.strictObject({
        id: z.string().optional(),
        content: z.string(),
        status: z.enum(['pending', 'in_progress', 'completed']),
        activeForm: z.string().optional(),
      }),
    ),
  }),
  z.strictObject({
    type: z.literal('decision'),
    callId: z.string(),
    verdict: z.enum(['allow', 'deny']),
    rule: z.string(),
    decidedBy: z.string(),
    by: z.enum(['rule', 'mode', 'user', 'host']),
    digest: z.hash('sha256'),
    sandbox: z.enum(['on', 'off']),
  }),
  z.strictObject({
    type: z.literal('checkpoint'),
    number: z.int().min(1),
    callId: z.string(),
    files: z.array(z.strictObject({ realPath: z.string(), problem: z.string().optional() })),
  }),
  z.strictObject({
    type: z.literal('receipt'),
    files: z.array(
      z.strictObject({
        realPath: z.string(),
        change: z.enum(['created', 'changed', 'deleted', 'unknown']),
        added: Count.optional(),
        removed: Count.optional(),
      }),
    ),
    commands: z.array(CommandRun),
    tests: CommandRun.extend({ hidden: z.literal(true).optional(), followedBy: z.string().optional() }).optional(),
  }),
  z.strictObject({
    type: z.literal('commit'),
    hash: z.string(),
    subject: z.string(),
    files: z.array(z.string()),
  }),
  z.strictObject({
    type: z.literal('usage'),
    model: Model,
    purpose: z.literal('summary').optional(),
    inputTokens: Count,
    outputTokens: Count,
    cachedTokens: Count.optional(),
  }),
  z.strictObject({
    type: z.literal('retry'),
    attempt: Count,
    delayMs: z.number().min(0),
    code: z.string(),
    message: z.string(),
  }),
  z.strictObject({ type: z.literal('warning'), code: z.string(), message: z.string() }),
  z.strictObject({
    type: z.literal('compaction'),
    tokensBefore: Count,
    tokensAfter: Count,
    messages: z.array(z.looseObject({ role: z.enum(['user', 'assistant', 'tool']), content: z.string() })),
  }),
  z.strictObject({ type: z.literal('turn_end'), turn: Count }),
  z.strictObject({
    type: z.literal('run_end'),
    outcome: z.enum(['done', 'aborted', 'limit', 'stuck', 'denied', 'failed']),
    message: z.string(),
    error: z.strictObject({ code: z.string(), message: z.string() }).optional(),
  }),
]);

/** A parsed line of the JSON output. */
export type ParsedEvent = z.infer<typeof AgentEventSchema>;

/** Parses every line of a JSON output as an event; throws at the first line that is not an event. */
export function parseEvents(output: string): readonly ParsedEvent[] {
  if (!output.endsWith('\n')) throw new Error(`the last line is incomplete: ${JSON.stringify(output.slice(-80))}`);
  return output
    .slice(0, -1)
    .split('\n')
    .map((line) => AgentEventSchema.parse(JSON.parse(line)));
}
