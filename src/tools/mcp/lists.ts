import { ToolError } from '../../agent/errors.ts';
import type { JsonObject } from '../../agent/ports/json.ts';
import { isJsonObject } from '../../text/json/json.ts';
import { headerParameters } from './connection/parameter-headers.ts';
import type { Remembered } from './memory/memory.ts';
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
export type McpPrompt = NonNullable<Remembered['prompts']>[number];

/** No tools, of a server that has none or does not know the question for them. */
const NO_TOOLS: McpToolList = { tools: [], problems: [] };

const MAX_PAGES = 100;
const MAX_NAME = 128;
const MAX_DESCRIPTION = 4_096;
const MAX_LINE = 200;

/** Sends a request to a server, and resolves to its result. */
type Ask = (method: string, params: JsonObject) => Promise<unknown>;

/**
 * Reads a list page by page, as long as something new comes; `read` returns an item, or a line about one that is left out.
 * `isModern`: the revision knows "" as a cursor. Rejects if the first page cannot be read.
 */
async function readItems<Item extends { readonly name: string }>(
  ask: Ask,
  [method, key, max]: readonly [method: string, key: string, max: number],
  isModern: boolean,
  read: (item: unknown) => Item | string,
): Promise<{ readonly items: readonly Item[]; readonly problems: readonly string[] }> {
  const items = new Map<string, Item>();
  const problems: string[] = [];
  const cursors = new Set<string | number>();
  let cursor: string | number | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    let answer: unknown;
    try {
      answer = await ask(method, cursor === undefined ? {} : { cursor });
    } catch (error) {
      if (page === 0) throw error;
      problems.push(`page ${page + 1} of the ${key} cannot be read; those before it are kept`);
      break;
    }
    const { [key]: listed, nextCursor: next }: JsonObject = isJsonObject(answer) ? answer : {};
    if (page === 0 && isJsonObject(listed)) problems.push(`the list of ${key} is not a list, so it cannot be read`);
    const before = items.size;
    for (const each of Array.isArray(listed) ? listed : []) {
      const item = read(each);
      if (typeof item === 'string') problems.push(item);
      else if (items.size < max && !items.has(item.name)) items.set(item.name, item);
    }
    // Some servers send a number, and others another value at the end.
    if (typeof next !== 'string' && typeof next !== 'number') break;
    if (next === 0 || (next === '' && !isModern) || items.size === before || cursors.has(next)) break;
    cursors.add(next);
    cursor = next;
  }
  if (items.size === max) problems.push(`there may be more than ${max} ${key}; these are the first`);
  const counts = new Map<string, number>();
  for (const problem of problems) counts.set(problem, (counts.get(problem) ?? 0) + 1);
  const lines = [...counts].map(([line, count]) => (count === 1 ? line : `${line} (${count} times)`));
  return { items: [...items.values()], problems: lines };
}

/** Sorts by name, so that the order of a server changes no request. */
function byName<Item extends { readonly name: string }>(items: readonly Item[]): readonly Item[] {
  return items.toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

/**
 * Reads the list of tools and skips malformed ones. `isModern`: the revision supports parameters as headers. Rejects if
 * the first page cannot be read.
 */
export async function readToolList(ask: Ask, isModern: boolean): Promise<McpToolList> {
  const read = (item: unknown) => readTool(item, isModern);
  const { items, problems } = await readItems(ask, ['tools/list', 'tools', 1_000], isModern, read);
  return { tools: byName(items), problems };
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

/** A prompt of the list; a malformed one is left out. */
function readPrompt(item: unknown): McpPrompt | string {
  if (!isJsonObject(item) || typeof item['name'] !== 'string') return 'a prompt without a name is left out';
  const { name, title = '', description = title, arguments: given } = item;
  if (name === '' || name.length > MAX_NAME) return 'a prompt with a name that is empty or too long is left out';
  const args = (Array.isArray(given) ? given : []).flatMap((each) =>
    isJsonObject(each) && typeof each['name'] === 'string' && each['name'] === cleanLine(each['name'], MAX_NAME)
      ? [{ name: each['name'], required: each['required'] === true }]
      : [],
  );
  return { name, description: cleanLine(String(description), MAX_LINE), arguments: args };
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
    offered.prompts &&
      readItems(ask, ['prompts/list', 'prompts', 200], isModern, readPrompt).then(
        ({ items }) => byName(items),
        () => undefined,
      ),
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
  const read = (item: unknown) => {
    if (!isJsonObject(item)) return 'a resource that cannot be read is left out';
    const { uri: address = item['uriTemplate'], name = '', description = '' } = item;
    return { name: `${String(address)}: ${[name, description].filter((text) => text !== '').join(' – ')}` };
  };
  const { items, problems } = await readItems(ask, ['resources/list', 'resources', 1_000], isModern, read);
  // Not every server with resources supports templates.
  const places = ['resources/templates/list', 'resourceTemplates', 1_000] as const;
  const more = await readItems(ask, places, isModern, read).catch(() => ({ items: [] }));
  const lines = new Set([...items, ...more.items].map(({ name }) => name));
  const text = lines.size === 0 ? 'There are no resources.' : [...lines, ...problems].join('\n');
  return { content: [{ type: 'text', text }] };
}
