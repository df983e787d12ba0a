import type { OfferedTool, ReplyToolCall } from '../../conversation/conversation.ts';
import type { Intent, IntentName } from '../../scenario/format/intent-format.ts';
import { INTENT_TEXTS, type MappedTool } from '../../scenario/format/mapped-tool.ts';
import { fillShapes, type Role, type RoleValues, rolesIn, roleValues, type Shapes } from './argument-shape.ts';
import { guessTool } from './guess-tool.ts';
import { KNOWN_TOOLS, type KnownTool } from './known-tools.ts';
import { fillProperty, readProperties } from './offered-properties.ts';
import { shellCommandFor } from './shell-commands.ts';

/** An intent and the client that is to carry it out. `directory` is the client's working directory, if known. */
interface IntentRequest {
  readonly intent: Intent;
  readonly tools: readonly OfferedTool[];
  readonly directory: string | undefined;
  /** The tool that the scenario file maps the intent to. */
  readonly mapped?: MappedTool | undefined;
}

type Call = Omit<ReplyToolCall, 'id'>;

/**
 * Resolves an intent to a call of a tool that the client offers: a tool of a known agent, else a tool whose name and
 * arguments fit, else a command for the client's shell. Undefined if no tool can carry it out. Pure.
 */
export function resolveIntent(request: IntentRequest): Call | undefined {
  const { intent, tools, mapped } = request;
  const stated = mapped && callMapped(mapped, request);
  if (stated !== undefined) return stated;
  const direct = callKnown(request) ?? callGuessed(request);
  if (direct !== undefined && !mayLackDirectory(intent, direct, tools)) return direct;
  const command = shellCommandFor(intent);
  // An argument of a process cannot contain a NUL.
  if (intent.intent !== 'shell' && !command.includes('\0')) {
    const viaShell = { ...request, intent: { intent: 'shell', command } as const };
    return callKnown(viaShell) ?? callGuessed(viaShell) ?? direct;
  }
  return direct;
}

/** A call of the mapped tool, if the client offers it. Its other required arguments are filled as those of other tools. */
function callMapped({ name, arguments: args }: MappedTool, { intent, tools }: IntentRequest): Call | undefined {
  const tool = tools.find((offered) => offered.name === name && offered.input === 'json');
  if (tool === undefined) return undefined;
  const texts = new Map<string, unknown>(Object.entries(intent));
  const filled: Record<string, unknown> = {};
  for (const { key, value } of args) {
    const filledIn = 'text' in value ? texts.get(value.text) : value.constant;
    if (filledIn !== undefined) filled[key] = filledIn;
  }
  for (const property of readProperties(tool) ?? []) {
    if (!property.isRequired || Object.hasOwn(filled, property.key)) continue;
    filled[property.key] = fillProperty(property, EXPLANATIONS[intent.intent]);
  }
  return callOf(tool, JSON.stringify(filled));
}

/** Text of required arguments that explain a call. */
const EXPLANATIONS: Readonly<Record<IntentName, string>> = {
  write_file: 'Write a file.',
  read_file: 'Read a file.',
  edit_file: 'Edit a file.',
  shell: 'Run a command.',
  list_files: 'List files.',
  search_files: 'Search in files.',
};

function callKnown({ intent, tools, directory }: IntentRequest): Call | undefined {
  const roles = rolesOf(intent);
  const wanted = KNOWN_TOOLS[intent.intent].map((known) => [known, matchesKnown] as const);
  const served = KNOWN_TOOLS[intent.intent].map((known) => [known, matchesServed] as const);
  for (const [known, matches] of [...wanted, ...served]) {
    const tool = tools.find((offered) => matches(known, offered));
    if (tool === undefined) continue;
    const values = roleValues(intent, known.paths, directory);
    if (known.takes.type === 'text') {
      const text = known.takes.text === 'patch' ? values.patch : codeModeCall(values);
      if (text !== undefined) return callOf(tool, text);
      continue;
    }
    const shapes = known.takes.arguments;
    if (covers(shapes, roles, values)) return callOf(tool, fillArguments(tool, shapes, values, intent));
  }
  return undefined;
}

function callGuessed({ intent, tools, directory }: IntentRequest): Call | undefined {
  const unknown = tools.filter((tool) => !isKnown(tool));
  const guessed = guessTool(intent.intent, rolesOf(intent), unknown);
  if (guessed === undefined) return undefined;
  const values = roleValues(intent, guessed.paths, directory);
  return callOf(guessed.tool, fillArguments(guessed.tool, guessed.arguments, values, intent));
}

/** True if the table has a tool. Such a tool is never guessed to do something else. */
function isKnown(tool: OfferedTool): boolean {
  const isListed = (candidate: KnownTool): boolean => matchesKnown(candidate, tool) || matchesServed(candidate, tool);
  return Object.values(KNOWN_TOOLS).some((known) => known.some(isListed));
}

/**
 * True if an offered tool is a known one of a server of the Model Context Protocol, before whose name agents write that of
 * the server: `mcp__files__edit_file` (Claude Code, Codex), `files__edit_file` (ybs, Goose), `mcp_files_edit_file`
 * (Gemini CLI), `files_edit_file` (opencode). After a single `_`, only a name of several words counts.
 */
function matchesServed(known: KnownTool, tool: OfferedTool): boolean {
  const isAfter = (mark: string): boolean =>
    tool.name.endsWith(mark + known.name) && tool.name.length > mark.length + known.name.length;
  if (!isAfter('__') && !(known.name.includes('_') && isAfter('_'))) return false;
  return matchesKnown(known, { ...tool, name: known.name });
}

