import { objectOf } from '../raw.ts';
import type { Check, Violation } from '../service.ts';
import { isSet } from './fields.ts';

/** Refuses the first of the parameters whose value is set and is not the default. */
export function refuseChangedParameters(
  defaults: Readonly<Record<string, unknown>>,
  describe: (name: string) => Violation,
): Check {
  const names = Object.entries(defaults).map(([name, value]) => [name, JSON.stringify(value)] as const);
  return ({ body }) => {
    const found = names.find(([name, value]) => isSet(body[name]) && JSON.stringify(body[name]) !== value);
    return found === undefined ? undefined : describe(found[0]);
  };
}

/** The words of a list in English: `'low', 'medium', and 'high'`. */
export function listInWords(values: readonly string[]): string {
  const quoted = values.map((value) => `'${value}'`);
  if (quoted.length < 3) return quoted.join(' and ');
  return `${quoted.slice(0, -1).join(', ')}, and ${quoted.at(-1)}`;
}

/** Refuses an effort that the model does not have, in the words of OpenAI. A model that the table lacks has any. */
export function refuseEffort(table: readonly (readonly [models: RegExp, efforts: readonly string[]])[]): Check {
  return ({ protocol, body, model }) => {
    const isChat = protocol === 'openai-chat';
    const effort = isChat ? body['reasoning_effort'] : objectOf(body['reasoning'])['effort'];
    const name = model.replace(/^.*\//, '');
    const [, all] = table.find(([models]) => models.test(name)) ?? [];
    // Only Responses has the highest effort.
    const efforts = isChat ? all?.filter((one) => one !== 'max') : all;
    if (typeof effort !== 'string' || efforts === undefined || efforts.includes(effort)) return undefined;
    const supported = `Supported values are: ${listInWords(efforts)}.`;
    return {
      message: isChat
        ? `Unsupported value: 'reasoning_effort' does not support '${effort}' with this model. ${supported}`
        : `Unsupported value: '${effort}' is not supported with the '${name}' model. ${supported}`,
      param: isChat ? 'reasoning_effort' : 'reasoning.effort',
      code: 'unsupported_value',
    };
  };
}
