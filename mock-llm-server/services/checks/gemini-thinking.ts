import { missingSignature } from '../../wire/gemini/errors.ts';
import { objectOf, objectsOf, textOf } from '../raw.ts';
import type { Check, RawRequest } from '../service.ts';
import { isSet } from './fields.ts';
import { fieldOf } from './gemini.ts';

export function thinkingOf({ body }: Pick<RawRequest, 'body'>) {
  return objectOf(fieldOf(objectOf(fieldOf(body, 'generationConfig')), 'thinkingConfig'));
}

/** Refuses a budget of zero, for models that cannot answer without thinking. */
export const refuseNoBudget: Check = (request) =>
  fieldOf(thinkingOf(request), 'thinkingBudget') === 0
    ? { message: 'Budget 0 is invalid. This model only works in thinking mode.' }
    : undefined;

export const refuseThinkingBudget: Check = (request) =>
  isSet(fieldOf(thinkingOf(request), 'thinkingBudget'))
    ? { message: 'Thinking budget is not supported for this model.' }
    : undefined;

/** The budgets of models: https://ai.google.dev/gemini-api/docs/thinking */
const BUDGETS: readonly (readonly [models: RegExp, min: number, max: number])[] = [
  [/^gemini-2\.5-pro/, 128, 32_768],
  [/^gemini-2\.5-flash-lite/, 512, 24_576],
  [/^gemini-2\.5-flash/, 0, 24_576],
];

/** Refuses a budget that the model does not have. Zero turns thinking off, -1 leaves it to the model. */
export const limitThinkingBudget: Check = (request) => {
  const budget = fieldOf(thinkingOf(request), 'thinkingBudget');
  const [, min = 0, max = Number.POSITIVE_INFINITY] = BUDGETS.find(([models]) => models.test(request.model)) ?? [];
  if (typeof budget !== 'number' || budget === 0 || budget === -1 || (budget >= min && budget <= max)) return undefined;
  return { message: `The thinking budget ${budget} is invalid. Please choose a value between ${min} and ${max}.` };
};

/** Refuses a budget of thinking beside a level. */
export const refuseBudgetAndLevel: Check = (request) =>
  isSet(fieldOf(thinkingOf(request), 'thinkingBudget')) && isSet(fieldOf(thinkingOf(request), 'thinkingLevel'))
    ? { message: 'You can only set only one of thinking budget and thinking level.' }
    : undefined;

/** The levels of models: https://ai.google.dev/gemini-api/docs/thinking#thinking-levels */
const LEVELS: readonly (readonly [models: RegExp, levels: string])[] = [
  [/^gemma-4/, 'MINIMAL HIGH'],
  [/^(?:gemini-[12]|gemma-)/, ''],
  [/^gemini-3-pro/, 'LOW HIGH'],
  [/^gemini-(?:3\.1-pro|3\.7-flash)/, 'LOW MEDIUM HIGH'],
];

/** Refuses a thinking level that the model does not have. `describe` gets ` LEVEL`, or '' if it has no levels. */
export function refuseOtherLevels(describe: (level: string) => string): Check {
  return (request) => {
    const level = textOf(fieldOf(thinkingOf(request), 'thinkingLevel')).toUpperCase();
    const [, levels] = LEVELS.find(([models]) => models.test(request.model)) ?? [];
    if (level === '' || levels === undefined || levels.split(' ').includes(level)) return undefined;
    return { message: describe(levels && ` ${level}`) };
  };
}

/** Refuses calls of the last turn without the signature that the API gave them, in Chat Completions. */
export const requireChatSignatures: Check = ({ body, recall }) => {
  const messages = objectsOf(body['messages']);
  const start = messages.findLastIndex(({ role }) => role === 'user');
  for (const [offset, message] of messages.slice(start + 1).entries()) {
    const [call] = objectsOf(message['tool_calls']);
    if (call === undefined || recall(textOf(call['id']))?.reasoned === false) continue;
    if (isSet(objectOf(objectOf(call['extra_content'])['google'])['thought_signature'])) continue;
    return { message: missingSignature(textOf(objectOf(call['function'])['name']), start + offset + 2) };
  }
  return undefined;
};

/** Refuses a temperature outside of 0 to 2. */
export const limitTemperature: Check = ({ body }) => {
  const { temperature } = objectOf(fieldOf(body, 'generationConfig'));
  if (typeof temperature !== 'number' || (temperature >= 0 && temperature <= 2)) return undefined;
  return {
    message: `Unable to submit request because it has a temperature value of ${temperature} but the supported range is from 0 (inclusive) to 2.0001 (exclusive). Update the value and try again.`,
  };
};
