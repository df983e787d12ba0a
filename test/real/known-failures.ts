import type { Wire } from '../../src/providers/wires.ts';
import { STORIES_CHECK } from './checks/comparison.ts';

/** A fault of ybs that is known and not yet repaired. It counts as a failure. */
export interface KnownFailure {
  readonly number: number;
  readonly what: string;
  /** The names of the checks that fail because of it. */
  readonly checks: readonly string[];
  readonly servers?: readonly string[];
  readonly wires?: readonly Wire[];
}

/** Checks in which text or reasoning stands before a call. */
const TEXT_BEFORE_CALL = [
  'a text before a call',
  'three turns',
  'reasoning is shown',
  'reasoning goes back',
  'another wire within a session',
  'another server within a session',
  'a recording, played by the mock',
  STORIES_CHECK,
];

/** The known faults. A repair removes its row. */
export const KNOWN_FAILURES: readonly KnownFailure[] = [
  {
    number: 1,
    what: 'Events of Responses without an `output_index` repeat the text, and run a call twice.',
    servers: ['llama.cpp'],
    wires: ['openai-responses'],
    checks: TEXT_BEFORE_CALL,
  },
  {
    number: 1,
    what: 'Events of Responses without an `output_index` repeat the text, and run a call twice.',
    servers: ['llama.cpp'],
    checks: ['another wire within a session'],
  },
  {
    number: 3,
    what: 'An answer of Responses that is cut counts as complete, if its last event is `response.completed`.',
    wires: ['openai-responses'],
    checks: ['a cut text', 'cut reasoning', 'a cut call'],
  },
  {
    number: 4,
    what: 'The window of the server is not the one that models, doctor and a run show.',
    servers: ['ollama'],
    checks: ['the window in models, doctor and a run'],
  },
  {
    number: 8,
    what: 'A server that is gone during a run ends it at the second request.',
    checks: ['the server is killed and comes back', 'the server is killed and stays away'],
  },
  {
    number: 13,
    what: 'Tokens from the cache are not shown over Chat Completions.',
    wires: ['openai-chat'],
    checks: ['usage as the server counts it'],
  },
];

/** The known fault behind a failed check; undefined for a new one. */
export function knownFailure(server: string, wire: Wire, check: string): KnownFailure | undefined {
  return KNOWN_FAILURES.find(
    ({ checks, servers, wires }) =>
      checks.includes(check) &&
      (servers === undefined || servers.includes(server)) &&
      (wires === undefined || wires.includes(wire)),
  );
}
