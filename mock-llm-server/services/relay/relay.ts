import type { JsonObject, Protocol } from '../../conversation/conversation.ts';
import { ofTools } from '../checks/fields.ts';
import type { Check, RawRequest, Rule, Violation } from '../service.ts';

/** A rule of the maker of a model, as far as a relay needs it. */
type MakerRule = Pick<Rule, 'models' | 'check'>;

/** The way of a request through a gateway to the maker of a model. */
export interface Relay {
  readonly protocol: Protocol;
  /** The rules of the maker that the gateway does not keep by itself. */
  readonly rules: readonly MakerRule[];
  readonly translate: (body: JsonObject) => JsonObject;
  /** The tools of a translated body, without the rest of it. */
  readonly translateTools: (body: JsonObject) => JsonObject;
  /** The error of the gateway for one of the maker. */
  readonly describe: (violation: Violation, request: RawRequest) => Violation;
}

/** The translations of a gateway whose protocol is that of the maker. */
export const UNCHANGED: Pick<Relay, 'translate' | 'translateTools'> = {
  translate: (body) => body,
  translateTools: (body) => body,
};

/** The rules of a maker with these last names, in the order of the maker. Throws for a name that no rule has. */
export function rulesNamed(rules: readonly Rule[], maker: string, names: readonly string[]): readonly Rule[] {
  const ids = names.map((name) => `${maker}/${name}`);
  const missing = ids.find((id) => !rules.some((rule) => rule.id === id));
  if (missing !== undefined) throw new Error(`There is no rule ${missing}.`);
  return rules.filter(({ id }) => ids.includes(id));
}

/** Refuses what the maker of a model refuses of a request as the gateway hands it on. */
function refuseRelayed(
  { protocol, describe }: Relay,
  rules: readonly MakerRule[],
  translate: Relay['translate'],
): Check {
  return (request) => {
    const model = request.model.replace(/^.*\//, '');
    const relayed = { ...request, protocol, path: '', model, body: translate(request.body) };
    for (const { models, check } of rules) {
      const violation = (models?.test(model) ?? true) ? check(relayed) : undefined;
      if (violation !== undefined) return describe(violation, request);
    }
    return undefined;
  };
}

/** The rule of a relay; two of them if that of the tools, which an agent sends each time, has words of its own. */
export function relayRules(relay: Relay, rule: Omit<Rule, 'check'>, tools?: string): readonly Rule[] {
  if (tools === undefined) return [{ ...rule, check: refuseRelayed(relay, relay.rules, relay.translate) }];
  const isOfTools = ({ check }: MakerRule) => check.readsOnlyTools === true;
  const ofRest = relay.rules.filter((each) => !isOfTools(each));
  const checkTools = ofTools(refuseRelayed(relay, relay.rules.filter(isOfTools), relay.translateTools));
  return [
    { ...rule, id: `${rule.id}-tools`, refuses: tools, check: checkTools },
    { ...rule, check: refuseRelayed(relay, ofRest, relay.translate) },
  ];
}
