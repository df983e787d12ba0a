import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const SOURCES = new URL('../../../../src/', import.meta.url);

/** The files that translate the driver to a user or a protocol. */
const FRONTS = [
  'hosts/',
  'web/session/',
  'web/app.ts',
  'web/chat-stream.ts',
  'terminal/chat/',
  'terminal/question/',
  'cli/run-chat.ts',
  'cli/run-prompt.ts',
  'cli/host/',
  'cli/subcommands/serving/',
];

const files = readdirSync(fileURLToPath(SOURCES), { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && FRONTS.some((front) => file.startsWith(front)));

interface Held {
  readonly name: string;
  readonly pattern: RegExp;
  /** Files that may match, and their purpose. */
  readonly allowed: Readonly<Record<string, string>>;
}

const HELD: readonly Held[] = [
  {
    name: 'a stop',
    pattern: /new AbortController\(/,
    allowed: {
      'hosts/stream-json/hooks.ts': 'ends the wait for one hook after its time',
      'hosts/acp/client-terminals.ts': 'ends the reading of one terminal of the client',
      'web/app.ts': 'ends the answer to a client that has disconnected',
      'web/session/settings-view.ts': 'a signal for a command that ends soon, which nothing aborts',
      'terminal/chat/session-facts.ts': 'ends the measuring of the context between two runs',
      'cli/subcommands/serving/web-command.ts': 'ends the server',
    },
  },
  {
    name: 'an open question',
    pattern: /new Promise\b|\.decide\(/,
    allowed: {
      'web/session/event-buffer.ts': 'wakes the readers of events',
      'cli/subcommands/serving/web-command.ts': 'waits for the end of the server',
    },
  },
  {
    name: 'a queue',
    pattern: /\.shift\(\)/,
    allowed: {
      'cli/host/host-options.ts': 'reads the words of the command line',
      'terminal/chat/output-view.ts': 'keeps the last lines of an output',
    },
  },
  { name: 'a run', pattern: /agent\.(?:run|compact)\(/, allowed: {} },
];

describe.each(HELD)('no front keeps $name', ({ pattern, allowed }) => {
  it('except for another purpose', () => {
    const found = files.filter((file) => pattern.test(readFileSync(new URL(file, SOURCES), 'utf8')));
    expect(found.sort()).toEqual(Object.keys(allowed).sort());
  });
});

it('the check covers all fronts', () => {
  for (const front of FRONTS)
    expect(
      files.filter((file) => file.startsWith(front)),
      front,
    ).not.toEqual([]);
});
