import * as z from 'zod';
import {
  PLAYER_HEADERS,
  type PlayedAnswer,
  type PlayedTool,
  PROTOCOL_PLAYERS,
  type ProtocolPlayer,
} from '../../../test/support/wires/protocol-players.ts';
import { type Peer, post } from './peer.ts';

/** Result of a check: a boolean, or the protocols for which a check of every protocol holds. */
export type Outcome = boolean | readonly ProtocolPlayer['protocol'][];

/** One row of the comparison: a claim, and its check against a server. */
export interface Behaviour {
  readonly name: string;
  holds(peer: Peer): Promise<Outcome>;
}

/** Text of an outcome in the page. */
export function describeOutcome(outcome: Outcome): string {
  if (typeof outcome === 'boolean') return outcome ? 'yes' : 'no';
  if (outcome.length === 0) return 'no';
  return outcome.length === PROTOCOL_PLAYERS.length ? 'yes' : `only ${outcome.join(', ')}`;
}

/** The tools that a client offers in a played story. */
export const TOOLS: readonly PlayedTool[] = [
  tool('read_file', 'path'),
  tool('write_file', 'path', 'content'),
  tool('run_shell', 'command'),
];

/** A tool that requires string arguments with these names. */
export function tool(name: string, ...keys: readonly string[]): PlayedTool {
  const properties = Object.fromEntries(keys.map((key) => [key, { type: 'string' }]));
  return { name, description: name.replace('_', ' '), parameters: { type: 'object', properties, required: keys } };
}

/** The player of a protocol. */
export function playerOf(protocol: ProtocolPlayer['protocol']): ProtocolPlayer {
  const player = PROTOCOL_PLAYERS.find((candidate) => candidate.protocol === protocol);
  if (player === undefined) throw new Error(`no player for ${protocol}`);
  return player;
}

/** The answer to a history, or undefined if the server gives none in that protocol. */
export async function answerTo(
  url: string,
  player: ProtocolPlayer,
  history: readonly unknown[],
  tools = TOOLS,
): Promise<PlayedAnswer | undefined> {
  const { path, body } = player.request(history, tools, false);
  const { status, json } = await post(url + path, body, PLAYER_HEADERS);
  if (status !== 200) return undefined;
  try {
    return player.read(json);
  } catch (error) {
    if (error instanceof z.ZodError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Plays a story as a client until an answer calls no tool. Returns each history and its answer. */
export async function play(url: string, player: ProtocolPlayer, prompt: string, before: readonly unknown[] = []) {
  const turns: { readonly history: readonly unknown[]; readonly answer: PlayedAnswer }[] = [];
  let history: readonly unknown[] = [...before, ...player.say(prompt)];
  while (turns.length < 8) {
    const answer = await answerTo(url, player, history);
    if (answer === undefined) return turns;
    turns.push({ history, answer });
    if (answer.calls.length === 0) return turns;
    history = [...history, ...answer.kept, ...player.results(answer.calls, 'ok')];
  }
  return turns;
}

/** Summary of a played story: the tool names of each answer, and the final text. */
export function outline(turns: readonly { readonly answer: PlayedAnswer }[]): string {
  return turns
    .map(({ answer: { text, calls } }) => (calls.length === 0 ? text : calls.map(({ name }) => name).join('+')))
    .join(', ');
}

/** True if the check holds for at least one way to write a story. */
export async function inSomeWay(ways: readonly string[], holds: (prompt: string) => Promise<boolean>) {
  for (const way of ways) {
    if (await holds(way)) return true;
  }
  return false;
}

/** The protocols for which the check holds. */
export async function everywhere(holds: (player: ProtocolPlayer) => Promise<boolean>): Promise<Outcome> {
  const outcomes = await Promise.all(
    PROTOCOL_PLAYERS.map(async (player) => ((await holds(player)) ? [player.protocol] : [])),
  );
  return outcomes.flat();
}
