import type { OfferedTool, ReplyToolCall } from '../../conversation/conversation.ts';
import type { Intent } from '../../scenario/intent-format.ts';
import { fillShapes, type Role, type RoleValues, rolesIn, roleValues, type Shapes } from './argument-shape.ts';
import { guessTool } from './guess-tool.ts';
import { KNOWN_TOOLS, type KnownTool } from './known-tools.ts';
import { fillProperty, readProperties } from './offered-properties.ts';
import { shellCommandFor } from './shell-commands.ts';

/** What an intent became: a call of a tool that the client offers, or why there is none. */
export type ResolvedIntent =
  | ({ readonly type: 'call' } & Omit<ReplyToolCall, 'id'>)
  | { readonly type: 'not_offered'; readonly message: string };

/** An intent and what is known of the client. `directory` is where the client works, if it said so. */
export interface IntentRequest {
  readonly intent: Intent;
  readonly tools: readonly OfferedTool[];
  readonly directory: string | undefined;
}

/**
 * Turns an intent into the call of a tool that this client offers: by the table of known agents, else by the words and
 * schemas of the offered tools, else as a command for its shell. Pure.
 */
export function resolveIntent(request: IntentRequest): ResolvedIntent {
  const { intent, tools } = request;
  const direct = callKnown(request) ?? callGuessed(request);
  if (direct !== undefined && !mayLackDirectory(intent, direct, tools)) return direct;
  const command = shellCommandFor(intent);
  // No argument of a process can hold a NUL.
  if (intent.intent !== 'shell' && !command.includes('\0')) {
    const viaShell = { ...request, intent: { intent: 'shell', command } as const };
    const call = callKnown(viaShell) ?? callGuessed(viaShell);
    if (call !== undefined) return call;
  }
  return direct ?? { type: 'not_offered', message: explain(intent, tools) };
}

type Call = Extract<ResolvedIntent, { readonly type: 'call' }>;

function callKnown({ intent, tools, directory }: IntentRequest): Call | undefined {
  const stated = rolesOf(intent);
  for (const known of KNOWN_TOOLS[intent.intent]) {
    const tool = tools.find((offered) => isMeant(known, offered));
    if (tool === undefined) continue;
    const values = roleValues(intent, known.paths, directory);
    if (known.takes.type === 'text') {
      const text = known.takes.text === 'patch' ? values.patch : codeModeCall(values);
      if (text !== undefined) return callOf(tool, text);
      continue;
    }
    const shapes = known.takes.arguments;
    if (covers(shapes, stated, values)) return callOf(tool, fillArguments(tool, shapes, values, intent));
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

/** A tool of the table does what the table says, and nothing else that its name suggests. */
function isKnown(tool: OfferedTool): boolean {
  return Object.values(KNOWN_TOOLS).some((known) => known.some((candidate) => isMeant(candidate, tool)));
}

/** Some tools write a file only where its directory is there already; a command makes it. */
function mayLackDirectory(intent: Intent, { name }: Call, tools: readonly OfferedTool[]): boolean {
  if (intent.intent !== 'write_file' || !/[\\/]/.test(intent.path)) return false;
  const warns = /\bparent director(?:y|ies) must (?:already )?exist\b/i;
  return tools.some((tool) => tool.name === name && warns.test(tool.description ?? ''));
}

/** Same name, and every key is offered and none of another's; a tool without a schema has its name only. */
function isMeant({ name, namespace, takes, without = [] }: KnownTool, tool: OfferedTool): boolean {
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

/** A patch that could not be written covers nothing; one that could says path and content at once. */
function covers(shapes: Shapes, stated: readonly Role[], values: RoleValues): boolean {
  const roles = rolesIn(shapes);
  return roles.includes('patch') ? values.patch !== undefined : stated.every((role) => roles.includes(role));
}

function fillArguments(tool: OfferedTool, shapes: Shapes, values: RoleValues, intent: Intent): string {
  // A list or a search that leaves the pattern or the path open covers everything, here.
  const pattern = rolesIn(shapes).includes('pattern') ? { pattern: '*' } : {};
  const filled = fillShapes(shapes, { ...pattern, ...values });
  const sentence = describe(intent);
  for (const property of readProperties(tool) ?? []) {
    const { key, isRequired } = property;
    if (!isRequired || key in filled) continue;
    filled[key] = shapes[key] === 'path' ? '.' : fillProperty(property, sentence);
  }
  return JSON.stringify(filled);
}

function callOf({ name, namespace, input }: OfferedTool, text: string): Call {
  return { type: 'call', name, ...(namespace !== undefined && { namespace }), input, arguments: text };
}

/** In its code mode Codex takes a program whose functions are the tools. */
function codeModeCall({ command }: RoleValues): string | undefined {
  return command === undefined ? undefined : `text(await tools.exec_command({cmd: ${JSON.stringify(command)}}))`;
}

function rolesOf(intent: Intent): Role[] {
  const stated: readonly Role[] = ['path', 'content', 'old_text', 'new_text', 'command', 'pattern'];
  const values = roleValues(intent, 'relative', undefined);
  return stated.filter((role) => values[role] !== undefined);
}

/** For arguments that ask what the call is for. */
function describe(intent: Intent): string {
  switch (intent.intent) {
    case 'write_file':
      return `Write ${intent.path}.`;
    case 'read_file':
      return `Read ${intent.path}.`;
    case 'edit_file':
      return `Edit ${intent.path}.`;
    case 'shell':
      return 'Run a command.';
    case 'list_files':
      return 'List files.';
    case 'search_files':
      return 'Search in files.';
    default:
      return intent satisfies never;
  }
}

function explain({ intent }: Intent, tools: readonly OfferedTool[]): string {
  const names = tools.map(({ name, namespace }) => (namespace === undefined ? name : `${namespace}.${name}`));
  const offered = names.length === 0 ? 'it offers no tools' : `it offers ${names.join(', ')}`;
  return (
    `The step wants "${intent}", and no tool of this client can do that: ${offered}. Name the tool in the scenario ` +
    'instead of the intent, or let the client offer a tool for it or a shell.'
  );
}
