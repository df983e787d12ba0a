import { UsageError } from '../../agent/errors.ts';
import { isUsableName, lineOf, readMarkdown } from './frontmatter.ts';

/** An agent: instructions for the model that the user chooses by name. It never has more rights than the session. */
export interface AgentDefinition {
  readonly name: string;
  readonly description?: string | undefined;
  /** The names of the only tools that it uses. Absent: all. */
  readonly tools?: readonly string[] | undefined;
  /** A profile of the configuration or a model of the current provider. Absent: the model of the session stays. */
  readonly model?: string | undefined;
  /** Added to the system prompt. */
  readonly prompt: string;
  /** The file, for people. */
  readonly path: string;
}

/** Reads the file of an agent; `name` is that of the file. Throws `UsageError` if it cannot be used. */
export function readAgent(name: string, path: string, text: string): AgentDefinition {
  const { fields, body } = readMarkdown(text);
  const own = fields['name'] ?? name;
  if (typeof own !== 'string' || !isUsableName(own)) {
    throw new UsageError('its name may have letters, digits, ".", "_" and "-" only');
  }
  if (body === '') throw new UsageError('it has no text for the model');
  const model = lineOf(fields['model']);
  return {
    name: own,
    description: lineOf(fields['description']),
    tools: toolNames(fields['tools']),
    model: model === 'inherit' ? undefined : model,
    prompt: body,
    path,
  };
}

/** The tools in a list, or separated by commas; `undefined` without the field. */
function toolNames(value: unknown): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined;
  const names = typeof value === 'string' ? value.split(',') : value;
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string')) {
    throw new UsageError('its tools are neither a list nor names with commas between them');
  }
  return names.map((name) => name.trim()).filter((name) => name !== '');
}
