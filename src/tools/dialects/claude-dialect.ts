import type { JsonObject, JsonValue } from '../../agent/ports/json.ts';
import type { Tool, ToolDefinition, ToolSet } from '../../agent/ports/tool.ts';
import type { PathPlatform } from '../../policy/paths/path-policy.ts';
import { isJsonObject } from '../../text/json/json.ts';
import { suggest } from '../../text/suggest.ts';
import { rephraseToolError } from '../define-tool.ts';
import { TOOL_DEFINITIONS } from '../definitions.data.ts';
import { coerceArguments } from '../read-arguments.ts';
import { canonicalArguments } from './aliases.ts';
import { CLAUDE_TOOLS, type DialectTool } from './claude-tools.ts';
import { hostPath } from './host-path.ts';

/**
 * The same tools under the names and with the parameters of Claude Code. Only what the model reads and sends is in these
 * names: a tool that `find` returns has our definition, so permissions, rules and logs do not depend on the dialect.
 */
export function inClaudeDialect(tools: ToolSet, platform: PathPlatform): ToolSet {
  const own = new Map(tools.definitions.map((definition) => [definition.name, definition]));
  const rows = CLAUDE_TOOLS.filter(({ name, tool }) => own.has(tool) && !own.has(name));
  const byName = new Map(rows.map((row) => [row.name.toLowerCase(), row]));
  const inOurNames = new Set(rows.map(({ tool }) => tool));
  const definitionOf = (row: DialectTool): readonly ToolDefinition[] => {
    const definition = own.get(row.tool);
    return definition === undefined ? [] : [describe(row, definition, rows)];
  };
  return {
    definitions: [...rows.flatMap(definitionOf), ...tools.definitions.filter(({ name }) => !inOurNames.has(name))],
    find(name) {
      const row = own.has(name) ? undefined : byName.get(name.toLowerCase());
      const tool = tools.find(row?.tool ?? name);
      const isKnown = rows.some((other) => other.tool === tool?.definition.name);
      return tool !== undefined && isKnown ? translateTool(tool, row, rows, platform) : tool;
    },
    nearest(name) {
      const [nearest] = suggest(
        name,
        rows.map((row) => row.name),
      );
      const found = tools.nearest(name);
      return nearest ?? rows.find(({ tool }) => tool === found)?.name ?? found;
    },
  };
}

/** The description of a tool in the dialect. One that the user has written replaces that of the dialect. */
function describe(row: DialectTool, own: ToolDefinition, rows: readonly DialectTool[]): ToolDefinition {
  const isOwnText = Object.values(TOOL_DEFINITIONS).some(({ description }) => description === own.description);
  const text = isOwnText && row.description !== undefined ? row.description : own.description;
  const description = renameWords(text, row.tool, rows);
  const { parameters: names } = row;
  if (names === undefined) return { ...own, name: row.name, description };
  const { properties, required } = own.parameters;
  const described = isJsonObject(properties) ? properties : {};
  const needed = Array.isArray(required) ? required : [];
  const parameters: [string, JsonValue][] = Object.entries(names).map(([name, part]) => [
    name,
    typeof part === 'string' ? (described[part] ?? {}) : part,
  ]);
  const must = Object.entries(names).flatMap(([name, part]) =>
    (typeof part === 'string' ? needed.includes(part) : row.required?.includes(name)) ? [name] : [],
  );
  const schema: JsonObject = {
    type: 'object',
    properties: Object.fromEntries(parameters),
    ...(must.length > 0 && { required: must }),
  };
  return { ...own, name: row.name, description, parameters: schema };
}

/**
 * The tool, with errors in the words of the dialect. `called` is the row of the name in the call; without one, the
 * arguments are those of our tool.
 */
function translateTool(
  tool: Tool,
  called: DialectTool | undefined,
  rows: readonly DialectTool[],
  platform: PathPlatform,
): Tool {
  const rename = (message: string): string => renameWords(message, tool.definition.name, rows);
  return {
    definition: tool.definition,
    ...(tool.withCommand !== undefined && {
      // The arguments are converted later, by `plan`.
      withCommand: (args: unknown, command: string) => ({ ...(isJsonObject(args) && args), command }),
    }),
    async plan(args, context) {
      try {
        const { effect, run } = await tool.plan(ourArguments(args, tool.definition.name, called, platform), context);
        return {
          effect,
          async *run(limits) {
            try {
              return yield* run(limits);
            } catch (error) {
              throw rephraseToolError(error, rename);
            }
          },
        };
      } catch (error) {
        throw rephraseToolError(error, rename);
      }
    },
  };
}

function ourArguments(args: unknown, toolName: string, row: DialectTool | undefined, platform: PathPlatform): unknown {
  if (!isJsonObject(args) || !Object.hasOwn(TOOL_DEFINITIONS, toolName)) return args;
  const named = canonicalArguments(toolName, args);
  if (!isJsonObject(named)) return named;
  const { path } = named;
  const placed = typeof path === 'string' ? { ...named, path: hostPath(path, platform) } : named;
  if (row?.convert === undefined) return placed;
  // Lists that came as text must be lists for the conversion.
  const properties = Object.fromEntries(Object.entries(row.parameters ?? {}).filter(([, part]) => isJsonObject(part)));
  const read = coerceArguments(placed, { properties });
  return isJsonObject(read) ? row.convert(read) : read;
}

/** A line of a file in a message, with its number. Files may also contain these words. */
const QUOTED_LINE = /^\d+\t/;

/** A name with `_` in it that is not part of a path. A full stop may end the sentence. */
const WORD = /(?<![\w./\\-])[a-z]+_[a-z_]+(?![\w/\\-]|\.\w)/g;

/** The parameter at the start of a place in arguments, which need not have `_` in its name. */
const PLACE = /(?<=^ {2}→ at )\w+/;

/**
 * A text of ours for the model about our tool `tool`, with the names of the dialect: those of the tools, and of the
 * parameters of this one. Quoted lines, and words that are part of a path, stay as they are.
 */
function renameWords(text: string, tool: string, rows: readonly DialectTool[]): string {
  const names = new Map<string, string>();
  for (const row of rows) {
    if (!names.has(row.tool)) names.set(row.tool, row.name);
    if (row.tool !== tool) continue;
    for (const [name, own] of Object.entries(row.parameters ?? {})) {
      if (typeof own === 'string') names.set(own, name);
    }
  }
  const rename = (line: string): string =>
    line.replace(PLACE, (word) => names.get(word) ?? word).replace(WORD, (word) => names.get(word) ?? word);
  return text
    .split('\n')
    .map((line) => (QUOTED_LINE.test(line) ? line : rename(line)))
    .join('\n');
}
