// Chapter 7: a long day. A history that no longer fits into the context window is made shorter, in three steps.
import { createAgent, fitIntoWindow, type Message, type Tool } from '../../src/agent/index.ts';
import { argument, clock, definition, digest, scriptedModel } from '../support.ts';

const readLog: Tool = {
  definition: definition('read_log', 'read', 'day'),
  async plan(args) {
    const day = argument(args, 'day');
    return {
      effect: { summary: `read the log of ${day}`, paths: [] },
      async *run() {
        const lines = Array.from({ length: 60 }, (_, index) => `${day} ${index}: nothing happened`);
        return { content: lines.join('\n'), isError: false, summary: `${lines.length} lines` };
      },
    };
  },
};

const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'];
const story = 'Once upon a time, a log was read from its first line to its last, and nothing was found in it. ';

const agent = createAgent({
  model: scriptedModel(...days.flatMap((day) => [[['read_log', { day }] as const], `${day}: ${story.repeat(12)}`])),
  // Writes the summaries. It gets the older messages as a text, and no tools.
  smallModel: scriptedModel(...days.map(() => '## Done\nThe logs of the first days were read; nothing happened.')),
  tools: [readLog],
  system: 'You read logs.',
  decide: () => ({ type: 'allow', rule: 'everything' }),
  // Chapters 1 to 6 send the whole history. This is the one place where a request can be changed.
  prepareRequest: fitIntoWindow({
    ...{ maxTokens: 3_000, threshold: 0.8, maxAnswerTokens: 500 },
    files: { saveOutput: async (callId, text) => `/outputs/${callId}.txt (${text.length} characters)` },
  }),
  clock,
  digest,
});

function describe(message: Message): string {
  const [first = ''] = message.content.split('\n');
  const calls = message.role === 'assistant' ? message.toolCalls.map((call) => `calls ${call.name}`).join() : '';
  return `    ${message.role}: ${first.length > 90 ? `${first.slice(0, 90)}…` : first}${calls}`;
}

for (const day of days) {
  console.log(`${day}`);
  for await (const event of agent.run(`What happened on ${day}?`)) {
    if (event.type === 'warning') console.log(`  ${event.message}`);
    if (event.type !== 'compaction') continue;
    console.log(`  ${event.tokensBefore} tokens do not fit; ${event.tokensAfter} do. The history is now:`);
    for (const message of event.messages) console.log(describe(message));
  }
}
