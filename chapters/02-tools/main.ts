// Chapter 2: tools. A tool first plans, without side effects; then the plan is run, or not.
import { createAgent, type Tool, ToolError } from '../../src/agent/index.ts';
import { argument, clock, definition, digest, type ScriptedAnswer, scriptedModel, show } from '../support.ts';

const notes = new Map([
  ['milk', 'Buy milk.'],
  ['cake', 'Bake a cake.'],
]);

const readNote: Tool = {
  definition: definition('read_note', 'read', 'title'),
  async plan(args) {
    const title = argument(args, 'title');
    return {
      effect: { summary: `read the note "${title}"`, paths: [] },
      // A generator: what it yields is shown to people while the call runs, what it returns goes to the model.
      async *run() {
        for (const text of ['opened', 'read']) {
          yield { stream: 'stdout', text: `${title}: ${text}` };
          await clock.sleep(5, new AbortController().signal);
        }
        const content = notes.get(title);
        if (content === undefined) throw new ToolError('not_found', `There is no note "${title}".`);
        return { content, isError: false, summary: `${content.length} characters` };
      },
    };
  },
};

const writeNote: Tool = {
  definition: definition('write_note', 'write', 'title', 'text'),
  async plan(args) {
    // The plan fixes everything: `run` has no arguments and decides nothing.
    const [title, text] = [argument(args, 'title'), argument(args, 'text')];
    return {
      effect: { summary: `write "${text}" to the note "${title}"`, paths: [] },
      async *run() {
        notes.set(title, text);
        return { content: 'Written.', isError: false, summary: 'written' };
      },
    };
  },
};

function agentFor(dryRun: boolean, ...answers: ScriptedAnswer[]) {
  const decide = () => ({ type: 'allow', rule: 'everything' }) as const;
  const tools = [readNote, writeNote];
  return createAgent({
    model: scriptedModel(...answers),
    tools,
    system: 'You keep notes.',
    decide,
    dryRun,
    clock,
    digest,
  });
}

const reads = ['milk', 'cake', 'tea'].map((title) => ['read_note', { title }] as const);
const write = ['write_note', { title: 'milk', text: 'Buy oat milk.' }] as const;

const agent = agentFor(false, [['read_note', {}]], [['open_note', { title: 'milk' }]], reads, [write], 'Done.');
for await (const event of agent.run('Make it oat milk.')) show(event);

console.log('\nThe same as a dry run: everything is planned, and only reads run.');
notes.set('milk', 'Buy milk.');
for await (const event of agentFor(true, [...reads.slice(0, 1), write], 'Done.').run('Oat milk.')) show(event);
console.log(`\nThe note: ${notes.get('milk')}`);
