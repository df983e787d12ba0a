// Chapter 4: an edit. What was shown is what happens, or nothing.
import { createAgent, FileSystemError, type Tool, ToolError } from '../../src/agent/index.ts';
import { unifiedDiff } from '../../src/text/diff/unified-diff.ts';
import { runAtOnce } from '../../src/text/steps.ts';
import { argument, clock, definition, digest, scriptedModel, show } from '../support.ts';

/** The disk. The product's tools have the port FileSystem here. */
const files = new Map([['sum.js', 'return a - b;\n']]);

function readFile(path: string): string {
  const text = files.get(path);
  if (text === undefined) throw new FileSystemError('not_found', path);
  return text;
}

const digestOf = (text: string): string => digest(new TextEncoder().encode(text));

const edit: Tool = {
  definition: definition('edit', 'write', 'path', 'old', 'new'),
  async plan(args) {
    const [path, old, replacement] = [argument(args, 'path'), argument(args, 'old'), argument(args, 'new')];
    const before = readFile(path);
    const parts = before.split(old);
    if (parts.length !== 2)
      throw new ToolError('edit_not_found', `"${old}" must occur once in ${path}. Read it again.`);
    const after = parts.join(replacement);
    return {
      effect: {
        summary: `edit ${path}`,
        paths: [{ requested: path, realPath: `/${path}`, access: 'write' }],
        preview: runAtOnce(unifiedDiff(path, before, after)),
        before: digestOf(before),
        after: digestOf(after),
      },
      async *run() {
        // The file may have changed since the plan. Then the plan is void, and the model must look again.
        if (digestOf(readFile(path)) !== digestOf(before)) throw new ToolError('file_changed', `${path} has changed.`);
        files.set(path, after);
        return { content: 'Edited.', isError: false, summary: 'edited' };
      },
    };
  },
};

/** Changes that another program makes while the user reads each question. */
const meanwhile = [() => files.set('sum.js', '// Adds.\nreturn a - b;\n'), () => {}];

const agent = createAgent({
  model: scriptedModel(
    [['edit', { path: 'sum.js', old: 'x - y', new: 'x + y' }]],
    [['edit', { path: 'sum.js', old: 'a - b', new: 'a + b' }]],
    'It adds now.',
  ),
  tools: [edit],
  system: 'You fix code.',
  decide: () => ({ type: 'ask', rule: 'ask about every edit', reason: 'It changes a file.' }),
  approver: {
    async decide({ effect }) {
      console.log(effect.preview?.unified.trimEnd().replaceAll(/^/gm, '           '));
      meanwhile.shift()?.();
      return { type: 'once' };
    },
  },
  clock,
  digest,
});

for await (const event of agent.run('sum.js subtracts. Fix it.')) show(event);
console.log(`\nThe file:\n${files.get('sum.js')}`);
