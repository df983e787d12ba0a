import { describe, expect, it } from 'vitest';
import { createScenarioSet } from '../../../../mock-llm-server/scenario/prepare.ts';
import { createMockServer } from '../../../../mock-llm-server/server/app.ts';
import { callAndResult, chat, functionTool, type Json, user } from './cases/case.ts';

const app = createMockServer({ scenarios: { ...createScenarioSet([]), defaultResponse: 'Hello.' } });

/** A model of a service with what its requests need, and one changed value in a row, with words of the refusal. */
interface Stated {
  readonly model: string;
  readonly base?: Json;
  readonly status?: number;
  readonly rows: readonly (readonly [fields: Json, says: string])[];
}

const tool = functionTool();
const property = (schema: Json) => ({ tools: [functionTool({ properties: { a: schema } })] });
const deep = (levels: number): Json =>
  levels === 0 ? { type: 'string' } : { type: 'object', properties: { a: deep(levels - 1) } };
const unread = 'Failed to deserialize the JSON body into the target type: ';
const dash = '<400> InternalError.Algo.InvalidParameter: ';

/**
 * Constraints of published schemas and references: groq-python, cerebras-cloud-sdk-python, client-python of Mistral and
 * openapi of Together and OpenRouter, `server-schema.cpp` of llama.cpp, `protocol.py` and `sampling_params.py` of SGLang
 * and vLLM. The words of DeepSeek V4, Kimi K3, GLM-5.3 and DashScope were measured in August and September 2026.
 */
