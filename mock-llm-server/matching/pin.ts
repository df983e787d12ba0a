import { scenarioTagOf } from '../conversation/ids.ts';
import { isJsonObject } from '../conversation/json.ts';
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
  readonly param: 'model' | 'metadata' | null;
}

/** The scenario and the step that the metadata of a request name. */
export interface MetadataPin {
  readonly scenario?: string | undefined;
  readonly step?: string | undefined;
}

const MODEL_PREFIX = 'mock/';
/** The suffix that Ollama's clients add to a model without a tag. */
const OLLAMA_TAG = /:latest$/;
const MAX_SHOWN = 200;

/** The scenario and the step that the metadata of a body name; undefined if they name none. Gemini calls them labels. */
export function readMetadataPin(json: unknown): MetadataPin | undefined {
  const metadata = isJsonObject(json) ? (json['metadata'] ?? json['labels']) : undefined;
  if (!isJsonObject(metadata)) return undefined;
  const { mock_scenario: scenario, mock_step: step } = metadata;
  if (scenario === undefined && step === undefined) return undefined;
  return { scenario: textOf(scenario), step: textOf(step) };
}

function textOf(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : String(value);
}

/** The places of a pin, for errors. */
const HEADER = { param: null, scenario: 'the header x-mock-scenario', step: 'the header x-mock-step' } as const;
const METADATA = {
  param: 'metadata',
  scenario: 'the metadata mock_scenario',
  step: 'the metadata mock_step',
} as const;

/**
 * Reads the headers `x-mock-scenario` and `x-mock-step`, or else the same in the metadata of the request, or else the
 * model name `mock/NAME`. Pure.
 */
export function readPin(
  model: string,
  { headers = {}, secrets = [] }: RequestFields,
  set: ScenarioSet,
  metadata: MetadataPin = {},
): Pin | BadPin | undefined {
  const explicit = headers['x-mock-scenario'] ?? metadata.scenario;
  const name = explicit ?? (model.startsWith(MODEL_PREFIX) ? model.slice(MODEL_PREFIX.length) : undefined);
  const stepText = headers['x-mock-step'] ?? metadata.step;
  const scenarioPlace = headers['x-mock-scenario'] === undefined ? METADATA : HEADER;
  const stepPlace = headers['x-mock-step'] === undefined ? METADATA : HEADER;
  if (name === undefined) {
    if (stepText === undefined) return undefined;
    return badPin(
      `${capitalize(stepPlace.step)} needs a scenario: add ${stepPlace.scenario}, or the model mock/NAME.`,
      stepPlace.param,
    );
  }
  // A header cannot contain every name unescaped.
  const scenario =
    findByName(name, set) ??
    findByName(decodePercent(name), set) ??
    (explicit === undefined ? findByName(name.replace(OLLAMA_TAG, ''), set) : undefined);
  if (scenario === undefined) {
    const shown = cutText(redactFirst(name, MAX_SHOWN, secrets), MAX_SHOWN);
    const source = explicit === undefined ? 'the model of the request' : scenarioPlace.scenario;
    const message = `There is no scenario "${shown}", which ${source} names. ${hintFor(name, set)}`;
    return badPin(message, explicit === undefined ? 'model' : scenarioPlace.param);
  }
  if (stepText === undefined) return { type: 'pin', scenario, step: undefined };
  const step = /^\d{1,6}$/.test(stepText) ? Number(stepText) : Number.NaN;
  if (step < scenario.steps.length) return { type: 'pin', scenario, step };
  return badPin(
    `Scenario "${scenario.name}" has no step ${JSON.stringify(stepText)}, which ${stepPlace.step} names: its steps are 0 ` +
      `to ${scenario.steps.length - 1}.`,
    stepPlace.param,
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

function badPin(message: string, param: BadPin['param']): BadPin {
  return { type: 'bad_pin', message, param };
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
