import { escapeForTerminal } from '../../text/escape.ts';

export const REPORTERS = ['text', 'json', 'junit'] as const;

/** A format of the report. */
export type ReporterName = (typeof REPORTERS)[number];

/** A test case of a report in the XML of JUnit. */
export interface TestCase {
  readonly group: string;
  readonly name: string;
  readonly durationMs: number;
  /** Absent if the test passed. */
  readonly verdict?: {
    readonly type: 'failure' | 'error' | 'skipped';
    readonly message: string;
    /** The whole explanation, of which `message` is the summary. */
    readonly text?: string;
  };
  /** More about the test; empty if there is nothing. */
  readonly output: string;
}

/** A report in the XML of JUnit, as CI services read it; `output` is about the whole suite, and may be empty. */
export function writeJunit(suite: string, tests: readonly TestCase[], output: string): string {
  const count = (type: NonNullable<TestCase['verdict']>['type']) =>
    tests.filter(({ verdict }) => verdict?.type === type).length;
  const time = seconds(tests.reduce((sum, { durationMs }) => sum + durationMs, 0));
  const totals =
    `tests="${tests.length}" failures="${count('failure')}" errors="${count('error')}" ` +
    `skipped="${count('skipped')}" time="${time}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${totals}>`,
    `  <testsuite name="${escapeMarkup(suite)}" ${totals}>`,
    ...tests.flatMap((test) => {
      const { verdict } = test;
      const inside = [
        ...(verdict === undefined ? [] : [element(verdict.type, verdict.text, verdict.message)]),
        ...outputOf(test.output),
      ].map((line) => `      ${line}`);
      const start = `    <testcase classname="${escapeMarkup(test.group)}" name="${escapeMarkup(test.name)}" time="${seconds(test.durationMs)}"`;
      return inside.length === 0 ? [`${start}/>`] : [`${start}>`, ...inside, '    </testcase>'];
    }),
    ...outputOf(output).map((line) => `    ${line}`),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function outputOf(text: string): readonly string[] {
  return text === '' ? [] : [element('system-out', text)];
}

function element(name: string, text: string | undefined, message?: string): string {
  const start = message === undefined ? name : `${name} message="${escapeMarkup(message)}"`;
  return text === undefined ? `<${start}/>` : `<${start}>${escapeMarkup(text)}</${name}>`;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

/** Text for XML and HTML, without the control characters that it cannot contain. */
export function escapeMarkup(text: string): string {
  return escapeForTerminal(text).replaceAll(/[&<>"']/g, (character) => ENTITIES.get(character) ?? character);
}
