import { ToolError } from '../../agent/errors.ts';
import type { JsonObject } from '../../agent/ports/json.ts';
import { isJsonObject } from '../../text/json/json.ts';
import { headerParameters } from './connection/parameter-headers.ts';
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

/** A prompt as its server describes it, cleaned. */
export interface McpPrompt {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly required: boolean }[];
}

/** No tools, of a server that has none or does not know the question for them. */
const NO_TOOLS: McpToolList = { tools: [], problems: [] };

const MAX_PAGES = 100;
const MAX_TOOLS = 1_000;
const MAX_PROMPTS = 200;
const MAX_RESOURCES = 1_000;
const MAX_NAME = 128;
const MAX_DESCRIPTION = 4_096;
const MAX_LINE = 200;

/** Sends a request to a server, and resolves to its result. */
type Ask = (method: string, params: JsonObject) => Promise<unknown>;

/**
 * Reads a list page by page, as long as `add` finds something new in a page. `isModern`: the revision knows "" as a
 * cursor. Resolves to one line for each page that cannot be read; rejects if that is the first.
 */
async function readPages(
  ask: Ask,
  method: string,
  key: string,
  isModern: boolean,
  add: (item: unknown) => boolean,
): Promise<readonly string[]> {
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    let read: unknown;
    try {
      read = await ask(method, cursor === undefined ? {} : { cursor });
    } catch (error) {
      if (page === 0) throw error;
      return [`page ${page + 1} of the ${key} cannot be read; those before it are kept`];
    }
    const given: JsonObject = isJsonObject(read) ? read : {};
    const listed = Array.isArray(given[key]) ? given[key] : [];
    if (page === 0 && isJsonObject(given[key])) return [`the list of ${key} is not a list, so it cannot be read`];
    const isNew = listed.map(add).includes(true);
    const next = given['nextCursor'];
    if (typeof next !== 'string' || (next === '' && !isModern) || cursors.has(next) || !isNew) break;
    cursors.add(next);
    cursor = next;
  }
  return [];
}

/** Sorts by name, so that the order of a server changes no request. */
function byName<Item extends { readonly name: string }>(items: Iterable<Item>): readonly Item[] {
  return [...items].sort((left, right) => (left.name < right.name ? -1 : 1));
}

/**
 * Reads the list of tools and skips malformed ones. `isModern`: the revision supports parameters as headers. Rejects if
 * the first page cannot be read.
 */
export async function readToolList(ask: Ask, isModern: boolean): Promise<McpToolList> {
  const tools = new Map<string, McpTool>();
  const problems: string[] = [];
  const cut = await readPages(ask, 'tools/list', 'tools', isModern, (item) => {
    const tool = readTool(item, isModern);
    if (typeof tool === 'string') {
      problems.push(tool);
      return false;
    }
    if (tools.size === MAX_TOOLS || tools.has(tool.name)) return false;
    tools.set(tool.name, tool);
    return true;
  });
  if (tools.size === MAX_TOOLS) problems.push(`there may be more than ${MAX_TOOLS} tools; these are the first`);
  return { tools: byName(tools.values()), problems: [...problems, ...cut] };
}

/** A tool of the list, or the reason why it is left out. */
function readTool(listed: unknown, isModern: boolean): McpTool | string {
  // Some servers list them in the form of OpenAI.
  const item = isJsonObject(listed) && isJsonObject(listed['function']) ? listed['function'] : listed;
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
  const { title: shownTitle, readOnlyHint }: JsonObject = isJsonObject(annotations) ? annotations : {};
  const text = [description, title, shownTitle].find((each) => typeof each === 'string' && each.trim() !== '');
  return {
    ...{ name, parameters, description: typeof text === 'string' ? cleanText(text, MAX_DESCRIPTION) : '' },
    ...(readOnlyHint === true && { readOnly: true as const }),
  };
}

/** Reads the list of prompts. A malformed one is left out. */
async function readPromptList(ask: Ask, isModern: boolean): Promise<readonly McpPrompt[]> {
  const prompts = new Map<string, McpPrompt>();
  await readPages(ask, 'prompts/list', 'prompts', isModern, (item) => {
    if (!isJsonObject(item) || typeof item['name'] !== 'string') return false;
    const { name, title = '', description = title, arguments: given } = item;
    if (name === '' || name.length > MAX_NAME || prompts.size >= MAX_PROMPTS || prompts.has(name)) return false;
    const args = (Array.isArray(given) ? given : []).flatMap((each) =>
      isJsonObject(each) && typeof each['name'] === 'string' && each['name'] === cleanLine(each['name'], MAX_NAME)
        ? [{ name: each['name'], required: each['required'] === true }]
        : [],
    );
    prompts.set(name, { name, description: cleanLine(String(description), MAX_LINE), arguments: args });
    return true;
  });
  return byName(prompts.values());
}

/** The tools of a server with the one for its resources, and its prompts, if it has any. Rejects if the tools cannot be listed. */
export async function readLists(
  ask: Ask,
  offered: { readonly [Key in 'tools' | 'prompts' | 'resources']?: object | undefined },
  isModern: boolean,
): Promise<{ readonly list: McpToolList; readonly prompts: readonly McpPrompt[] | undefined }> {
  const tools = offered.tools && readToolList(ask, isModern);
  const [own = NO_TOOLS, prompts] = await Promise.all([
    tools?.catch((error: unknown) => {
      if (error instanceof ToolError && error.code === 'not_found') return NO_TOOLS;
      throw error;
    }),
    offered.prompts && readPromptList(ask, isModern).catch(() => undefined),
  ]);
  const isTaken = offered.resources === undefined || own.tools.some(({ name }) => name === RESOURCE_TOOL.name);
  return { list: isTaken ? own : { ...own, tools: byName([...own.tools, RESOURCE_TOOL]) }, prompts };
}

/** The tool that reads the resources of a server. Its description is the same whatever they are, so that it never changes. */
const RESOURCE_TOOL: McpTool = {
  name: 'read_resource',
  description: 'Read a resource of this server by its URI. Without a URI, the resources are listed.',
  parameters: { properties: { uri: { description: 'URI of the resource', type: 'string' } }, type: 'object' },
};

/** True for the tool that reads resources. */
export function isResourceTool(tool: McpTool | undefined): boolean {
  return tool === RESOURCE_TOOL;
}

/** Reads or lists resources; the answer has the form of the result of a call. */
export async function readResources(ask: Ask, isModern: boolean, { uri }: JsonObject): Promise<JsonObject> {
  if (typeof uri === 'string' && uri !== '') {
    const answer = await ask('resources/read', { uri });
    const contents = isJsonObject(answer) && Array.isArray(answer['contents']) ? answer['contents'] : [];
    return { content: contents.map((resource) => ({ type: 'resource', resource })) };
  }
  const lines = new Set<string>();
  const add = (item: unknown): boolean => {
    if (!isJsonObject(item) || lines.size >= MAX_RESOURCES) return false;
    const { uri: address = item['uriTemplate'], name = '', description = '' } = item;
    const before = lines.size;
    return (
      lines.add(`${String(address)}: ${[name, description].filter((text) => text !== '').join(' – ')}`).size > before
    );
  };
  const cut = await readPages(ask, 'resources/list', 'resources', isModern, add);
  // Not every server with resources supports templates.
  await readPages(ask, 'resources/templates/list', 'resourceTemplates', isModern, add).catch(() => []);
  const text = lines.size === 0 ? 'There are no resources.' : [...lines, ...cut].join('\n');
  return { content: [{ type: 'text', text }] };
}
