import type { JsonObject } from '../../agent/ports/json.ts';
import { isJsonObject } from '../../text/json/json.ts';
import { headerParameters } from './connection/parameter-headers.ts';
import { type ReadPage, readPages } from './read-pages.ts';
import { cleanLine, cleanText } from './texts.ts';
import { readSchema } from './tool-schema.ts';

/** A tool as its server describes it, cleaned. */
export interface McpTool {
  /** The name that the server knows. */
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
  /** The server says that it only reads. */
  readonly readOnly?: true;
}

/** The tools of a server, sorted by name, and one line for each that is left out. */
export interface McpToolList {
  readonly tools: readonly McpTool[];
  readonly problems: readonly string[];
}

/** No tools, of a server that has none or does not know the question for them. */
export const NO_TOOLS: McpToolList = { tools: [], problems: [] };

const MAX_TOOLS = 1_000;
const MAX_NAME = 128;
const MAX_DESCRIPTION = 4_096;

/**
 * Reads the list of tools and skips malformed ones. `isModern`: the revision supports parameters as headers. Rejects if
 * the first page cannot be read.
 */
export async function readToolList(readPage: ReadPage, isModern: boolean): Promise<McpToolList> {
  const tools = new Map<string, McpTool>();
  const problems: string[] = [];
  const cut = await readPages(readPage, 'tools', isModern, (item) => {
    const tool = readTool(item, isModern);
    if (typeof tool === 'string') problems.push(tool);
    else if (tools.size < MAX_TOOLS && !tools.has(tool.name)) return tools.set(tool.name, tool).size > 0;
    return false;
  });
  if (tools.size === MAX_TOOLS) problems.push(`there may be more than ${MAX_TOOLS} tools; these are the first`);
  const sorted = [...tools.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
  return { tools: sorted, problems: [...problems, ...cut] };
}

/** A tool of the list, or the reason why it is left out. */
function readTool(item: unknown, isModern: boolean): McpTool | string {
  if (!isJsonObject(item) || typeof item['name'] !== 'string' || item['name'] === '')
    return 'a tool without a name is left out';
  const { name, description, title, annotations } = item;
  const shown = cleanLine(name, MAX_NAME);
  const leftOut = (reason: string): string => `the tool ${shown} is left out: ${reason}`;
  if (name.length > MAX_NAME || shown !== name) return leftOut('its name is too long or has invisible characters');
  const parameters = readSchema(item);
  if (typeof parameters === 'string') return leftOut(parameters);
  if (isModern && headerParameters(parameters) === undefined)
    return leftOut('its schema asks for a header that is not possible');
  const said = [title, description].find((text) => typeof text === 'string' && text.trim() !== '');
  const hint = isJsonObject(annotations) && annotations['readOnlyHint'] === true;
  const text = typeof description === 'string' && description.trim() !== '' ? description : said;
  return {
    ...{ name, parameters, description: typeof text === 'string' ? cleanText(text, MAX_DESCRIPTION) : '' },
    ...(hint && { readOnly: true as const }),
  };
}
