import { SERVICE_NAMES, type ServiceName } from '../conversation/conversation.ts';
import { HISTORY_RULES } from '../matching/history/check-history.ts';
import { suggest } from '../scenario/suggest.ts';
import { readServiceName } from './choose-service.ts';
import { RULES } from './services.ts';

/** The sentence about a name that no service has, with the nearest one and all others. */
export function explainServiceName(text: string): string {
  const nearest = suggest(text, SERVICE_NAMES);
  const hint = nearest === undefined ? '.' : `; did you mean ${nearest}?`;
  return `There is no service "${text}"${hint} The services are ${SERVICE_NAMES.join(', ')}.`;
}

/** The service of this name. Throws an error that lists the services. */
export function checkServiceName(text: string): ServiceName {
  const name = readServiceName(text);
  if (name === undefined) throw new Error(explainServiceName(text));
  return name;
}

/** The ids. Throws an error that names the nearest rule if one is unknown. */
export function checkRuleIds(ids: readonly string[]): readonly string[] {
  const known: readonly string[] = [...RULES.map(({ id }) => id), ...HISTORY_RULES];
  for (const id of ids) {
    if (known.includes(id)) continue;
    const nearest = suggest(id, known);
    throw new Error(
      `There is no rule "${id}"${nearest === undefined ? '.' : `; did you mean ${nearest}?`} docs/services.md lists them.`,
    );
  }
  return ids;
}
