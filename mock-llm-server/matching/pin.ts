import { scenarioTagOf } from '../conversation/ids.ts';
import { type RequestFields, redactFirst } from '../journal/redact.ts';
import type { Scenario, ScenarioSet } from '../scenario/prepare.ts';
import { suggest } from '../scenario/suggest.ts';
import { cutText, decodePercent } from '../text.ts';

/** The scenario that a request names, and the step if it names one. */
export interface Pin {
  readonly type: 'pin';
  readonly scenario: Scenario;
  readonly step: number | undefined;
}

/** A pin to a scenario or a step that does not exist. */
export interface BadPin {
  readonly type: 'bad_pin';
  readonly message: string;
  /** The request parameter at fault; null for a header. */
  readonly param: 'model' | null;
}

const MODEL_PREFIX = 'mock/';
/** The suffix that Ollama's clients add to a model without a tag. */
const OLLAMA_TAG = /:latest$/;
const MAX_SHOWN = 200;

/** Reads the headers `x-mock-scenario` and `x-mock-step`, or else the model name `mock/NAME`. Pure. */
export function readPin(
  model: string,
  { headers = {}, secrets = [] }: RequestFields,
  set: ScenarioSet,
): Pin | BadPin | undefined {
  const header = headers['x-mock-scenario'];
  const name = header ?? (model.startsWith(MODEL_PREFIX) ? model.slice(MODEL_PREFIX.length) : undefined);
  const stepHeader = headers['x-mock-step'];
  if (name === undefined) {
    if (stepHeader === undefined) return undefined;
    return badHeader(
      'The header x-mock-step needs a scenario: add the header x-mock-scenario, or the model mock/NAME.',
    );
  }
  // A header cannot contain every name unescaped.
  const scenario =
    findByName(name, set) ??
    findByName(decodePercent(name), set) ??
    (header === undefined ? findByName(name.replace(OLLAMA_TAG, ''), set) : undefined);
  if (scenario === undefined) {
    const shown = cutText(redactFirst(name, MAX_SHOWN, secrets), MAX_SHOWN);
    const source = header === undefined ? 'the model of the request' : 'the header x-mock-scenario';
    const message = `There is no scenario "${shown}", which ${source} names. ${hintFor(name, set)}`;
    return { type: 'bad_pin', message, param: header === undefined ? 'model' : null };
  }
  if (stepHeader === undefined) return { type: 'pin', scenario, step: undefined };
  const step = /^\d{1,6}$/.test(stepHeader) ? Number(stepHeader) : Number.NaN;
  if (step < scenario.steps.length) return { type: 'pin', scenario, step };
  return badHeader(
    `Scenario "${scenario.name}" has no step ${JSON.stringify(stepHeader)}, which the header x-mock-step names: its steps ` +
      `are 0 to ${scenario.steps.length - 1}.`,
  );
}

function findByName(name: string, set: ScenarioSet): Scenario | undefined {
  const scenario = set.byTag.get(scenarioTagOf(name));
  return scenario?.name === name ? scenario : undefined;
}

function hintFor(name: string, { scenarios }: ScenarioSet): string {
  const [first] = scenarios;
  if (first === undefined) {
    return 'None is loaded; start the server with some: --scenarios PATH, in code the option scenarios.';
  }
  const names = scenarios.map((scenario) => scenario.name);
  const suggestion = suggest(name, names);
  return suggestion === undefined
    ? `No loaded scenario has a similar name; the first of ${names.length} is "${first.name}".`
    : `The nearest of ${names.length} loaded scenarios is "${suggestion}".`;
}

function badHeader(message: string): BadPin {
  return { type: 'bad_pin', message, param: null };
}
