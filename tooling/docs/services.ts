import { OVERFLOW_FORMS } from '../../mock-llm-server/services/overflow.ts';
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

/** The table of the refusals of a request that is too long, for docs/services.md. */
export function overflowTable(): string {
  const rows = SERVICES.flatMap(({ name }) => {
    const chat = OVERFLOW_FORMS[name]('openai-chat');
    const responses = OVERFLOW_FORMS[name]('openai-responses');
    const forms = chat === responses || !responses.isInStream ? [chat] : [chat, responses];
    return forms.map((form, index) => {
      const { source, date, window } = form;
      const conversation = { protocol: 'openai-chat', model: 'm', tools: [] } as const;
      const words = form.words({ tokens: window + 1, window, maxTokens: 0, conversation }).split('\n')[0] ?? '';
      return `| \`${name}\`${index === 1 ? ', Responses' : ''} | ${words.replaceAll('|', '\\|')} | ${linkOf(source)}, ${date} |`;
    });
  });
  return ['| Service | Words | Source |', '| --- | --- | --- |', ...rows].join('\n');
}

/** A source as a link with a short text: `owner/name#1` for an issue, the host for a page. */
function linkOf(source: string): string {
  if (!source.startsWith('https://')) return source;
  const [, repository, number] = /github\.com\/([^/]+\/[^/]+)\/(?:issues|pull|discussions)\/(\d+)/.exec(source) ?? [];
  return `[${repository === undefined ? new URL(source).hostname : `${repository}#${number}`}](${source})`;
}
