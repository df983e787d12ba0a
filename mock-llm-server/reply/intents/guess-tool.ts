import type { OfferedTool } from '../../conversation/conversation.ts';
import type { IntentName } from '../../scenario/intent-format.ts';
import type { Role, Shapes } from './argument-shape.ts';
import { type Bound, bindRoles, count, findOpen, scoreOf, shapesFor } from './bind-roles.ts';
import { isFillable, type OfferedProperty, readProperties } from './offered-properties.ts';
import { firstSentence, INTENT_WORDS, LANGUAGES, OTHER_OBJECTS, OTHER_TRADES, SHELLS, wordsOf } from './tool-words.ts';

/** A tool that no table knows, and how the arguments of an intent go into it. */
export interface GuessedTool {
  readonly tool: OfferedTool;
  readonly takes: { readonly type: 'json'; readonly arguments: Shapes } | { readonly type: 'text' };
  readonly paths: 'absolute' | 'relative';
}

/** The roles that a tool for an intent must have, and those it may have. */
const ROLES: Readonly<Record<IntentName, { readonly needed: readonly Role[]; readonly allowed: readonly Role[] }>> = {
  write_file: { needed: ['path', 'content'], allowed: [] },
  read_file: { needed: ['path'], allowed: [] },
  edit_file: { needed: ['path', 'old_text', 'new_text'], allowed: [] },
  shell: { needed: ['command'], allowed: [] },
  list_files: { needed: [], allowed: ['pattern', 'path'] },
  search_files: { needed: ['pattern'], allowed: ['path'] },
};
const INTENTS: readonly IntentName[] = ['write_file', 'read_file', 'edit_file', 'shell', 'list_files', 'search_files'];

/**
 * The offered tool that fits an intent best by its words and its schema; nothing where none does. `stated` are the
 * roles that the intent has a text for. The first of equals wins. Pure.
 */
export function guessTool(
  intent: IntentName,
  stated: readonly Role[],
  tools: readonly OfferedTool[],
): GuessedTool | undefined {
  let best: Candidate | undefined;
  for (const tool of tools) {
    const facts = readFacts(tool);
    const candidates = INTENTS.flatMap((name) => readAs(name, facts) ?? []);
    const own = candidates.find((candidate) => candidate.intent === intent);
    // A tool is for what it fits best: one that replaces texts writes files, too, but not whole ones. Only one that is
    // told what to do is for everything that it can be told.
    if (own === undefined) continue;
    if (!own.isChosen && candidates.some((other) => other.score > own.score)) continue;
    if (!stated.every((role) => own.roles.has(role))) continue;
    if (best === undefined || own.score > best.score) best = own;
  }
  return best;
}

/** What is read of a tool once, whatever it may be for. */
interface ToolFacts {
  readonly tool: OfferedTool;
  readonly name: ReadonlySet<string>;
  readonly said: ReadonlySet<string>;
  readonly properties: readonly OfferedProperty[] | undefined;
}

function readFacts(tool: OfferedTool): ToolFacts {
  const said = wordsOf(firstSentence(tool.description ?? ''));
  return { tool, name: wordsOf(tool.name), said, properties: readProperties(tool) };
}

/** What a tool is for one intent. `isChosen`: an argument tells it to do this. */
interface Candidate extends GuessedTool {
  readonly intent: IntentName;
  readonly score: number;
  readonly roles: ReadonlySet<Role>;
  readonly isChosen: boolean;
}

/** The tool as one for an intent; nothing where a role is missing, or its words speak against it. */
function readAs(intent: IntentName, facts: ToolFacts): Candidate | undefined {
  const { tool, properties } = facts;
  const words = scoreWords(intent, facts);
  if (words === undefined) return undefined;
  const paths = /\babsolute\b/i.test(tool.description ?? '') ? 'absolute' : 'relative';
  if (tool.input === 'text') {
    if (intent !== 'shell') return undefined;
    const roles = new Set<Role>(['command']);
    return { intent, tool, paths, takes: { type: 'text' }, score: words, roles, isChosen: false };
  }
  const bound = properties === undefined ? undefined : bindAll(intent, properties);
  if (properties === undefined || bound === undefined) return undefined;
  const fit = [...bound.values()].reduce((sum, { score }) => sum + Math.min(score, 4), 0);
  const place = bound.get('path')?.property;
  const choice = findChoice(intent, properties);
  return {
    intent,
    tool,
    paths: place !== undefined && wantsAbsolute(place.description) ? 'absolute' : paths,
    takes: { type: 'json', arguments: { ...shapesFor(bound), ...choice } },
    score: words * 2 + fit,
    roles: new Set(bound.keys()),
    isChosen: choice !== undefined,
  };
}

