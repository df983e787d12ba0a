import type { ServiceName } from '../../conversation/conversation.ts';
import type { Check, Violation } from '../service.ts';
import { isSet } from './fields.ts';

/** The maximum of output tokens by service and model, from the pages that the rules of the services name. */
const OUTPUT_LIMITS: Partial<Record<ServiceName, readonly (readonly [models: RegExp, max: number])[]>> = {
  openai: [
    [/^gpt-4o(?!.*(?:2024-05|search|audio))/, 16_384],
    [/^gpt-4\.1/, 32_768],
    [/^(?:gpt-4-turbo|gpt-4-\d{4}-|gpt-3\.5-turbo(?!-16k))/, 4096],
    [/^(?:o1(?!-)|o3|o4)/, 100_000],
    [/^gpt-5/, 128_000],
  ],
  anthropic: [
    [/^claude-3-(?:opus|sonnet|haiku)-/, 4096],
    [/^claude-3-5-/, 8192],
    [/^claude-opus-4-(?:[01]|20)/, 32_000],
    [/^claude-(?:(?:sonnet|haiku)-4-(?:[05]|20)|opus-4-5)/, 64_000],
    [/^claude-(?:(?:opus|sonnet)-4-[6-9]|sonnet-5)(?!\d)/, 128_000],
  ],
  deepseek: [
    [/^deepseek-chat/, 8192],
    [/^deepseek-v4/, 393_216],
  ],
  dashscope: [[/^qwen3(?:\.[567])?-(?:max|plus|flash|coder)/, 65_536]],
  zai: [
    [/^glm-(?:5|4\.[67])(?!.*v)/, 131_072],
    [/^glm-(?:3|4)(?![.\d])/, 4095],
  ],
  groq: [
    [/^llama-3\.3-70b/, 32_768],
    [/^gpt-oss/, 65_536],
    [/^llama-3\.1-8b/, 131_072],
    [/^(?:llama-4|gemma2)/, 8192],
    [/^kimi-k2/, 16_384],
    [/^qwen3-32b/, 40_960],
  ],
};

/** The output limit that a request asks for, and that of its model. */
interface OutputLimit {
  readonly param: string;
  readonly wanted: number;
  readonly max: number;
  readonly model: string;
}

/** Refuses an output limit above that of the model, or below `min`. Of `fields`, the first one that is set counts. */
export function limitAnswer(
  service: ServiceName,
  describe: (limit: OutputLimit) => Violation,
  { fields = ['max_tokens'], min = Number.NEGATIVE_INFINITY }: { fields?: readonly string[]; min?: number } = {},
): Check {
  return ({ body, model }) => {
    const param = fields.find((field) => isSet(body[field])) ?? '';
    const { [param]: wanted } = body;
    if (typeof wanted !== 'number') return undefined;
    const name = model.replace(/^.*\//, '');
    const [, max] = OUTPUT_LIMITS[service]?.find(([models]) => models.test(name)) ?? [];
    return max === undefined || (wanted >= min && wanted <= max) ? undefined : describe({ param, wanted, max, model });
  };
}

/** Refuses a value of `reasoning_effort` that the model does not have. A model without a row has every value. */
export function refuseOtherEfforts(
  table: readonly (readonly [models: RegExp, efforts: readonly string[]])[],
  describe: (efforts: readonly string[], model: string) => Violation,
): Check {
  return ({ body: { reasoning_effort: effort }, model }) => {
    const name = model.replace(/^.*\//, '');
    const [, efforts] = table.find(([models]) => models.test(name)) ?? [];
    if (!isSet(effort) || efforts === undefined || efforts.includes(String(effort))) return undefined;
    return describe(efforts, model);
  };
}