/** True if the tool needs an existing directory, as the one of Copilot CLI does; a shell command creates it. */
function mayLackDirectory(intent: Intent, { name }: Call, tools: readonly OfferedTool[]): boolean {
  if (intent.intent !== 'write_file' || !/[\\/]/.test(intent.path)) return false;
  const warns = /\bparent director(?:y|ies) must (?:already )?exist\b/i;
  return tools.some((tool) => tool.name === name && warns.test(tool.description ?? ''));
}

/** True if an offered tool is a known one. A tool without a schema is recognized by its name alone. */
function matchesKnown({ name, namespace, takes, without = [] }: KnownTool, tool: OfferedTool): boolean {
  if (tool.name !== name || (namespace !== undefined && tool.namespace !== namespace)) return false;
  if (tool.input !== takes.type) return false;
  if (takes.type === 'text') return true;
  const properties = readProperties(tool);
  if (properties === undefined) return true;
  const offered = new Map(properties.map((property) => [property.key, property]));
  const fits = Object.entries(takes.arguments).every(([key, shape]) => {
    const property = offered.get(key);
    return property !== undefined && !(property.isText && typeof shape === 'object' && 'argv' in shape);
  });
  return fits && !without.some((key) => offered.has(key));
}

/** True if a call of these shapes contains every text of the intent. A patch contains them all, if there is one. */
function covers(shapes: Shapes, wanted: readonly Role[], values: RoleValues): boolean {
  const roles = rolesIn(shapes);
  return roles.includes('patch') ? values.patch !== undefined : wanted.every((role) => roles.includes(role));
}

function fillArguments(tool: OfferedTool, shapes: Shapes, values: RoleValues, intent: Intent): string {
  // A list or a search without a pattern or a path covers everything in the working directory.
  const pattern = rolesIn(shapes).includes('pattern') ? { pattern: '*' } : {};
  const filled = fillShapes(shapes, { ...pattern, ...values });
  for (const property of readProperties(tool) ?? []) {
    const { key, isRequired } = property;
    if (!isRequired || Object.hasOwn(filled, key)) continue;
    filled[key] = shapes[key] === 'path' ? '.' : fillProperty(property, EXPLANATIONS[intent.intent]);
  }
  return JSON.stringify(filled);
}

function callOf({ name, namespace, input }: OfferedTool, text: string): Call {
  return { name, ...(namespace !== undefined && { namespace }), input, arguments: text };
}

/** In code mode, Codex takes a program that calls its tools as functions. */
function codeModeCall({ command }: RoleValues): string | undefined {
  return command === undefined ? undefined : `text(await tools.exec_command({cmd: ${JSON.stringify(command)}}))`;
}

function rolesOf(intent: Intent): Role[] {
  const roles: readonly Role[] = ['path', 'content', 'old_text', 'new_text', 'command', 'pattern'];
  const values = roleValues(intent, 'relative', undefined);
  return roles.filter((role) => values[role] !== undefined);
}

/** Explains why no tool can carry out an intent. */
export function explainNotOffered({ intent }: Intent, tools: readonly OfferedTool[]): string {
  const names = tools.map(({ name, namespace }) => (namespace === undefined ? name : `${namespace}.${name}`));
  const offered = names.length === 0 ? 'no tools' : names.join(', ');
  return (
    `No tool of this client can carry out the intent "${intent}"; the client offers ${offered}. Name one of its tools in ` +
    `the scenario file, such as "intents": {"${intent}": "${exampleOf(intent, tools)}"}, or configure the client to offer a ` +
    'suitable tool or a shell.'
  );
}

/** Words of the names of tools that may carry out an intent. */
const KINDS: Readonly<Record<IntentName, RegExp>> = {
  write_file: /writ|sav|put|creat|stor|upload/i,
  read_file: /read|get|load|open|view|fetch/i,
  edit_file: /edit|replac|modif|updat|chang|patch/i,
  shell: /shell|command|exec|run|terminal/i,
  list_files: /list|glob|tree|dir/i,
  search_files: /search|grep|find/i,
};

const NAMES_FILE = /path|file|name|slug|uri|url|key|dest|target/i;

/** The note on a call that goes past a tool which may write or edit files, but is not known to; undefined if none is. */
export function bypassNote({ intent }: Intent, called: string, tools: readonly OfferedTool[]): string | undefined {
  if ((intent !== 'write_file' && intent !== 'edit_file') || KINDS[intent].test(called)) return undefined;
  const passed = tools.filter((tool) => {
    const keys = (tool.input === 'json' ? (readProperties(tool) ?? []) : []).map(({ key }) => key);
    return tool.name !== called && !isKnown(tool) && keys.some((key) => NAMES_FILE.test(key));
  });
  const example = exampleOf(intent, passed);
  const [name = ''] = example.split('(');
  if (passed.every((tool) => tool.name !== name)) return undefined;
  return `${intent} is carried out by ${called}; to use ${name}, add "intents": {"${intent}": "${example}"} to the file`;
}

/** A tool for an intent in the form of a file: the first one that takes as many texts, or a name to replace. */
function exampleOf(intent: IntentName, tools: readonly OfferedTool[]): string {
  const texts = INTENT_TEXTS[intent];
  for (const tool of tools) {
    const keys = (tool.input === 'json' ? (readProperties(tool) ?? []) : []).filter(({ isText }) => isText);
    if (keys.length < texts.length || !KINDS[intent].test(tool.name)) continue;
    return `${tool.name}(${texts.map((text, index) => argumentFor(text, keys[index]?.key)).join(', ')})`;
  }
  return `your_tool(${texts.join(', ')})`;
}

function argumentFor(text: string, key: string | undefined): string {
  return key === text ? text : `${key}=${text}`;
}
