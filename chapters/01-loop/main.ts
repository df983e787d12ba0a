// Chapter 1: the loop. The model is asked; its call is executed; the result goes back; until it answers without a call.
import { createAgent, type LanguageModel, type Tool } from '../../src/agent/index.ts';
import { clock, digest, show } from '../support.ts';

/** A model answers a request with a stream of events. This one follows a script, so it needs no key and no network. */
const model: LanguageModel = {
  identity: { provider: 'chapters', wire: 'none', model: 'script' },
  async *stream({ messages }) {
    const last = messages.at(-1);
    if (last?.role === 'tool') {
      yield { type: 'text_delta', text: 'The line has' };
      yield { type: 'text_delta', text: ` ${last.content} words.` };
      yield { type: 'finish', reason: 'stop' };
      return;
    }
    const args = JSON.stringify({ text: 'to be or not to be' });
    yield { type: 'tool_call_delta', index: 0, id: 'call_1', name: 'count_words', arguments: args };
    yield { type: 'finish', reason: 'tool_calls' };
  },
};

/** A tool has a description for the model, and a plan that can be run. Chapter 2 takes it apart. */
const countWords: Tool = {
  definition: {
    name: 'count_words',
    description: 'Counts the words of a text.',
    parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    effect: 'read',
  },
  async plan(args) {
    const text = typeof args === 'object' && args !== null && 'text' in args ? String(args.text) : '';
    return {
      effect: { summary: `count the words of "${text}"`, paths: [] },
      async *run() {
        const count = text.split(/\s+/).filter((word) => word !== '').length;
        return { content: String(count), isError: false, summary: `${count} words` };
      },
    };
  },
};

const agent = createAgent({
  model,
  tools: [countWords],
  system: 'You count words.',
  // Required: an agent that nobody restricts must say so.
  decide: () => ({ type: 'allow', rule: 'everything' }),
  clock,
  digest,
});

for await (const event of agent.run('How many words has "to be or not to be"?')) show(event);
console.log(`\nThe history has ${agent.history.length} messages: ${agent.history.map(({ role }) => role).join(', ')}.`);
