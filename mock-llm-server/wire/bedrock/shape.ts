import { findFaults, type Misfit } from '../forms/find-faults.ts';
import { anything, choice, decimal, type Fields, type Form, fields, list, text } from '../forms/form.ts';

const NOT_EMPTY: Form = { type: 'string', min: 1 };
const TOOL_NAME: Form = { type: 'string', min: 1, max: 64, pattern: '[a-zA-Z0-9_-]+' };
const CALL_ID: Form = { type: 'string', min: 1, max: 64, pattern: '[a-zA-Z0-9_.:-]+' };
const METADATA = '[a-zA-Z0-9\\s:_@$#=/+,-.]';
const CACHE_POINT = fields({ 'type!': choice('default'), ttl: choice('5m', '1h') });
const IMAGE = fields({ 'format!': choice('png', 'jpeg', 'gif', 'webp'), 'source!': fields({}) });
const DOCUMENT = fields({
  format: choice('pdf', 'csv', 'doc', 'docx', 'xls', 'xlsx', 'html', 'txt', 'md'),
  'name!': { type: 'string', min: 1, max: 200 },
  'source!': fields({}),
});
const VIDEO = fields({
  'format!': choice('mkv', 'mov', 'mp4', 'webm', 'flv', 'mpeg', 'mpg', 'wmv', 'three_gp'),
  'source!': fields({}),
});
const MEDIA: Fields = { image: IMAGE, document: DOCUMENT, video: VIDEO };

/** The constraints of a request of Converse, as the model of the service states them (botocore 1.44.8, 2026-11). */
const CONVERSE_SHAPE: Form = fields({
  messages: list(
    fields({
      role: choice('user', 'assistant', 'system'),
      content: list(
        fields({
          ...MEDIA,
          toolUse: fields({
            'toolUseId!': CALL_ID,
            'name!': TOOL_NAME,
            'input!': anything,
            type: choice('server_tool_use'),
          }),
          toolResult: fields({
            'toolUseId!': CALL_ID,
            'content!': list(fields(MEDIA)),
            status: choice('success', 'error'),
          }),
          cachePoint: CACHE_POINT,
        }),
      ),
    }),
  ),
  system: list(fields({ text: NOT_EMPTY, cachePoint: CACHE_POINT })),
  inferenceConfig: fields({
    maxTokens: { type: 'integer', min: 1 },
    temperature: decimal(0, 1),
    topP: decimal(0, 1),
    stopSequences: list(NOT_EMPTY, undefined, { max: 2500 }),
  }),
  toolConfig: fields({
    'tools!': list(
      fields({
        toolSpec: fields({ 'name!': TOOL_NAME, description: NOT_EMPTY, 'inputSchema!': fields({}) }),
        systemTool: fields({ 'name!': TOOL_NAME }),
        cachePoint: CACHE_POINT,
      }),
      undefined,
      { min: 1 },
    ),
    toolChoice: fields({ tool: fields({ 'name!': TOOL_NAME }) }),
  }),
  guardrailConfig: fields({
    guardrailVersion: { type: 'string', pattern: '(|([1-9][0-9]{0,7})|(DRAFT))' },
    trace: choice('enabled', 'disabled', 'enabled_full'),
  }),
  additionalModelResponseFieldPaths: list({ type: 'string', min: 1, max: 256 }, undefined, { max: 10 }),
  requestMetadata: {
    type: 'map',
    of: { type: 'string', max: 256, pattern: `${METADATA}{0,256}` },
    min: 1,
    max: 16,
  },
  performanceConfig: fields({ latency: choice('standard', 'optimized') }),
  serviceTier: fields({ 'type!': choice('priority', 'default', 'flex', 'reserved') }),
  outputConfig: fields({
    textFormat: fields({
      'type!': choice('json_schema'),
      'structure!': fields({ jsonSchema: fields({ 'schema!': text }) }),
    }),
    effort: { type: 'string', max: 16 },
  }),
});

/** The message of the service about all constraints that a request violates; undefined if it violates none. */
export function describeConverseFaults(body: unknown): string | undefined {
  // The reader of the body reports values of other types, for which no words of the service are public.
  const faults = findFaults(body, CONVERSE_SHAPE).filter(({ kind }) => kind !== 'type');
  if (faults.length === 0) return undefined;
  const errors = faults.map((fault) => describe(fault)).join('; ');
  return `${faults.length} validation error${faults.length === 1 ? '' : 's'} detected: ${errors}`;
}

function describe(fault: Misfit): string {
  const path = fault.path.map((key) => (typeof key === 'number' ? `${key + 1}.member` : key)).join('.');
  const value = fault.kind === 'missing' ? 'Value null' : `Value '${valueText(fault.found)}'`;
  return `${value} at '${path}' failed to satisfy constraint: Member must ${ruleOf(fault)}`;
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(String).join(', ')}]`;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function ruleOf({ kind, shape }: Misfit): string {
  switch (kind) {
    case 'missing':
      return 'not be null';
    case 'pattern':
      return `satisfy regular expression pattern: ${'pattern' in shape ? shape.pattern : ''}`;
    case 'min':
    case 'max': {
      const { min, max } = { min: 0, max: 0, ...shape };
      const size = shape.type === 'integer' || shape.type === 'decimal' ? 'value' : 'length';
      return kind === 'min'
        ? `have ${size} greater than or equal to ${min}`
        : `have ${size} less than or equal to ${max}`;
    }
    default:
      return `satisfy enum value set: [${'values' in shape ? (shape.values ?? []).join(', ') : ''}]`;
  }
}
