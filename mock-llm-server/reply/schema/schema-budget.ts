import type { JsonObject } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';

/** What may still be done for the instances of one answer, and how long these may still become. */
export interface Budget {
  steps: number;
  characters: number;
}

const MAX_STEPS = 200_000;
const MAX_CHARACTERS = 1_000_000;
/** So many characters are read in about the time of one step. */
const CHARACTERS_A_STEP = 64;

/** What the instances of one answer may cost: a fraction of a second, and a megabyte. */
export function createBudget(): Budget {
  return { steps: MAX_STEPS, characters: MAX_CHARACTERS };
}

/** Whether nothing is left to go on with. */
export function isSpent({ steps, characters }: Budget): boolean {
  return steps <= 0 || characters <= 0;
}

/** Takes the steps of looking at a schema: for each keyword, and for each entry of what it says. */
export function spendOnSchema(schema: JsonObject, budget: Budget): void {
  budget.steps--;
  for (const value of Object.values(schema)) budget.steps -= 1 + sizeOf(value);
}

/** Takes the steps of looking at all entries of a value, or at all characters of a text. */
export function spendOnValue(value: unknown, budget: Budget): void {
  budget.steps -= sizeOf(value);
}

/** A value as JSON; takes the steps of writing it. */
export function writeJson(value: unknown, budget: Budget): string {
  const json = JSON.stringify(value);
  spendOnValue(json, budget);
  return json;
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Math.ceil(value.length / CHARACTERS_A_STEP);
  if (Array.isArray(value)) return value.length;
  return isJsonObject(value) ? Object.keys(value).length : 0;
}
