import type { Protocol, ServiceName } from '../../conversation/conversation.ts';
import type { Rule, Service } from '../service.ts';
import { shareRules } from '../share-rules.ts';
import { CLOUD_LACKS } from './cloud-lacks.ts';
import type { Lack } from './lacks.ts';
import { NEEDS } from './needs.ts';
import { OPEN_LACKS } from './open-lacks.ts';

/** The services whose own protocol is not Chat Completions. */
const OWN: Readonly<Record<string, Protocol>> = { gemini: 'gemini', vertex: 'gemini', bedrock: 'bedrock-converse' };
/** The services that serve the models of another one. */
const SHARED: Partial<Readonly<Record<ServiceName, ServiceName>>> = { azure: 'openai', 'vllm-without-parser': 'vllm' };

const RULES: readonly Rule[] = Object.entries({ ...CLOUD_LACKS, ...OPEN_LACKS }).map(([id, row]) => ruleOf(id, row));

/** The service with the rules for what its models cannot do, which it checks before all others. */
export function withAbilities({ rules, ...service }: Service): Service {
  const { name } = service;
  // A deployment with the name gpt-4 may be of a later version, which reads pictures.
  const more = shareRules(name, rulesFor(SHARED[name]), name === 'azure' ? ['picture'] : []);
  return { ...service, name, rules: [...rulesFor(name), ...more, ...rules] };
}

function rulesFor(service: ServiceName | undefined): readonly Rule[] {
  return RULES.filter(({ id }) => id.startsWith(`${service}/`));
}

function ruleOf(id: string, { lacks, models, source, says, protocols }: Lack): Rule {
  const [service = '', name = ''] = id.split('/');
  const need = NEEDS[lacks ?? name];
  if (need === undefined) throw new Error(`There is no ability for the rule ${id}.`);
  return {
    id,
    protocols: protocols ?? [OWN[service] ?? 'openai-chat'],
    models: models[0],
    refuses: `${need[0]} with ${models[1]}`,
    accepts: 'the same with another model',
    source: source[0],
    date: source[1],
    check: (request) => {
      const found = need[1](request);
      if (found === undefined) return undefined;
      return typeof says === 'function' ? says(request, found) : says;
    },
  };
}
