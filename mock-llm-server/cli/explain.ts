import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { createJournal, type JournalEntry } from '../journal/journal.ts';
import { loadScenarios, nodeScenarioFiles } from '../scenario/load.ts';
import type { ScenarioSet } from '../scenario/prepare.ts';
import { ScenarioError } from '../scenario/problems.ts';
import { createMockServer } from '../server/app.ts';
import { errorText } from '../text.ts';
import type { LintMode } from '../wire/wire.ts';
import { guessProtocol, PROTOCOL_PATHS } from './guess-protocol.ts';
import type { CommandResult } from './validate.ts';

/** What is to be explained, and by which server. */
export interface ExplainOptions {
  /** The file with the body of the request, `-` for standard input. */
  readonly request: string;
  readonly scenarios: readonly string[];
  /** Where the request is sent; guessed from the body where it is undefined. */
  readonly path: string | undefined;
  /** `name: value`. */
  readonly headers: readonly string[];
  readonly lint: LintMode;
}

/**
 * Says what the server would answer to a request, and why. Exit code 0: a reply; 1: an error; 2: the request or the
 * scenarios cannot be read.
 */
export async function runExplain(options: ExplainOptions): Promise<CommandResult> {
  let body: string;
  let scenarios: ScenarioSet;
  try {
    body = options.request === '-' ? await text(process.stdin) : await readFile(options.request, 'utf8');
    scenarios = await loadScenarios(options.scenarios, nodeScenarioFiles);
  } catch (error) {
    if (error instanceof ScenarioError) return { exitCode: 2, text: error.message };
    const reason = errorText(error);
    return { exitCode: 2, text: `${options.request}: cannot be read: ${reason}` };
  }
  const journal = createJournal();
  // The server itself, so that it can say nothing else.
  const app = createMockServer({ scenarios, journal, lint: options.lint });
  const headers = { 'anthropic-version': '2023-06-01', ...readHeaders(options.headers) };
  const path = options.path ?? PROTOCOL_PATHS[guessProtocol(body)];
  const response = await app.request(path, { method: 'POST', headers, body });
  const [entry] = journal.entries;
  if (entry === undefined) return { exitCode: 2, text: `${path} asks for no answer: ${await response.text()}` };
  return { exitCode: entry.status < 400 ? 0 : 1, text: describeEntry(entry) };
}

function describeEntry(entry: JournalEntry): string {
  const { status, protocol, path, model, tools, lint, error, served } = entry;
  const offered = tools.length === 0 ? 'no tools' : `tools ${tools.join(', ')}`;
  return [
    `${path} as ${protocol}, model ${model ?? 'unknown'}, ${offered}`,
    `${status} ${error === undefined ? describeSource(entry) : 'refused'}`,
    ...lint.map((finding) => `lint: ${finding}`),
    error ?? served.text,
  ].join('\n');
}

function describeSource({ scenario, step, auxiliary }: JournalEntry): string {
  if (scenario !== undefined) return `scenario "${scenario}", step ${step}`;
  return auxiliary === undefined ? 'default_response' : `auxiliary request: ${auxiliary}`;
}

function readHeaders(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}
