import { defineScenarios } from '../../../mock-llm-server/testing.ts';

/** The answers of the model to the prompts of the checks. */
export const HOST_SCENARIOS = defineScenarios([
  { name: 'text', trigger: 'say hello', steps: [{ response: { content: 'Hello from the model.' } }] },
  {
    name: 'write',
    trigger: 'write the file',
    steps: [
      {
        response: {
          content: 'I write it.',
          tool_calls: [{ name: 'Write', arguments: { file_path: 'hello.txt', content: 'hi-42\n' } }],
        },
      },
      { response: { content: 'It is over.' } },
    ],
  },
  {
    name: 'slow',
    trigger: 'run the slow command',
    steps: [
      { response: { tool_calls: [{ name: 'Bash', arguments: { command: 'echo started; sleep 30' } }] } },
      { response: { content: 'The command has ended.' } },
    ],
  },
  {
    name: 'forecast',
    trigger: 'ask for the weather',
    steps: [
      { response: { tool_calls: [{ name: 'mcp__weather__forecast', arguments: { city: 'Ulm' } }] } },
      { response: { content: 'It is sunny.' } },
    ],
  },
  {
    name: 'plan',
    trigger: 'plan the file',
    steps: [
      { response: { tool_calls: [{ name: 'ExitPlanMode', arguments: { plan: '1. Write hello.txt.' } }] } },
      {
        response: { tool_calls: [{ name: 'Write', arguments: { file_path: 'hello.txt', content: 'hi-42\n' } }] },
      },
      { response: { content: 'The plan is over.' } },
    ],
  },
  {
    name: 'structured',
    trigger: 'count the files',
    steps: [{ response: { tool_calls: [{ name: 'StructuredOutput', arguments: { count: 3 } }] } }],
  },
  {
    name: 'loop',
    trigger: 'look twice',
    steps: [
      { response: { tool_calls: [{ name: 'Glob', arguments: { pattern: '*' } }] } },
      { response: { tool_calls: [{ name: 'Glob', arguments: { pattern: '**' } }] } },
      { response: { content: 'Twice.' } },
    ],
  },
  {
    name: 'refused',
    trigger: 'fail please',
    steps: [{ fault: { status: 400 }, response: { content: 'never' } }],
  },
]);
