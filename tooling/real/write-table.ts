import { readFile, writeFile } from 'node:fs/promises';
import type { ServerFact } from '../../test/real/server-facts.ts';
import { addressName, type CheckResult, type ServerResult } from './results.ts';

/** The mark of the block in the page. */
const BEGIN = '<!-- real servers: written by npm run test:real -- --write-table -->';
const END = '<!-- /real servers -->';

/** The print width of the pages. */
const WIDTH = 120;

/** Parts of the page that come with the results. */
export interface TableTexts {
  readonly checks: readonly string[];
  readonly facts: readonly ServerFact[];
  /** The day of the run, such as 2026-11-28. */
  readonly day: string;
}

/** Writes the results into the block of a page. Rows of servers that did not run stay as they are. */
export async function writeTable(page: string, servers: readonly ServerResult[], texts: TableTexts): Promise<void> {
  await writeFile(page, withTable(await readFile(page, 'utf8'), servers, texts));
}

/** The page with the results in its block. Throws if it has no such block. */
export function withTable(page: string, servers: readonly ServerResult[], texts: TableTexts): string {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from === -1 || to < from) throw new Error(`the page has no block ${BEGIN}`);
  const { checks, facts, day } = texts;
  const ran = servers.flatMap(({ server, outcome }) => (outcome.type === 'ran' ? [{ server, outcome }] : []));
  const names = new Set(ran.map(({ server }) => server.name));
  const kept = page
    .slice(from, to)
    .split('\n')
    .filter((line) => /^\| `([^`]+)`/.test(line) && !names.has(/^\| `([^`]+)`/.exec(line)?.[1] ?? ''));
  const fresh = ran.flatMap(({ server, outcome: { results } }) => {
    const addresses = [...new Set(results.map(({ address }) => addressName(address)))];
    return addresses.map((name) => {
      const own = results.filter(({ address }) => addressName(address) === name);
      return `| ${[`\`${server.name}\``, server.version, name, day, ...cellsOf(own)].join(' | ')} |`;
    });
  });
  const rows = [...kept, ...fresh].toSorted((left, right) => compareServers(left, right));
  const used = new Set(rows.flatMap((row) => [...row.matchAll(/fact (\d+)/g)].map(([, number]) => Number(number))));
  const usedFacts = facts.filter(({ number }) => used.has(number));
  const block = [
    BEGIN,
    '',
    wrapped(`The checks: ${checks.join('; ')}.`),
    '',
    '| Server | Version | Wire | Day | Passed | Failed | Not possible, or not run |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
    ...usedFacts.flatMap(({ number, server, version, date, fact }) => [
      '',
      wrapped(`Fact ${number}, seen with ${server} ${version} on ${date}: ${fact}`),
    ]),
    '',
    '',
  ];
  return page.slice(0, from) + block.join('\n').replace(/\n+$/, '\n\n') + page.slice(to);
}

function cellsOf(results: readonly CheckResult[]): readonly string[] {
  const passed = results.filter(({ outcome }) => outcome.type === 'passed').length;
  const failed = results.flatMap(({ check, outcome }) => (outcome.type === 'failed' ? [check] : []));
  const other = results.flatMap(({ check, outcome }) => {
    if (outcome.type === 'fact') return [`${check} (fact ${outcome.number})`];
    if (outcome.type === 'passed' && outcome.facts.length > 0) {
      return [`parts of: ${check} (${outcome.facts.map((number) => `fact ${number}`).join(', ')})`];
    }
    return outcome.type === 'not run' ? [check] : [];
  });
  return [`${passed} of ${results.length}`, failed.join('; ') || '–', other.join('; ') || '–'];
}

function compareServers(left: string, right: string): number {
  const [a = '', b = ''] = [left, right].map((row) => /^\| `([^`]+)`/.exec(row)?.[1] ?? '');
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A text in lines of the print width. */
function wrapped(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines.join('\n');
}
