// Chapter 3: approval. A rule allows, denies or asks; the answer of the user may become a rule.
import { type ApprovalDecision, createAgent, type Decide, type Tool } from '../../src/agent/index.ts';
import { argument, clock, definition, digest, scriptedModel, show } from '../support.ts';

const send: Tool = {
  definition: definition('send', 'execute', 'command'),
  async plan(args) {
    const command = argument(args, 'command');
    return {
      effect: { summary: `send "${command}"`, paths: [], command },
      async *run() {
        return { content: `${command}: ok`, isError: false, summary: 'sent' };
      },
    };
  },
  // Lets the user change the command before it runs.
  withCommand: (_args, command) => ({ command }),
};

/** Pure: the same plan and the same rules always give the same decision, which names its rule. */
const decide: Decide = ({ effect }, rules) => {
  const command = effect.command ?? '';
  if (command === 'status') return { type: 'allow', rule: 'reads only' };
  if (command.startsWith('delete')) return { type: 'deny', rule: 'no deletes', reason: 'Nothing is deleted here.' };
  const offers = { type: 'exact_command', command, workingDirectory: '/' } as const;
  const isKnown = rules.some((rule) => rule.type === 'exact_command' && rule.command === command);
  if (isKnown) return { type: 'allow', rule: 'the user has agreed for this session' };
  return { type: 'ask', rule: 'ask about the rest', reason: 'It changes the machine.', offers };
};

const answers: ApprovalDecision[] = [
  { type: 'once' },
  { type: 'session' },
  { type: 'edit', command: 'start slowly' },
  { type: 'once' },
  { type: 'deny', feedback: 'Not on a Friday.' },
];

const agent = createAgent({
  model: scriptedModel(
    [['send', { command: 'status' }]],
    [['send', { command: 'delete everything' }]],
    [['send', { command: 'warm up' }]],
    [['send', { command: 'start' }]],
    [['send', { command: 'start' }]],
    [['send', { command: 'start now' }]],
    [['send', { command: 'stop' }]],
    'I started it and did not stop it.',
  ),
  tools: [send],
  system: 'You drive a machine.',
  decide,
  approver: { decide: async () => answers.shift() ?? { type: 'unavailable' } },
  clock,
  digest,
});

for await (const event of agent.run('Start the machine, then stop it.')) {
  show(event);
  if (event.type === 'tool_call') console.log(`  rule     ${event.permission?.type}: ${event.permission?.rule}`);
}
console.log(`\nRules of this session: ${JSON.stringify(agent.state.rules)}`);
