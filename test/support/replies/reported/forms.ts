import type { Wire } from '../../../../src/providers/wires.ts';
import { textReply } from '../frames.ts';
import { jsonReply, pieceReply, type RawReply } from '../raw-server.ts';
import type { ReplyRow } from '../run-reply.ts';

const error = (status: number, message: string, fields: object = {}): RawReply =>
  jsonReply({ error: { message, type: 'invalid_request_error', ...fields } }, { status });
const json = (status: number, value: unknown, headers = {}): RawReply => jsonReply(value, { status, headers });

/** A refusal that another form of the request meets. */
interface Form {
  readonly name: string;
  readonly source: string;
  readonly wire?: Wire;
  readonly reply: RawReply;
  /** Parts of the second request. */
  readonly sends?: readonly string[];
  readonly settings?: object;
  readonly picture?: true;
}

const pictures = (source: string, reply: RawReply, wire: Wire = 'openai-chat'): Form => ({
  name: `a picture that is refused: ${source}`,
  ...{ source, reply, wire, picture: true, sends: ['Pictures left out'] },
});
const limits = (source: string, message: string, tokens: number): Form => ({
  name: `an answer that may not become so long: ${source}`,
  ...{ source, reply: error(400, message), settings: { max_tokens: 500_000 }, sends: [`"max_tokens":${tokens}`] },
});

