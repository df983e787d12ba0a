import type { JsonObject, Protocol } from '../../conversation/conversation.ts';
import { ofTools } from '../checks/fields.ts';
import type { Check, RawRequest, Rule, Violation } from '../service.ts';

/** A rule of the maker of a model, as far as a relay needs it. */
type MakerRule = Pick<Rule, 'models' | 'check'>;

/** How a gateway hands on requests to the maker of a model. */
export interface Relay {
  /** The protocol of the maker. */
  readonly protocol: Protocol;
  /** The rules of the maker that the gateway does not keep by itself. */
  readonly rules: readonly MakerRule[];
  readonly translate: (body: JsonObject) => JsonObject;
  /** The tools of a translated body, without the rest of it. */
  readonly translateTools: (body: JsonObject) => JsonObject;
  /** The error of the gateway for one of the maker. */
  readonly describe: (violation: Violation, request: RawRequest) => Violation;
}

/** Refuses what the maker of a model refuses of a request as the gateway hands it on. */
function refuseRelayed(
  { protocol, describe }: Relay,
  rules: readonly MakerRule[],
  translate: Relay['translate'],
): Check {
  return (request) => {
    const model = request.model.replace(/^.*\//, '');
    const relayed = { ...request, protocol, model, body: translate(request.body) };
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