/** How much name and description of a tool speak for an intent; nothing where they speak against it. */
function scoreWords(intent: IntentName, { tool, name, said }: ToolFacts): number | undefined {
  const own = INTENT_WORDS[intent];
  const isNamed = count(name, own.strong) + count(name, own.weak) > 0;
  // A tool neither called so nor said to do so only mentions what the intent is about.
  if (!isNamed && count(said, own.strong) === 0) return undefined;
  // One that lists agents is called so: its name says of what, and it is not files.
  if (count(name, OTHER_OBJECTS) > 0 && count(name, own.weak) === 0) return undefined;
  // A program in another language is no command line.
  if (intent === 'shell' && [name, said].some((where) => count(where, LANGUAGES) > 0 && count(where, SHELLS) === 0)) {
    return undefined;
  }
  if (intent === 'search_files' && NAMES_ONLY.test(tool.description ?? '')) return undefined;
  const other = count(name, OTHER_TRADES) * 3 + count(said, OTHER_TRADES);
  const spoken =
    count(name, own.strong) * 4 + count(name, own.weak) * 2 + count(said, own.strong) * 3 + count(said, own.weak);
  return spoken > other * 2 ? spoken : undefined;
}

/** The arguments that the roles of an intent go into; nothing where one has no place, or something else is left open. */
function bindAll(intent: IntentName, properties: readonly OfferedProperty[]): ReadonlyMap<Role, Bound> | undefined {
  const { needed, allowed } = ROLES[intent];
  const bound = bindRoles(properties, [...needed, ...allowed]);
  if (!needed.every((role) => bound.has(role)) || (needed.length === 0 && bound.size === 0)) return undefined;
  const open = findOpen(properties, bound);
  // What nothing is known of and looks like work of another kind speaks against the tool, and so does what cannot be
  // filled.
  const isSound = open?.every((property) => !looksLikeRole(property) && isFillable(property));
  return isSound ? bound : undefined;
}

/** Whether an argument is one that an intent of another kind would fill. */
function looksLikeRole(property: OfferedProperty): boolean {
  if (property.takes === 'other' || property.hasOwnValue) return false;
  const words = wordsOf(property.key);
  if (count(words, OTHER_TRADES) > 0) return true;
  return (['path', 'content', 'old_text', 'new_text', 'command', 'pattern'] as const).some(
    (role) => scoreOf(role, property) >= 3,
  );
}

function wantsAbsolute(description: string): boolean {
  return (
    /\babsolute\b/i.test(description) && !/\brelative\b/i.test(description.replace(/\bnot (?:a )?relative\b/i, ''))
  );
}

/** A search for files by their names, which knows nothing of what is in them. */
const NAMES_ONLY =
  /^[^.\n]{0,40}\b(?:search(?:es)?|looks?|finds?) for files\b(?![^.\n]{0,80}\b(?:contain|contents?|text|lines)\b)/i;

/** Names of arguments that tell a tool which of several things to do. */
const ORDERS: ReadonlySet<string> = new Set(['action', 'operation', 'op', 'command', 'cmd', 'method', 'mode', 'verb']);

/** The argument that tells a tool to do this, where it does several things. */
function findChoice(intent: IntentName, properties: readonly OfferedProperty[]): Shapes | undefined {
  const { strong, weak } = INTENT_WORDS[intent];
  const order = properties.find(({ key, choices }) => ORDERS.has(key.toLowerCase()) && choices.length > 0);
  let best: { readonly text: string; readonly score: number } | undefined;
  for (const text of order?.choices ?? []) {
    const words = wordsOf(text);
    const score = count(words, strong) * 2 + count(words, weak);
    if (count(words, strong) > 0 && score > (best?.score ?? 0)) best = { text, score };
  }
  return order === undefined || best === undefined ? undefined : { [order.key]: { fixed: best.text } };
}
