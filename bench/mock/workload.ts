/** What the bench asks and what the servers are to answer. */

/** How many pieces the streamed answer has. */
const CHUNKS = 200;
const PIECE = 'twelve chars';
/** Tool rounds of the request of an agent. */
const ROUNDS = 20;
const RESULT = 'A line of output that a tool has printed, as long as most.\n'.repeat(45);

/** The answer that is not streamed. */
export const ANSWER = 'The answer of the benchmark.';
const LONG_ANSWER = PIECE.repeat(CHUNKS);

/** The frames of the streamed answer, as the bare server sends them. */
export const FRAMES: readonly string[] = [
  ...Array.from({ length: CHUNKS }, () => frame({ content: PIECE })),
  frame({}, 'stop'),
  'data: [DONE]\n\n',
];

function frame(delta: object, finish: string | null = null): string {
  const head = { id: 'chatcmpl-0', object: 'chat.completion.chunk', created: 1_735_689_600, model: 'm' };
  return `data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
}

const call = { name: 'run_shell', arguments: { command: 'npm test' } };

/** A scenario file with the answers of the bench at the end of `count` scenarios. */
export function scenarioFile(count: number): object {
  const fillers = Array.from({ length: count - 3 }, (_filler, index) => ({
    name: `filler-${index}`,
    trigger: `unrelated words number ${index} of the fillers`,
    steps: [{ response: { content: 'Filler.' } }],
  }));
  const agentSteps = Array.from({ length: ROUNDS }, () => ({ response: { tool_calls: [call] } }));
  const stories = [
    { name: 'plain', trigger: 'bench plain', steps: [{ response: { content: ANSWER } }] },
    { name: 'stream', trigger: 'bench stream', steps: [{ response: { content: LONG_ANSWER } }] },
    { name: 'agent', trigger: 'bench agent', steps: [...agentSteps, { response: { content: ANSWER } }] },
  ];
  return { scenarios: [...fillers, ...stories] };
}

/** The same answers in the format of aimock. */
export function aimockFixtures(): object {
  const fixture = (userMessage: string, content: string) => ({ match: { userMessage }, response: { content } });
  return {
    fixtures: [fixture('bench plain', ANSWER), fixture('bench stream', LONG_ANSWER), fixture('bench agent', ANSWER)],
  };
}

const tools = [
  { type: 'function', function: { name: 'run_shell', description: 'Runs', parameters: { type: 'object' } } },
];

/** The bodies that are asked with. */
export const REQUESTS = {
  plain: JSON.stringify({ model: 'm', tools, messages: [{ role: 'user', content: 'bench plain' }] }),
  stream: JSON.stringify({ model: 'm', tools, stream: true, messages: [{ role: 'user', content: 'bench stream' }] }),
  agent: JSON.stringify({
    model: 'm',
    tools,
    messages: [
      { role: 'user', content: 'bench agent' },
      ...Array.from({ length: ROUNDS }, (_round, index) => {
        const id = `call_${index}`;
        const called = { name: call.name, arguments: JSON.stringify(call.arguments) };
        return [
          { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: called }] },
          { role: 'tool', tool_call_id: id, content: RESULT },
        ];
      }).flat(),
    ],
  }),
} as const;
