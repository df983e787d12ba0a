import * as z from 'zod';

const NodeSchema = z.object({
  description: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  minimum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  maximum: z.number().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
});
type SchemaNode = z.infer<typeof NodeSchema>;

interface Field {
  readonly path: string;
  readonly values: string;
  readonly required: string;
  readonly meaning: string | undefined;
}

/** The rows of a Markdown table of the fields in a JSON Schema. Fields with the same path and meaning share a row. */
export function fieldRows(schema: unknown): string[] {
  const merged = new Map<string, Field[]>();
  for (const field of fieldsOf(schema, '')) {
    const { path, required, meaning } = field;
    const key = `${path} ${required} ${meaning}`;
    merged.set(key, [...(merged.get(key) ?? []), field]);
  }
  return [...merged.values()].map((same) => {
    const values = [...new Set(same.map((field) => field.values))].join(', ');
    const [{ path, required, meaning } = {}] = same;
    return `| \`${path}\` | ${values} | ${required} | ${meaning} |`;
  });
}

function fieldsOf(schema: unknown, path: string): Field[] {
  const { properties = {}, required = [], items, anyOf = [], oneOf = [] } = NodeSchema.parse(schema);
  const own = Object.entries(properties).flatMap(([name, field]) => {
    const full = path === '' ? name : `${path}.${name}`;
    const meaning = NodeSchema.parse(field).description;
    const row = { path: full, values: valuesOf(field), required: required.includes(name) ? 'yes' : '', meaning };
    return [row, ...fieldsOf(field, full)];
  });
  const inner = items === undefined ? [] : fieldsOf(items, `${path}[]`);
  return [...own, ...inner, ...[...anyOf, ...oneOf].flatMap((member) => fieldsOf(member, path))];
}

/** The possible values of a field in words. */
function valuesOf(schema: unknown): string {
  const node = NodeSchema.parse(schema);
  const members = [...(node.anyOf ?? []), ...(node.oneOf ?? [])];
  if (members.length > 0) return [...new Set(members.map(valuesOf))].join(' or ');
  if (node.enum !== undefined) return node.enum.map(literal).join(', ');
  if (node.const !== undefined) return literal(node.const);
  return [node.type]
    .flat()
    .map((type) => wordsOf(type, node))
    .join(' or ');
}

function wordsOf(type: string | undefined, node: SchemaNode): string {
  switch (type) {
    case 'array':
      return `list: ${valuesOf(node.items)}`;
    case 'string':
      return 'string';
    case 'integer':
      return `integer${rangeOf(node)}`;
    case 'number':
      return `number${rangeOf(node)}`;
    case 'boolean':
      return '`true`, `false`';
    case 'null':
      return '`null`';
    case 'object':
      return 'object';
    case undefined:
      return 'any JSON';
    default:
      throw new Error(`the table cannot describe the type ${type}`);
  }
}

/** The range in words. For an integer without a maximum, zod writes the largest safe integer. */
function rangeOf({ minimum, exclusiveMinimum, maximum }: SchemaNode): string {
  const from = exclusiveMinimum === undefined ? `, ${minimum} or more` : `, more than ${exclusiveMinimum}`;
  return maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? from : `${from}, at most ${maximum}`;
}

const literal = (value: unknown): string => `\`${String(value)}\``;
