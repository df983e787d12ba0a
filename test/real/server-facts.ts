import type { Wire } from '../../src/providers/wires.ts';

/** A fact about a server, because of which a check cannot pass with it, whatever ybs does. */
export interface ServerFact {
  readonly number: number;
  readonly server: string;
  readonly version: string;
  /** The day on which it was seen. */
  readonly date: string;
  readonly fact: string;
  /** The checks, the parts of checks, or the stories that differ because of it. */
  readonly checks: readonly string[];
  readonly wires?: readonly Wire[];
}

/** The part of the check of broken arguments that expects an answer. */
export const TEXT_OF_BROKEN_CALL = 'broken arguments: an answer';

/** The known facts. Each is stated in a check that fails for its reason; a check that passes needs none. */
export const SERVER_FACTS: readonly ServerFact[] = [
  {
    number: 1,
    server: 'llama.cpp',
    version: '11434',
    date: '2026-11-28',
    fact: 'A grammar admits only calls of tools that are offered, so that a call of another tool is an error of the server.',
    checks: ['an unknown tool', 'unknown-tool-name', 'hello-world'],
  },
  {
    number: 2,
    server: 'llama.cpp',
    version: '11434',
    date: '2026-11-28',
    fact: 'A grammar admits only arguments that are JSON, so that the next best token replaces one that breaks them.',
    checks: ['broken arguments', 'arguments-cut-by-length'],
  },
  {
    number: 3,
    server: 'ollama',
    version: '0.17.4',
    date: '2026-11-28',
    fact: 'The parser leaves calls of tools that are not offered out of the answer, which may then be empty.',
    checks: ['an unknown tool', 'unknown-tool-name', 'hello-world'],
  },
  {
    number: 4,
    server: 'ollama',
    version: '0.17.4',
    date: '2026-11-28',
    fact: 'The parser leaves a call whose arguments are broken out of the answer, which is then empty.',
    checks: [TEXT_OF_BROKEN_CALL],
  },
];

/** The fact about a server that explains a failed check, if there is one. */
export function serverFact(server: string, wire: Wire, check: string): ServerFact | undefined {
  return SERVER_FACTS.find(
    (each) =>
      each.server === server && each.checks.includes(check) && (each.wires === undefined || each.wires.includes(wire)),
  );
}
