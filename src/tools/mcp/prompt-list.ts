import { isJsonObject } from '../../text/json/json.ts';
import { type ReadPage, readPages } from './read-pages.ts';
import { cleanLine } from './texts.ts';

/** A prompt as its server describes it, cleaned. */
export interface McpPrompt {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly required: boolean }[];
}

const MAX_PROMPTS = 200;
const MAX_NAME = 128;
const MAX_DESCRIPTION = 200;

/** Reads the list of prompts, sorted by name. A malformed one is left out. */
export async function readPromptList(readPage: ReadPage, isModern: boolean): Promise<readonly McpPrompt[]> {
  const prompts = new Map<string, McpPrompt>();
  await readPages(readPage, 'prompts', isModern, (item) => {
    if (!isJsonObject(item) || typeof item['name'] !== 'string') return false;
    const { name, title = '', description = title, arguments: given } = item;
    if (name === '' || name.length > MAX_NAME || prompts.size >= MAX_PROMPTS || prompts.has(name)) return false;
    const args = (Array.isArray(given) ? given : []).flatMap((each) =>
      isJsonObject(each) && typeof each['name'] === 'string' && each['name'] === cleanLine(each['name'], MAX_NAME)
        ? [{ name: each['name'], required: each['required'] === true }]
        : [],
    );
    return (
      prompts.set(name, { name, description: cleanLine(String(description), MAX_DESCRIPTION), arguments: args }).size >
      0
    );
  });
  return [...prompts.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
}
