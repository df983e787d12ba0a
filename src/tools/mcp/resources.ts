import type { JsonObject } from '../../agent/ports/json.ts';
import { isJsonObject } from '../../text/json/json.ts';
import type { McpTool, McpToolList } from './tool-list.ts';

/** The tool that reads the resources of a server. Its description is the same whatever they are, so that it never changes. */
const RESOURCE_TOOL: McpTool = {
  name: 'read_resource',
  description: 'Read a resource of this server by its URI. Without a URI, the resources are listed.',
  parameters: { properties: { uri: { description: 'URI of the resource', type: 'string' } }, type: 'object' },
};

/** The list with the tool for resources, unless the server has a tool of that name. */
export function withResources(list: McpToolList): McpToolList {
  const isTaken = list.tools.some(({ name }) => name === RESOURCE_TOOL.name);
  const sorted = [...list.tools, RESOURCE_TOOL].sort((left, right) => (left.name < right.name ? -1 : 1));
  return isTaken ? list : { ...list, tools: sorted };
}

/** True for the tool of ours. */
export function isResourceTool(tool: McpTool | undefined): boolean {
  return tool === RESOURCE_TOOL;
}

/** Reads or lists resources; the answer has the form of the result of a call. */
export async function readResources(
  request: (method: string, params: JsonObject) => Promise<unknown>,
  { uri }: JsonObject,
): Promise<JsonObject> {
  const listOf = (answer: unknown, key: string) => {
    const listed = isJsonObject(answer) ? answer[key] : undefined;
    return Array.isArray(listed) ? listed.filter((item) => isJsonObject(item)) : [];
  };
  if (typeof uri === 'string' && uri !== '') {
    const contents = listOf(await request('resources/read', { uri }), 'contents');
    return { content: contents.map((resource) => ({ type: 'resource', resource })) };
  }
  const [listed, templates] = await Promise.all([
    request('resources/list', {}),
    request('resources/templates/list', {}).catch(() => undefined),
  ]);
  const all = [...listOf(listed, 'resources'), ...listOf(templates, 'resourceTemplates')];
  const lines = all.map((item) => {
    const { uri: address = item['uriTemplate'], name = '', description = '' } = item;
    return `${String(address)}: ${[name, description].filter((text) => text !== '').join(' – ')}`;
  });
  return { content: [{ type: 'text', text: lines.length === 0 ? 'There are no resources.' : lines.join('\n') }] };
}
