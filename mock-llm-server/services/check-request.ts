import type { Protocol, ServiceName } from '../conversation/conversation.ts';
import { isJsonObject } from '../conversation/json.ts';
import type { ReadRequest, RecallCall, WireError, WireRequest } from '../wire/wire.ts';
import type { RawRequest, Rule, RuleBasis } from './service.ts';
import { PROTOCOL_OWNERS, serviceNamed } from './services.ts';

/** A refusal of a service. */
export interface ServiceRefusal {
  readonly error: WireError;
  readonly rule: RuleBasis;
}

/** Finds the rules of a service that a request breaks, in the order of the service. */
export type CheckRequest = (
  read: ReadRequest,
  request: Pick<WireRequest, 'headers' | 'query' | 'path'> & Pick<RawRequest, 'isNamed' | 'calls'>,
  service: ServiceName | undefined,
  recall: RecallCall,
) => readonly ServiceRefusal[];

/** The most combinations of service, protocol and model whose rules are kept. */
const MAX_KEPT = 1000;

const NONE: readonly ServiceRefusal[] = [];

/** Creates a check of requests by all rules but the `allowed` ones. */
export function createCheckRequest(allowed: readonly string[] = []): CheckRequest {
  const kept = new Map<string, readonly Rule[]>();
  const rulesOf = (service: ServiceName | undefined, protocol: Protocol, model: string): readonly Rule[] => {
    const key = `${service} ${protocol} ${model}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const rules = applicableRules(service, protocol, model).filter(({ id }) => !allowed.includes(id));
    if (kept.size === MAX_KEPT) kept.clear();
    kept.set(key, rules);
    return rules;
  };
  return ({ conversation: { protocol, model }, json }, { headers, query, path, isNamed, calls }, service, recall) => {
    const rules = rulesOf(service, protocol, model);
    if (rules.length === 0 || !isJsonObject(json)) return NONE;
    const request = { protocol, model, body: json, headers, query, path, isNamed, calls, recall };
    return rules.flatMap((rule) => {
      const violation = rule.check(request);
      return violation === undefined ? [] : [{ error: { type: 'error', status: 400, code: null, ...violation }, rule }];
    });
  };
}

/** The rules for a model. A model of no service has those of the protocol that hold for every model. */
function applicableRules(service: ServiceName | undefined, protocol: Protocol, model: string): readonly Rule[] {
  const name = model.replace(/^.*\//, '');
  const { rules } = serviceNamed(service ?? PROTOCOL_OWNERS[protocol]);
  return rules.filter(({ protocols, models, only }) => {
    if (!protocols.includes(protocol)) return false;
    return service === undefined ? models === undefined && only !== true : (models?.test(name) ?? true);
  });
}
