import { RULES, SERVICES } from '../../mock-llm-server/services/services.ts';

/** The table of the rules of all services, for docs/services.md. */
export function ruleTable(): string {
  const rows = RULES.map(
    ({ id, refuses, accepts, source, date }) => `| \`${id}\` | ${refuses} | ${accepts} | ${linkOf(source)}, ${date} |`,
  );
  return [
    '| Rule | Refused | Accepted | Source |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
    `${RULES.length} rules of ${SERVICES.filter(({ rules }) => rules.length > 0).length} services.`,
  ].join('\n');
}

/** A source as a link with a short text: `owner/name#1` for an issue, the host for a page. */
function linkOf(source: string): string {
  if (!source.startsWith('https://')) return source;
  const [, repository, number] = /github\.com\/([^/]+\/[^/]+)\/(?:issues|pull|discussions)\/(\d+)/.exec(source) ?? [];
  return `[${repository === undefined ? new URL(source).hostname : `${repository}#${number}`}](${source})`;
}
