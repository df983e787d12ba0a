import { countOf } from '../text.ts';
import type { ScenarioUse, VerifyReport } from './report.ts';
import { describeFaultVerdict } from './resilience.ts';

const MAX_NAMED = 20;
const MAX_ARGUMENTS = 100;

/** A report for a terminal. Texts of requests are on one line each. */
export function renderText(report: VerifyReport): string {
  const { passed, test, requests, dropped, problems } = report;
  const whose = test === undefined ? '' : ` of test ${JSON.stringify(test)}`;
  const lost = dropped === 0 ? '' : `, the details of ${dropped} are lost`;
  const verdict = passed ? 'passed' : `failed: ${countOf(problems.length, 'problem')}`;
  return [
    `${verdict} (${countOf(requests, 'request')}${whose}${lost})`,
    ...problems.map(({ kind, message }) => `  ${kind}: ${oneLine(message)}`),
    ...describeScenarios(report.scenarios),
    ...describeCalls(report),
    ...describeNotes(report),
    ...describeResilience(report),
    ...describeCache(report),
    ...describeDrift(report),
  ].join('\n');
}

function describeScenarios(scenarios: VerifyReport['scenarios']): readonly string[] {
  const started = scenarios.filter(({ used }) => used.length > 0);
  return listOf(`scenarios: ${started.length} of ${scenarios.length} used`, started, ({ name, used, unused }) => {
    return `${JSON.stringify(name)}: ${used.length} of ${countOf(used.length + unused.length, 'step')}`;
  });
}

function describeCalls({ toolCalls }: VerifyReport): readonly string[] {
  return listOf(`tool calls: ${toolCalls.length}`, toolCalls, ({ request, name, arguments: text }) => {
    const start = text.length > MAX_ARGUMENTS ? `${text.slice(0, MAX_ARGUMENTS)}…` : text;
    return `request ${request}: ${name} ${oneLine(start)}`;
  });
}

function describeNotes({ notes }: VerifyReport): readonly string[] {
  if (notes.length === 0) return [];
  return listOf(`notes: ${notes.length}`, notes, ({ request, message }) => `request ${request}: ${oneLine(message)}`);
}

function describeResilience({ resilience: { faults, repeated } }: VerifyReport): readonly string[] {
  const lines = listOf(`faults: ${faults.length}`, faults, (verdict) => {
    return `${verdict.ok ? 'ok' : 'not ok'}: ${describeFaultVerdict(verdict)}`;
  });
  const needless = repeated.filter((each) => each.needless > 0);
  const [, ...repeats] = listOf('', needless, ({ request, times, needless: count }) => {
    return `request ${request} was sent ${countOf(times, 'time')}, ${count} of them after an answer`;
  });
  return [...lines, ...repeats];
}

function describeCache({ cache: { continued, stable, breaks, tokens } }: VerifyReport): readonly string[] {
  const cost =
    breaks.length === 0 ? '' : `; the others repeat about ${countOf(tokens, 'token')} that no cache can serve`;
  const total = `cache: ${stable} of ${countOf(continued, 'continued request')} begin with the whole earlier prompt`;
  return listOf(total + cost, breaks, ({ request, previous, part, tokens: count }) => {
    return `request ${request} after ${previous}: ${part}, about ${countOf(count, 'token')}`;
  });
}

function describeDrift({ drift }: VerifyReport): readonly string[] {
  if (drift.length === 0) return [];
  return listOf(`drift: ${drift.length}`, drift, ({ scenario, step, part, summary }) => {
    return `step ${step} of ${JSON.stringify(scenario)}: ${part}: ${oneLine(summary)}`;
  });
}

/** A title and a line for each of the first items. */
function listOf<Item>(title: string, items: readonly Item[], describe: (item: Item) => string): readonly string[] {
  const more = items.length - MAX_NAMED;
  const lines = items.slice(0, MAX_NAMED).map((item) => `  ${describe(item)}`);
  return [title, ...lines, ...(more > 0 ? [`  and ${more} more`] : [])];
}

/** Control characters of a request must not reach a terminal, and a line break would look like another line. */
function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ').replace(/[\p{Cc}\u2028\u2029]/gu, '�');
}

/**
 * A report as JUnit XML: a test case for each scenario that was started, for each problem without a scenario, and one
 * for the requests as a whole, so that a report is never empty.
 */
export function renderJunit(report: VerifyReport): string {
  const { problems, scenarios, requests } = report;
  const started = scenarios.filter(({ name, used, pastEnd }) => {
    return used.length > 0 || pastEnd > 0 || problems.some(({ scenario }) => scenario === name);
  });
  const others = problems.filter(({ scenario }) => scenario === undefined);
  const cases = [
    { name: countOf(requests, 'request'), failures: others.map(({ kind, message }) => `${kind}: ${message}`) },
    ...started.map(({ name }: ScenarioUse) => {
      const own = problems.filter(({ scenario }) => scenario === name);
      return { name, failures: own.map(({ kind, message }) => `${kind}: ${message}`) };
    }),
  ];
  const failed = cases.filter(({ failures }) => failures.length > 0).length;
  const suite = report.test === undefined ? 'mock-llm-server' : `mock-llm-server ${report.test}`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="${escapeXml(suite)}" tests="${cases.length}" failures="${failed}">`,
    ...cases.flatMap(({ name, failures }) => [
      `  <testcase classname="mock-llm-server" name="${escapeXml(name)}"${failures.length === 0 ? '/>' : '>'}`,
      ...(failures.length === 0 ? [] : [`    <failure>${escapeXml(failures.join('\n'))}</failure>`, '  </testcase>']),
    ]),
    '</testsuite>',
  ].join('\n');
}

/** XML has no form for most control characters, even escaped. */
function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '�')
    .replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
