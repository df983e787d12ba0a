/** The five protocols that the bench measures. */
export const PROTOCOLS = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini', 'ollama'] as const;
type Protocol = (typeof PROTOCOLS)[number];

/**
 * The kinds of requests, all with a system prompt of 8 KB and ten tools: the first one of an agent, one after twenty
 * tool rounds, and one for a stream.
 */
export type RequestKind = 'plain' | 'agent' | 'stream';

/** A request. A different text between the two halves of `body` makes each prompt unique. */
export interface Request {
  readonly path: string;
  readonly body: readonly [before: string, after: string];
}

/** The requests of one protocol. */
export interface Workload {
  readonly protocol: Protocol;
  readonly requests: Readonly<Record<RequestKind, Request>>;
}

/** The answer that is not streamed. */
export const ANSWER = 'The answer of the benchmark.';
/** The streamed answer repeats this text, a word with the space before it, which every server sends as one piece. */
export const PIECE = ' twelve-char';
export const PIECES = 200;

const ROUNDS = 20;
const RESULT = 'A line of output that a tool has printed, as long as most.\n'.repeat(51);
/** Placeholder in the prompt for the text that differs. */
const VARIED = '<varied>';
const TOOL = { name: 'run_shell', description: 'Runs a command in the shell of the project and shows its output.' };
const PARAMETERS = {
  type: 'object',
  properties: {
    command: { type: 'string', description: 'The command line, as a shell reads it.' },
    timeout: { type: 'integer', description: 'Seconds after which the command is stopped.', minimum: 1 },
  },
  required: ['command'],
};
/** The tools that an agent offers: that of its calls, and nine with the same parameters. */
const TOOLS = [TOOL, ...Array.from({ length: 9 }, (_tool, index) => ({ ...TOOL, name: `tool_${index}` }))];
/** A system prompt of 8 KB. */
const SYSTEM = 'You work in a project, with tools. Read before you write, and keep changes small.\n'.repeat(100);
const ARGUMENTS = { command: 'npm test' };

/** A scenario file of `count` scenarios, the last three of which answer the requests of the bench, and of `more`. */
export function scenarioFile(count: number, more: readonly object[] = []): object {
  const fillers = Array.from({ length: count - 3 }, (_filler, index) => ({
    name: `filler-${index}`,
    trigger: `unrelated words number ${index} of the fillers`,
    steps: [{ response: { content: 'Filler.' } }],
  }));
  const call = { name: TOOL.name, arguments: ARGUMENTS };
  const agentSteps = Array.from({ length: ROUNDS }, () => ({ response: { tool_calls: [call] } }));
  const stories = [
    { name: 'plain', trigger: 'bench plain', steps: [{ response: { content: ANSWER } }] },
    { name: 'stream', trigger: 'bench stream', steps: [{ response: { content: PIECE.repeat(PIECES) } }] },
    { name: 'agent', trigger: 'bench agent', steps: [...agentSteps, { response: { content: ANSWER } }] },
  ];
  return { scenarios: [...fillers, ...stories, ...more] };
}

/** The same answers in the format of aimock. */
export function aimockFixtures(): object {
  const fixture = (userMessage: string, content: string) => ({ match: { userMessage }, response: { content } });
  const streamed = fixture('bench stream', PIECE.repeat(PIECES));
  return { fixtures: [fixture('bench plain', ANSWER), streamed, fixture('bench agent', ANSWER)] };
}

/** The path and the body of requests of a protocol. */
interface Shape {
  readonly path: (stream: boolean) => string;
  readonly body: (prompt: string, rounds: readonly string[], stream: boolean) => object;
}

const functionTools = TOOLS.map((tool) => ({ type: 'function', function: { ...tool, parameters: PARAMETERS } }));

const SHAPES: Record<Protocol, Shape> = {
  'openai-chat': {
    path: () => '/v1/chat/completions',
    body: (prompt, rounds, stream) => ({
      model: 'm',
      tools: functionTools,
      stream,
      messages: [
        { role: 'system', content: SYSTEM },
        { role: 'user', content: prompt },
        ...rounds.flatMap((id) => [
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id, type: 'function', function: { name: TOOL.name, arguments: JSON.stringify(ARGUMENTS) } }],
          },
          { role: 'tool', tool_call_id: id, content: RESULT },
        ]),
      ],
    }),
  },
  'openai-responses': {
    path: () => '/v1/responses',
    body: (prompt, rounds, stream) => ({
      model: 'm',
      instructions: SYSTEM,
      tools: TOOLS.map((tool) => ({ type: 'function', ...tool, parameters: PARAMETERS })),
      stream,
      input: [
        { role: 'user', content: prompt },
        ...rounds.flatMap((id) => [
          { type: 'function_call', call_id: id, name: TOOL.name, arguments: JSON.stringify(ARGUMENTS) },
          { type: 'function_call_output', call_id: id, output: RESULT },
        ]),
      ],
    }),
  },
  'anthropic-messages': {
    path: () => '/v1/messages',
    body: (prompt, rounds, stream) => ({
      model: 'm',
      max_tokens: 1000,
      system: SYSTEM,
      tools: TOOLS.map((tool) => ({ ...tool, input_schema: PARAMETERS })),
      stream,
      messages: [
        { role: 'user', content: prompt },
        ...rounds.flatMap((id) => [
          { role: 'assistant', content: [{ type: 'tool_use', id, name: TOOL.name, input: ARGUMENTS }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: RESULT }] },
        ]),
      ],
    }),
  },
  gemini: {
    path: (stream) => `/v1beta/models/m:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: (prompt, rounds) => ({
      systemInstruction: { parts: [{ text: SYSTEM }] },
      tools: [{ functionDeclarations: TOOLS.map((tool) => ({ ...tool, parametersJsonSchema: PARAMETERS })) }],
      contents: [
        { role: 'user', parts: [{ text: prompt }] },
        ...rounds.flatMap((id) => [
          { role: 'model', parts: [{ functionCall: { id, name: TOOL.name, args: ARGUMENTS } }] },
          { role: 'user', parts: [{ functionResponse: { id, name: TOOL.name, response: { output: RESULT } } }] },
        ]),
      ],
    }),
  },
  ollama: {
    path: () => '/api/chat',
    body: (prompt, rounds, stream) => ({
      model: 'm',
      tools: functionTools,
      stream,
      messages: [
        { role: 'system', content: SYSTEM },
        { role: 'user', content: prompt },
        ...rounds.flatMap(() => [
          {
            role: 'assistant',
            content: '',
            tool_calls: [{ function: { name: TOOL.name, arguments: ARGUMENTS } }],
          },
          { role: 'tool', tool_name: TOOL.name, content: RESULT },
        ]),
      ],
    }),
  },
};

/** The requests of a protocol. */
export function workloadOf(protocol: Protocol): Workload {
  const request = (prompt: string, rounds: number, stream = false): Request => {
    const ids = Array.from({ length: rounds }, (_round, index) => `call_${index}`);
    const body = JSON.stringify(SHAPES[protocol].body(`${prompt} ${VARIED}`, ids, stream));
    const [before = '', after = ''] = body.split(VARIED);
    return { path: SHAPES[protocol].path(stream), body: [before, after] };
  };
  return {
    protocol,
    requests: {
      plain: request('bench plain', 0),
      agent: request('bench agent', ROUNDS),
      stream: request('bench stream', 0, true),
    },
  };
}

/** A request that no scenario answers. */
export const MISS: Request = {
  path: '/v1/chat/completions',
  body: ['{"model":"m","messages":[{"role":"user","content":"no trigger is part of this ', '"}]}'],
};
