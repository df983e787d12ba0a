import type { OfferedTool } from '../../conversation/conversation.ts';
import type { IntentName } from '../../scenario/format/intent-format.ts';
import type { Role } from './argument-shape.ts';
import { isFillable, type OfferedProperty, readProperties } from './offered-properties.ts';

/** Names in lower case, their words apart: `StrReplaceFile` is `str replace file`. */
const NAMES: Readonly<Record<IntentName, RegExp>> = {
  write_file:
    /^(?:(?:fs|file|document) )?(?:writer?|save|create|overwrite|put|store)(?: (?:to|a|the|text|new|file|document|contents?|tool))*$/,
  read_file:
    /^(?:(?:fs|file|document) )?(?:read(?:er)?|view|open|cat|get|load)(?: (?:a|s|the|text|file|document|contents?|tool))*$/,
  edit_file:
    /^(?:(?:fs|file|document|str(?:ing)?) )*(?:edit|replace|modify|update|change)(?: (?:in|a|the|text|str|string|file|document))*$/,
  shell: /^(?:(?:run|exec|execute|in|terminal|shell|bash|sh|console|commands?|cmd)(?: |$))+$/,
  list_files:
    /^(?:(?:fs|file|dir|directory) )?(?:list|ls|glob|find|tree)(?: (?:by|name|in|path|files?|dir|directory))*$/,
  search_files:
    /^(?:(?:fs|file) )?(?:grep|rg|ripgrep|search)(?: (?:in|for|files?|text|code|codebase|contents?|search))*$/,
};

const FILE =
  /^(?:(?:absolute|relative|full|target|file|document) )*(?:path|file|filename|filepath|(?:file|document) name)$/;
const FOLDER = /^(?:(?:absolute|relative|full|target|base|root|search|dir|directory) )*(?:path|dir|directory|folder)$/;
const PATTERN = /^(?:(?:glob|regex|search|file) )?(?:pattern|glob|regex|regexp|query)$/;

/** Arguments in the same form, by the role that goes into them. */
const ARGUMENTS: Readonly<Record<IntentName, Readonly<Partial<Record<Role, RegExp>>>>> = {
  write_file: { path: FILE, content: /^(?:(?:new|file) )?(?:contents?|text|body)$/ },
  read_file: { path: FILE },
  edit_file: {
    path: FILE,
    old_text: /^(?:old|original|search|find|before)(?: (?:text|str|string|code|content))?$/,
    new_text: /^(?:new|replacement|replace|after|updated)(?: (?:text|str|string|code|content))?$/,
  },
  shell: { command: /^(?:(?:shell|bash) )?(?:command|cmd|script)(?: line)?$/ },
  list_files: { pattern: PATTERN, path: FOLDER },
  search_files: { pattern: PATTERN, path: FOLDER },
};

/** The first tool whose name and arguments fit an intent with these roles, and that requires nothing unknown. Pure. */
export function guessTool(intent: IntentName, roles: readonly Role[], tools: readonly OfferedTool[]) {
  for (const tool of tools) {
    // The prefix is the extension that Goose and MCP clients load a tool from: `developer__shell`.
    if (tool.input !== 'json' || !NAMES[intent].test(wordsOf(tool.name.replace(/^.*__/, '')))) continue;
    const properties = readProperties(tool) ?? [];
    const shapes = assignRoles(intent, properties);
    const assigned = Object.values(shapes);
    if (assigned.length === 0 || !roles.every((role) => assigned.includes(role))) continue;
    if (properties.some((property) => !Object.hasOwn(shapes, property.key) && !isFillable(property))) continue;
    const path = properties.find(({ key }) => shapes[key] === 'path');
    const isAbsolute = /\babsolute\b/i.test(`${tool.description} ${path?.description}`);
    return { tool, arguments: shapes, paths: isAbsolute ? 'absolute' : 'relative' } as const;
  }
  return undefined;
}

function assignRoles(intent: IntentName, properties: readonly OfferedProperty[]): Readonly<Record<string, Role>> {
  const shapes: Record<string, Role> = {};
  for (const role of ['path', 'content', 'old_text', 'new_text', 'command', 'pattern'] as const) {
    const pattern = ARGUMENTS[intent][role];
    const property = properties.find(({ key, isText }) => isText && pattern?.test(wordsOf(key)));
    if (property !== undefined) shapes[property.key] = role;
  }
  return shapes;
}

function wordsOf(name: string): string {
  const apart = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll(/[^A-Za-z0-9]+/g, ' ');
  return apart.trim().toLowerCase();
}
