import type { JsonObject } from '../../agent/ports/json.ts';
import { isJsonObject } from '../../text/json/json.ts';
import { type Ask, byName, type McpTool, type McpToolList, readPages } from './lists.ts';

const MAX_RESOURCES = 1_000;

/** The tool that reads the resources of a server. Its description is the same whatever they are, so that it never changes. */
const RESOURCE_TOOL: McpTool = {
  name: 'read_resource',
  description: 'Read a resource of this server by its URI. Without a URI, the resources are listed.',
  parameters: { properties: { uri: { description: 'URI of the resource', type: 'string' } }, type: 'object' },
};

/** The list with the tool for resources, unless the server has a tool of that name. */
export function withResources(list: McpToolList): McpToolList {
  const isTaken = list.tools.some(({ name }) => name === RESOURCE_TOOL.name);
  return isTaken ? list : { ...list, tools: byName([...list.tools, RESOURCE_TOOL]) };
}

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
