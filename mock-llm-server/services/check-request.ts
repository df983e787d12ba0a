import type { Protocol, ServiceName } from '../conversation/conversation.ts';
import { isJsonObject } from '../conversation/json.ts';
import type { ReadRequest, RecallCall, WireError, WireRequest } from '../wire/wire.ts';
import { objectOf } from './raw.ts';
import { holdsFor, type RawRequest, type Rule, type RuleBasis, type Violation } from './service.ts';
import { PROTOCOL_OWNERS, serviceNamed } from './services.ts';

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
  const verdictsOf = createToolVerdicts();
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
    const tools = json['tools'] ?? objectOf(json['toolConfig'])['tools'];
    const verdicts = verdictsOf(`${service} ${protocol} ${model}`, tools);
    const refusals: ServiceRefusal[] = [];
    for (const rule of rules) {
      const violation = rule.check.readsOnlyTools ? verdicts.of(rule, request) : rule.check(request);
      if (violation === undefined) continue;
      refusals.push({ error: { type: 'error', status: 400, code: null, ...violation }, rule });
    }
    return refusals;
  };
}

/** The verdicts of rules on a list of tools. */
interface ToolVerdicts {
  of(rule: Rule, request: RawRequest): Violation | undefined;
}

/** The maximum number of characters of the tools whose verdicts are kept. */
const MAX_KEPT_CHARACTERS = 2_000_000;

/** Keeps the verdicts of the rules that read only tools, by the text of the tools, until these become too many. */
function createToolVerdicts(): (key: string, tools: unknown) => ToolVerdicts {
  const kept = new Map<string, ToolVerdicts>();
  let size = 0;
  return (key, tools) => {
    const text = `${key} ${JSON.stringify(tools)}`;
    const known = kept.get(text);
    if (known !== undefined) return known;
    const found = new Map<Rule, Violation | undefined>();
    const verdicts: ToolVerdicts = {
      of(rule, request) {
        if (!found.has(rule)) found.set(rule, rule.check(request));
        return found.get(rule);
      },
    };
    size += text.length;
    if (size > MAX_KEPT_CHARACTERS) {
      kept.clear();
      size = text.length;
    }
    kept.set(text, verdicts);
    return verdicts;
  };
}

/** The rules for a model. A model of no service has those of the protocol that hold for every model. */
function applicableRules(service: ServiceName | undefined, protocol: Protocol, model: string): readonly Rule[] {
  const name = model.replace(/^.*\//, '');
  const { rules } = serviceNamed(service ?? PROTOCOL_OWNERS[protocol]);
  return rules.filter((rule) => {
    if (!holdsFor(rule, protocol)) return false;
    const { models, only } = rule;
    return service === undefined ? models === undefined && only !== true : (models?.test(name) ?? true);
  });
}