const STATED: Readonly<Record<string, Stated>> = {
  openai: {
    model: 'gpt-4.1',
    rows: [
      [
        { messages: [user([{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'huge' } }])] },
        "Invalid value: 'huge'. Supported values are: 'low', 'high', 'auto', and 'original'.",
      ],
    ],
  },
  deepseek: {
    model: 'deepseek-v4-pro',
    base: { thinking: { type: 'disabled' } },
    rows: [
      [{ presence_penalty: 2.5 }, 'Invalid presence_penalty value, the valid range of presence_penalty is [-2, 2]'],
      [{ frequency_penalty: -2.5 }, 'Invalid frequency_penalty value, the valid range of frequency_penalty is [-2, 2]'],
      [{ logprobs: true, top_logprobs: -1 }, `${unread}top_logprobs: invalid value: integer \`-1\`, expected u8`],
      [{ top_p: 0 }, 'Invalid top_p value, the valid range of top_p is (0, 1.0]'],
      [{ stop: Array.from('abcdefghijklmnopq') }, 'Stop string array too long: 17'],
      [{ logprobs: true, top_logprobs: 21 }, 'Invalid top_logprobs value, the valid range of top_logprobs is [0, 20].'],
      [
        { top_logprobs: 5 },
        'Invalid top_logprobs and logprobs value, logprobs must be set to true if top_logprobs is used.',
      ],
      [
        { reasoning_effort: 'extreme' },
        `${unread}reasoning_effort: unknown variant \`extreme\`, expected one of \`none\`, \`minimal\`, \`low\`, \`medium\`, \`high\`, \`xhigh\`, \`max\``,
      ],
      [{ thinking: { type: 'on' } }, `${unread}thinking.type: unknown variant \`on\``],
    ],
  },
  moonshot: {
    model: 'kimi-k3',
    rows: [
      [{ top_p: 0.9 }, 'invalid top_p: only 0.95 is allowed for this model'],
      [{ presence_penalty: 1.5 }, 'invalid presence_penalty: only 0 is allowed for this model'],
      [{ frequency_penalty: 1.5 }, 'invalid frequency_penalty: only 0 is allowed for this model'],
      [{ top_logprobs: 5 }, 'Invalid request: logprobs must be set to true if top_logprobs is used'],
      // The words of MoonshotAI/walle; the depth is that of anomalyco/opencode#25495.
      [property({ type: 'string', enum: ['a', 1] }), 'enum value (1) does not match any type in [string]'],
      [property({ type: 'integer', enum: [null] }), 'enum value (<nil>) does not match any type in [integer]'],
      [property({ type: 'string', enum: [] }), 'enum array cannot be empty'],
      [property({ type: 'string', enum: 'a' }), 'enum must be an array'],
      [property({ enum: ['a'] }), 'type is not defined'],
      [
        property({ type: 'object', $ref: '#/$defs/a' }),
        'when using $ref, type should be defined in the referenced schema',
      ],
      [property({ type: ['string', 'null'], maxLength: 9 }), 'keyword maxLength is not allowed in combination with'],
      [property({ type: 'object', required: ['b'] }), "required property 'b' is not defined in properties"],
      [property(deep(11)), 'schema depth exceeds maximum limit of 10'],
    ],
  },
  zai: {
    model: 'glm-5.3',
    rows: [
      [{ top_p: 1.5 }, 'top_p参数非法：限制数值范围[0,1]'],
      [{ reasoning_effort: 'medium' }, '该模型始终思考，不支持关闭思考；请使用 low、high 或 max。'],
      [{ do_sample: 'maybe' }, 'Invalid API parameter, please check the documentation.'],
    ],
  },
  dashscope: {
    model: 'qwen-max',
    rows: [
      [{ temperature: 2 }, `${dash}Temperature should be in [0.0, 2.0)`],
      [{ presence_penalty: 3 }, `${dash}Presence_penalty should be in [-2.0, 2.0]`],
      [{ n: 5 }, `${dash}Range of n should be [1, 4]`],
      [{ seed: -1 }, "-1 is lesser than the minimum of 0 - 'seed'"],
      [{ top_k: -1 }, `${dash}Parameter top_k be greater than or equal to 0`],
      [{ repetition_penalty: 0 }, `${dash}Repetition_penalty should be greater than 0.0`],
      [{ thinking_budget: 0 }, `${dash}The thinking_budget parameter must be a positive integer`],
    ],
  },
  groq: {
    model: 'llama-3.3-70b-versatile',
    rows: [
      [{ temperature: 2.1 }, "'temperature' : number must be at most 2"],
      [{ service_tier: 'gold' }, `'service_tier' : value is not one of the allowed values [\\"auto\\"`],
      [{ presence_penalty: 3 }, "'presence_penalty' : number must be at most 2"],
    ],
  },
  cerebras: {
    model: 'qwen-3-32b',
    rows: [
      [{ stop: [...'abcde'] }, 'body.stop: List should have at most 4 items after validation, not 5'],
      [{ service_tier: 'gold' }, "body.service_tier: Input should be 'auto', 'default', 'flex' or 'priority'"],
    ],
  },
  mistral: {
    model: 'mistral-medium-latest',
    status: 422,
    rows: [
      [{ tools: [{ type: 'function', function: { name: 'read' } }] }, 'Field required'],
      [{ reasoning_effort: 'maximal' }, "Input should be 'none', 'minimal', 'low', 'medium', 'high' or 'xhigh'"],
      [{ presence_penalty: -3 }, 'Input should be greater than or equal to -2'],
      [{ random_seed: 1.5 }, 'Input should be a valid integer, got a number with a fractional part'],
    ],
  },
  sglang: {
    model: 'tiny',
    rows: [
      [{ temperature: -0.1 }, 'temperature must be a non-negative finite number, got -0.1.'],
      [{ repetition_penalty: 2.1 }, 'repetition_penalty must be in (0, 2] (1.0 = no penalty), got 2.1.'],
      [{ ignore_eos: 'maybe' }, 'Input should be a valid boolean, unable to interpret input'],
    ],
  },
  vllm: {
    model: 'tiny',
    rows: [
      [{ temperature: -1 }, 'temperature must be non-negative, got -1.0. (parameter=temperature, value=-1.0)'],
      [{ top_p: 2 }, 'top_p must be in (0, 1], got 2.0. (parameter=top_p, value=2.0)'],
      [{ max_tokens: 0 }, 'max_tokens must be at least 1, got 0. (parameter=max_tokens, value=0)'],
      [{ min_p: 2 }, 'min_p must be in [0, 1], got 2.0.'],
    ],
  },
  llamacpp: {
    model: 'tiny',
    rows: [
      [{ max_tokens: -2 }, "Field 'max_tokens': Value must be between -1 <= value <= 2147483647, but got -2"],
      [{ seed: 'x' }, "Field 'seed': [json.exception.type_error.302] type must be number, but is string"],
      [{ grammar: 'root ::= "a"', json_schema: {} }, 'Cannot use both json_schema and grammar'],
      [{ response_format: { type: 'xml' } }, 'response_format type must be one of'],
    ],
  },
  openrouter: {
    model: 'openai/gpt-4.1',
    rows: [
      [{ provider: { orders: [] } }, 'Unrecognized key: \\"orders\\"'],
      [{ reasoning: { effort: 'hard' } }, 'reasoning.effort: Invalid option: expected one of'],
      [{ stop: [...'abcde'] }, 'stop: Too big: expected array to have <=4 items'],
    ],
  },
};

const rows = Object.entries(STATED).flatMap(([service, { rows: all, ...stated }]) =>
  all.map(([fields, says]) => [service, JSON.stringify(fields), { service, fields, says, ...stated }] as const),
);

async function send(service: string, body: Json) {
  const answer = await app.request(`/as/${service}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  return { status: answer.status, text: await answer.text() };
}

describe('the constraints that services state', () => {
  it.each(rows)('%s refuses %s', async (_service, _fields, { service, model, base, fields, says, status = 400 }) => {
    const { status: found, text } = await send(service, chat(model, { ...base, ...fields }));
    expect([found, text]).toEqual([status, expect.stringContaining(says)]);
  });

  it.each(Object.entries(STATED))('%s accepts a request of an agent', async (service, { model, base }) => {
    const reasoned = ['deepseek', 'moonshot'].includes(service) ? { reasoning_content: 'r' } : {};
    const history = callAndResult(service === 'mistral' ? 'abcdefghi' : 'call_1', reasoned);
    expect(await send(service, chat(model, { tools: [tool], ...base }, ...history))).toMatchObject({ status: 200 });
  });
});