const FORMS: readonly Form[] = [
  pictures('block/buzz#4896', error(404, 'No endpoints found that support image input', { code: 404 })),
  pictures(
    'agentscope-ai/QwenPaw#1197',
    error(400, 'Invalid content type. image_url is only supported by certain models', { code: 'invalid_argument' }),
  ),
  pictures('cloudflare/cloudflare-os#97', error(400, 'this model does not support image input (ref: b8bd630e)')),
  pictures(
    'studio-dots-ai/dots.ocr#61',
    json(400, {
      object: 'error',
      message: 'facebook/opt-125m is not a multimodal model None',
      type: 'BadRequestError',
      param: null,
      code: 400,
    }),
  ),
  pictures('xLLM-AI/xllm#801', error(500, 'Non-text content requires multimodal endpoint')),
  pictures(
    'zhukunpenglinyutong/jetbrains-cc-gui#984',
    json(400, {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'Only text blocks are supported when content is an array.' },
    }),
    'anthropic-messages',
  ),
  pictures(
    'NousResearch/hermes-agent#109707',
    error(400, '.messages[1].image[0]: You have uploaded an unsupported image. Please make sure your image is valid'),
  ),
  pictures(
    'NousResearch/hermes-agent#27344',
    json(400, { error: { code: '400', message: 'Param Incorrect', param: 'text is not set', type: '' } }),
  ),
  pictures(
    'Intelligent-Internet/ii-agent#102',
    error(
      400,
      "Invalid value: 'image'. Supported values are: 'text', 'image_url', 'input_audio', 'refusal', 'audio', and 'file'.",
    ),
  ),
  limits(
    'HeyPuter/puter#3564',
    'Upstream error from DeepInfra: max_tokens=500000 cannot be greater than max_model_len=max_total_tokens=28672. Please request fewer output tokens. (parameter=max_tokens, value=500000)',
    28_672,
  ),
  limits(
    'vllm-project/vllm#40324',
    'max_tokens=500000cannot be greater than max_model_len=max_total_tokens=32768. Please request fewer output tokens.',
    32_768,
  ),
  limits(
    'Gitlawb/openclaude#331',
    'The parameter `max_tokens` specified in the request are not valid: integer above maximum value, expected a value <= 12288, but got 500000 instead. Request id: 0217',
    12_288,
  ),
  limits('dataelement/Clawith#571', 'Invalid max_tokens value, the valid range of max_tokens is [1, 393216]', 393_216),
  limits(
    'openclaw/openclaw#85921',
    "This endpoint's maximum context length is 262144 tokens. However, you requested about 522139 tokens (8963 of text input, 13176 of tool input, 500000 in the output). Please reduce the length of either one, or use the context-compression plugin to compress your prompt automatically.",
    240_005,
  ),
  limits('lobehub/lobehub#14814', 'invalid params, max_tokens must be less than 196608', 196_607),
  {
    name: 'an effort that is unknown',
    source: 'diegosouzapw/OmniRoute#13642',
    reply: error(400, 'Unsupported parameter: reasoning_effort'),
    settings: { reasoning_effort: 'high' },
  },
  {
    name: 'a budget of thinking',
    source: 'RooCodeInc/Roo-Code#4399',
    reply: json(400, {
      error: {
        message:
          '{\n  "error": {\n    "code": 400,\n    "message": "The thinking budget (52428) is invalid.",\n    "status": "INVALID_ARGUMENT"\n  }\n}\n',
        code: 400,
        status: 'Bad Request',
      },
    }),
    settings: { reasoning_effort: 'high' },
  },
  {
    name: 'an effort that Bedrock does not know',
    source: 'anthropics/claude-code-action#1005',
    wire: 'anthropic-messages',
    reply: json(400, { message: 'output_config.effort: Extra inputs are not permitted' }),
    settings: { reasoning_effort: 'high' },
  },
  {
    name: 'reasoning that Bedrock does not know',
    source: 'BerriAI/litellm#13609',
    reply: error(
      400,
      'litellm.BadRequestError: BedrockException - {"message":"The model returned the following errors: reasoning: Extra inputs are not permitted"}',
    ),
    settings: { reasoning_effort: 'high' },
  },
  {
    name: 'a temperature that is gone',
    source: 'Thysrael/Horizon#52',
    reply: error(400, '`temperature` is deprecated for this model.'),
    settings: { temperature: 0.2 },
  },
  {
    name: 'a temperature in Chinese, with the words within',
    source: 'nashsu/llm_wiki#670',
    reply: json(400, {
      error: {
        cause:
          '{\n "error": {\n "message": "Unsupported value: \'temperature\' does not support 0.1 with this model." }\n}',
        code: 400,
        message: '模型服务调用失败',
        status: 'FAILED_RESPONSE',
      },
    }),
    settings: { temperature: 0.1 },
  },
  {
    name: 'usage of a stream that is unknown',
    source: 'no report; beside the others',
    reply: json(422, {
      detail: [{ type: 'extra_forbidden', loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' }],
    }),
  },
  {
    name: 'an unknown field in a schema',
    source: 'router-for-me/CLIProxyAPI#5064',
    wire: 'gemini',
    reply: json(400, {
      error: {
        code: 400,
        message:
          'Invalid JSON payload received. Unknown name "items" at \'tools[0].function_declarations[0].parameters.properties[0].value\': Cannot find field.',
        status: 'INVALID_ARGUMENT',
      },
    }),
  },
  {
    name: 'usage of a stream, in an object in place of words',
    source: 'openai/openai-agents-python#442',
    reply: json(422, {
      object: 'error',
      message: {
        detail: [
          {
            type: 'extra_forbidden',
            loc: ['body', 'stream_options', 'include_usage'],
            msg: 'Extra inputs are not permitted',
            input: true,
          },
        ],
      },
      type: 'invalid_request_error',
      param: null,
      code: null,
    }),
  },
  {
    name: 'usage of a stream on Bedrock',
    source: 'BerriAI/litellm#9916',
    reply: error(500, 'extraneous key [include_usage] is not permitted'),
  },
  {
    name: 'usage of a stream on Groq',
    source: 'vercel/ai#1578',
    reply: error(400, "property 'stream_options' is unsupported, did you mean 'stream'?"),
  },
  {
    name: 'a level of effort',
    source: 'nguyenphutrong/quotio#287',
    reply: error(400, 'level "high" not supported, valid levels: low, medium'),
    settings: { reasoning_effort: 'high' },
  },
  {
    name: 'an effort, in the error of an error',
    source: 'router-for-me/CLIProxyAPI#1307',
    reply: json(400, {
      detail: `Invalid request: Invalid request: ${JSON.stringify({ detail: { error: { message: "1 validation error:\n {'type': 'literal_error', 'loc': ('body', 'reasoning_effort'), 'msg': 'Input should be low'}" } } })}`,
    }),
    settings: { reasoning_effort: 'high' },
  },
  {
    name: 'an effort, with the status 500',
    source: 'ls1intum/edutelligence#749',
    wire: 'anthropic-messages',
    reply: json(500, {
      error: {
        type: 'internal_error',
        message: 'Unexpected reasoning effort high. Supported types are xhigh (default), medium, and low.',
      },
    }),
    settings: { reasoning_effort: 'high' },
  },
  {
    name: 'a limit of the answer, in an event with an error status',
    source: 'musistudio/claude-code-router#1327',
    reply: pieceReply(
      [
        'event:error\ndata:{"code":"InvalidParameter","message":"<400> InternalError.Algo.InvalidParameter: Range of max_tokens should be [1, 8192]"}\n\n',
      ],
      { status: 400 },
    ),
    settings: { max_tokens: 500_000 },
    sends: ['"max_tokens":8192'],
  },
];

const broken = pieceReply(['Internal Server Error'], { status: 500, type: 'text/plain' });

/** Refusals that another form of the request meets, from public reports. */
export const FORM_REPORTS: readonly ReplyRow[] = [
  {
    name: 'a picture at which the server fails, twice',
    ...{ source: 'vllm-project/vllm-ascend#10426', wire: 'openai-chat', picture: true },
    replies: [broken, broken, textReply('openai-chat', 'They say seven.')],
    ...{
      code: 0,
      requests: 3,
      shows: ['sent again without its pictures', 'They say seven.'],
      sends: ['Pictures left out'],
    },
  },
  ...FORMS.map(({ wire = 'openai-chat', reply, sends = [], ...row }): ReplyRow => {
    return {
      ...row,
      wire,
      replies: [reply, textReply(wire, 'They say seven.')],
      code: 0,
      requests: 2,
      shows: ['sent again', 'They say seven.'],
      sends,
    };
  }),
];
