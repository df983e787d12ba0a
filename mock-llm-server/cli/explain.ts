import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { JournalEntry } from '../journal/entry.ts';
import { createJournal } from '../journal/journal.ts';
import { answerPath } from '../record/answer-path.ts';
import { loadScenarioFiles, nodeScenarioFiles } from '../scenario/loading/load.ts';
import { createScenarioSet } from '../scenario/prepare.ts';
import { createMockServer } from '../server/app.ts';
import { errorText } from '../text.ts';
import type { ExplainCommand } from './arguments.ts';
import type { CommandResult } from './validate.ts';

/**
 * Explains how the server would answer a request. Exit code 0: a reply; 1: an error; 2: the request cannot be read or
 * its path has no replies. Rejects with a `ScenarioError` if the scenarios do not load.
 */
export async function runExplain(options: Omit<ExplainCommand, 'type'>): Promise<CommandResult> {
  let body: string;
  try {
    body = options.request === '-' ? await text(process.stdin) : await readFile(options.request, 'utf8');
  } catch (error) {
    return {
      exitCode: 2,
      text: `cannot read ${options.request}: ${errorText(error)}. Name a file with the body of a request.`,
    };
  }
  const scenarios = createScenarioSet(await loadScenarioFiles(options.scenarios, nodeScenarioFiles));
  const journal = createJournal();
  // The server itself answers, so that the explanation cannot differ from its answer.
  const { lint, as, allow, limits } = options;
  const app = createMockServer({ scenarios, journal, lint, as, allow, limits });
  const headers = { 'anthropic-version': '2023-06-01', ...readHeaders(options.headers) };
  const path = options.path ?? answerPath(options.protocol, 'mock-model');
  const response = await app.request(path, { method: 'POST', headers, body });
  const [entry] = journal.entries;
  if (entry === undefined)
    return { exitCode: 2, text: `${path} does not give answers of the model: ${await response.text()}` };
  return { exitCode: entry.status < 400 ? 0 : 1, text: describeEntry(entry) };
}

function describeEntry(entry: JournalEntry): string {
  const { status, protocol, path, model, tools, lint, notes = [], drift = [], error, served } = entry;
  const offered = tools.length === 0 ? 'no tools' : `tools ${tools.join(', ')}`;
  return [
    `${path} as ${protocol}, model ${model ?? 'unknown'}, ${offered}`,
    `${status} ${error === undefined ? describeSource(entry) : 'refused'}`,
    ...lint.map((finding) => `lint: ${finding}`),
    ...notes.map((note) => `note: ${note}`),
    ...drift.map(({ part, summary }) => `drift: ${part}: ${summary}`),
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
