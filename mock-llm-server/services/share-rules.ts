import type { Protocol, ServiceName } from '../conversation/conversation.ts';
import type { Rule } from './service.ts';

/** The rules of a service, by the last part of their names, in the order in which they are checked. */
export function rulesOf(service: ServiceName, rules: Readonly<Record<string, Omit<Rule, 'id'>>>): readonly Rule[] {
  return Object.entries(rules).map(([name, rule]) => ({ id: `${service}/${name}`, ...rule }));
}

/** The rules of a service as in `rulesOf`, for these protocols unless one names its own. */
export function rulesOver(
  service: ServiceName,
  protocols: readonly Protocol[],
  rules: Readonly<Record<string, Omit<Rule, 'id'>>>,
): readonly Rule[] {
  return rulesOf(service, rules).map((rule) => ({ protocols, ...rule }));
}

/** The rules of another service under the name of one that shares them, but for those named by their last part. */
export function shareRules(name: ServiceName, rules: readonly Rule[], except: readonly string[] = []): readonly Rule[] {
  return rules.flatMap((rule) => {
    const own = rule.id.slice(rule.id.indexOf('/') + 1);
    return except.includes(own) ? [] : [{ ...rule, id: `${name}/${own}`, origin: rule.id }];
  });
}
