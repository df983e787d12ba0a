import type { Protocol } from '../../conversation/conversation.ts';
import { ofTools } from '../checks/fields.ts';
import { anthropic } from '../cloud/anthropic/anthropic.ts';
import { objectsOf, textOf } from '../raw.ts';
import { chatToMessages, writeTools } from './chat-to-messages.ts';
import { converseToMessages, writeConverseTools } from './converse-to-messages.ts';
import type { Relay } from './relay.ts';

/** Two tools of one name, which Anthropic refuses over its own protocol as well. */
const SAME_NAMES = {
  check: ofTools(({ body }) => {
    const names = objectsOf(body['tools']).map(({ name }) => textOf(name));
    return new Set(names).size < names.length ? { message: 'tools: Tool names must be unique.' } : undefined;
  }),
};

const same: Relay['translate'] = (body) => body;

/** How the body of a protocol becomes one of Anthropic's, and its tools alone. */
const TRANSLATIONS: Readonly<Partial<Record<Protocol, Pick<Relay, 'translate' | 'translateTools'>>>> = {
  'openai-chat': { translate: chatToMessages, translateTools: writeTools },
  'bedrock-converse': { translate: converseToMessages, translateTools: writeConverseTools },
};

/** Claude behind a protocol, with these rules of Anthropic by their last names. */
export function claudeBehind(protocol: Protocol, names: string, describe: Relay['describe']): Relay {
  const wanted = names.split(' ').map((name) => `anthropic/${name}`);
  const rules = anthropic.rules.filter(({ id }) => wanted.includes(id));
  const translation = TRANSLATIONS[protocol] ?? { translate: same, translateTools: same };
  const all = protocol === 'bedrock-converse' ? rules : [SAME_NAMES, ...rules];
  return { protocol: 'anthropic-messages', rules: all, ...translation, describe };
}
