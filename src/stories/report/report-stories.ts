import type { Palette } from '../../app/terminal.ts';
import { escapeForTerminal, escapeLine } from '../../text/escape.ts';
import { describeDrift } from '../check-requests.ts';
import type { StoryResult } from '../play/play-story.ts';
import type { Shard } from './shard.ts';
import { type ReporterName, type TestCase, writeJunit } from './write-report.ts';

/** Facts that hold for all results. */
export interface ReportFacts {
  /** Value of `--agent`; absent when ybs plays. */
  readonly agent?: string | undefined;
  /** Reason why the agent can reach other hosts; absent when it cannot, or when ybs plays. */
  readonly reachable?: string | undefined;
  /** The part of the stories that this report is about. */
  readonly shard?: Shard | undefined;
}

/** Writes the report of a list of stories. */
export interface Reporter {
  /** Text before the first story. */
  start(facts: ReportFacts): string;
  /** Text after each story. */
  story(result: StoryResult): string;
  /** Text after the last story. */
  end(results: readonly StoryResult[], facts: ReportFacts): string;
}

/** True if a story failed, or none was played. */
export function hasFailed(results: readonly StoryResult[]): boolean {
  const played = results.filter(({ type }) => type !== 'skipped');
  return played.length === 0 || played.some(({ type }) => type === 'failed');
}

/** Creates a reporter. Only the report as text is coloured. */
export function createReporter(name: ReporterName, palette: Palette): Reporter {
  switch (name) {
    case 'text':
      return {
        start: ({ reachable }) =>
          reachable === undefined ? '' : `! the agent can reach other hosts: ${escapeForTerminal(reachable)}\n`,
        story: (result) => storyText(result, palette),
        end: totalsText,
      };
    case 'json':
      return { ...SILENT, end: reportJson };
    case 'junit':
      return { ...SILENT, end: reportJunit };
    default:
      return name satisfies never;
  }
}

const SILENT = { start: () => '', story: () => '' };

function countResults(results: readonly StoryResult[]): Readonly<Record<StoryResult['type'], number>> {
  const count = (type: StoryResult['type']) => results.filter((result) => result.type === type).length;
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
}

/** Report of one story: a line and its warning when it passed; otherwise also its problems and the directory of its files. */
export function storyText(result: StoryResult, palette: Palette): string {
  const name = escapeLine(result.name);
  const seconds = palette('dim', `(${(result.durationMs / 1000).toFixed(1)} s)`);
  switch (result.type) {
    case 'passed': {
      const { updated, warning, rebased } = result;
      const wrote = updated === undefined ? '' : `, wrote ${escapeLine(updated)}`;
      const line = `${palette('green', 'passed')} ${name} ${seconds}${wrote}\n`;
      const warned = warning === undefined ? '' : `  ${palette('yellow', 'warning')}: ${escapeForTerminal(warning)}\n`;
      return line + warned + rebasedText(rebased) + driftText(result, palette);
    }
    case 'skipped':
      return `${palette('yellow', 'skipped')} ${name}: ${escapeForTerminal(result.reason)}\n`;
    case 'failed': {
      const problems = result.problems.map((problem) => `${indent(escapeForTerminal(problem))}\n`).join('');
      const kept = result.kept === undefined ? '' : `  the files are kept in ${escapeForTerminal(result.kept)}\n`;
      return `${palette('red', 'FAILED')} ${name} ${seconds}\n${problems}${driftText(result, palette)}${kept}`;
    }
    default:
      return result satisfies never;
  }
}

/** True if `--rebase` has accepted the drift of a story. */
function isAccepted(result: StoryResult): boolean {
  return result.type === 'passed' && result.rebased !== undefined;
}

/** The drift of a story, each part with the lines that differ. */
function driftText(result: StoryResult, palette: Palette): string {
  const { drift = [] } = result;
  const word = isAccepted(result) ? 'accepted' : 'drift';
  return drift
    .map((part) => {
      const line = `  ${palette('yellow', word)}: ${escapeForTerminal(describeDrift(part, drift))}\n`;
      return part.diff === '' ? line : `${line}${indent(indent(escapeForTerminal(part.diff)))}\n`;
    })
    .join('');
}

/** State of a story's lock after the play, and the volatile texts of the story. */
function rebasedText(rebased: Extract<StoryResult, { readonly type: 'passed' }>['rebased']): string {
  if (rebased === undefined) return '';
  const { type, file, proposed, unexplained } = rebased;
  const found = proposed.map(
    ({ name, pattern = '', part = 'every part' }) => `volatile in ${part}: ${name}, ${pattern}`,
  );
  const open = unexplained.map((place) => `differs between two runs, add an entry to "volatile": ${place}`);
  const lines = [`${type === 'written' ? 'wrote' : 'unchanged:'} ${file}`, ...found, ...open];
  return lines.map((line) => `  ${escapeLine(line)}\n`).join('');
}

/**
 * The last line of the report: `11 passed, 0 failed`, after the number of skipped stories if there are any. A line
 * before it says what to do about drift.
 */
export function totalsText(results: readonly StoryResult[]): string {
  const { passed, failed, skipped } = countResults(results);
  const drifted = results.some((result) => result.drift !== undefined && !isAccepted(result));
  const hint = drifted ? 'prompts differ from their prompt.lock.json; ybs test --rebase accepts them\n' : '';
  return `${hint}${skipped === 0 ? '' : `${skipped} skipped, `}${passed} passed, ${failed} failed\n`;
}

/** The report as one line of JSON. */
function reportJson(results: readonly StoryResult[], facts: ReportFacts): string {
  return `${JSON.stringify({ ...countResults(results), ...facts, stories: results })}\n`;
}

function reportJunit(results: readonly StoryResult[], { agent = 'ybs', reachable }: ReportFacts): string {
  const tests = results.map((result): TestCase => {
    const { name, durationMs } = result;
    return { group: agent, name, durationMs, ...junitDetails(result) };
  });
  return writeJunit('ybs test', tests, reachable === undefined ? '' : `reachable: ${reachable}`);
}

function junitDetails(result: StoryResult): Pick<TestCase, 'verdict' | 'output'> {
  const { drift = [] } = result;
  const drifted = drift.map(
    (part) => `drift: ${describeDrift(part, drift)}${part.diff === '' ? '' : `\n${part.diff}`}`,
  );
  switch (result.type) {
    case 'passed':
      return {
        output: [...(result.warning === undefined ? [] : [`warning: ${result.warning}`]), ...drifted].join('\n'),
      };
    case 'skipped':
      return { verdict: { type: 'skipped', message: result.reason }, output: '' };
    case 'failed': {
      const [message = ''] = (result.problems[0] ?? '').split('\n');
      return {
        verdict: { type: 'failure', message, text: result.problems.join('\n') },
        output: [...drifted, ...(result.kept === undefined ? [] : [`the files are kept in ${result.kept}`])].join('\n'),
      };
    }
    default:
      return result satisfies never;
  }
}

function indent(text: string): string {
  return text.trimEnd().replaceAll(/^/gm, '  ');
}
