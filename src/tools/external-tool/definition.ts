import * as z from 'zod';
import { messageOf } from '../../agent/errors.ts';
import type { JsonObject, JsonValue } from '../../agent/ports/json.ts';
import { isJsonObject } from '../../text/json/json.ts';
import { DefinitionError, parametersSchema, requireShallow } from './parameters.ts';

/** The description of an external tool, from its entry in the configuration, its sidecar file or its `--schema`. */
export interface ExternalDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of type object. */
  readonly parameters: JsonObject;
  readonly timeoutSeconds: number;
  /** The place of the tool's JSON: standard input, its only argument, or both, if it is not too long for an argument. */
  readonly input: 'both' | 'stdin' | 'argument';
  /** The tool may use the network. Only the user's own entry can say so. */
  readonly network?: true;
}

/** One of `tools.external` in the configuration, in its own notation. */
export interface ExternalToolEntry {
  readonly name: string;
  /** Absolute, relative to the workspace, or with `~`. */
  readonly path: string;
  readonly description?: string | undefined;
  readonly parameters?: JsonObject | undefined;
  readonly timeout_seconds?: number | undefined;
  readonly input?: 'both' | 'stdin' | 'argument' | undefined;
  readonly network?: boolean | undefined;
  readonly enabled: boolean;
}

/** The time limit of a call in seconds, if the tool does not have its own. */
const DEFAULT_TIMEOUT_SECONDS = 30;

const fieldsSchema = z.object({
  name: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be 1 to 64 of a-z, 0-9 and _, and begin with a letter'),
  description: z.string().trim().min(1, 'is empty').max(4_096, 'has more than 4096 characters'),
  timeout_seconds: z.number().int().min(1).max(3_600).default(DEFAULT_TIMEOUT_SECONDS),
  input: z.enum(['both', 'stdin', 'argument']).default('both'),
});

/**
 * Reads the description of a tool, a JSON value of its author. `entry` replaces what it says, and `fallbackName` is the
 * name of a tool that states none. Throws `DefinitionError`.
 */
export function readDefinition(
  described: JsonValue,
  fallbackName: string,
  entry?: ExternalToolEntry,
): ExternalDefinition {
  if (!isJsonObject(described)) throw new DefinitionError('its description must be a JSON object');
  requireShallow(described);
  const parsed = fieldsSchema.safeParse({
    name: entry?.name ?? described['name'] ?? fallbackName,
    description: entry?.description ?? described['description'],
    timeout_seconds: entry?.timeout_seconds ?? described['timeout_seconds'],
    input: entry?.input ?? described['input'],
  });
  if (!parsed.success) throw new DefinitionError(describeIssue(parsed.error));
  const parameters = entry?.parameters ?? described['parameters'] ?? {};
  if (!isJsonObject(parameters)) throw new DefinitionError('its parameters must be a JSON object');
  const { name, description, timeout_seconds: timeoutSeconds, input } = parsed.data;
  const limits = entry?.network === true ? ({ network: true } as const) : {};
  return { name, description, parameters: parametersSchema(parameters), timeoutSeconds, input, ...limits };
}

/** Parses the text of a description. Throws `DefinitionError`. */
export function parseDescription(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new DefinitionError(`its description is not valid JSON: ${messageOf(error)}`);
  }
}

/** The name of the tool in a file: `web_search` for `web-search.sh`. */
export function nameFromFile(fileName: string): string {
  return fileName
    .replace(/\.[^.]*$/, '')
    .toLowerCase()
    .replaceAll('-', '_');
}

function describeIssue({ issues }: z.ZodError): string {
  const [issue] = issues;
  return `its ${issue?.path.join('.')} is not valid: ${issue?.message}`;
}
