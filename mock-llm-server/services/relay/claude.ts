import type { Protocol } from '../../conversation/conversation.ts';
import { ofTools } from '../checks/fields.ts';
import { anthropic } from '../cloud/anthropic/anthropic.ts';
import { objectsOf, textOf } from '../raw.ts';
import { chatToMessages, writeTools } from './chat-to-messages.ts';
import { converseToMessages, writeConverseTools } from './converse-to-messages.ts';
import { type Relay, rulesNamed, UNCHANGED } from './relay.ts';

/** Two tools of one name, which Anthropic refuses over its own protocol as well. */
const SAME_NAMES = {
  check: ofTools(({ body }) => {
    const names = objectsOf(body['tools']).map(({ name }) => textOf(name));
    return new Set(names).size < names.length ? { message: 'tools: Tool names must be unique.' } : undefined;
  }),
};

/** The translations of a body to Anthropic's protocol, and those of its tools alone, by its own protocol. */
const TRANSLATIONS: Readonly<Partial<Record<Protocol, Pick<Relay, 'translate' | 'translateTools'>>>> = {
  'openai-chat': { translate: chatToMessages, translateTools: writeTools },
  'bedrock-converse': { translate: converseToMessages, translateTools: writeConverseTools },
};

/** Claude behind a protocol, with these rules of Anthropic by their last names. */
export function claudeBehind(protocol: Protocol, names: string, describe: Relay['describe']): Relay {
  const rules = rulesNamed(anthropic.rules, 'anthropic', names.split(' '));
  const all = protocol === 'bedrock-converse' ? rules : [SAME_NAMES, ...rules];
  return { protocol: 'anthropic-messages', rules: all, ...(TRANSLATIONS[protocol] ?? UNCHANGED), describe };
}
