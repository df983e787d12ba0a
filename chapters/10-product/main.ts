// Chapter 10: the product. The loop of chapter 1, with the tools, rules, sessions and layers that a user needs.
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startMockLlm } from '../../mock-llm-server/testing.ts';
import { TOOL_LAYERS } from '../../src/app/tool-layers.ts';
import { openAgent } from '../../src/index.ts';
import { show } from '../support.ts';

const workspace = await realpath(await mkdtemp(path.join(os.tmpdir(), 'chapter-')));
await writeFile(path.join(workspace, 'sum.js'), 'export const sum = (a, b) => a - b;\n');
await using server = await startMockLlm({ scenarios: path.join(import.meta.dirname, 'scenario.yaml') });

// Everything that chapters 1 to 9 passed by hand is chosen by the configuration, whose defaults apply here.
const agent = await openAgent({
  config: { llm: { provider: 'mock', endpoint: server.url } },
  workspace,
  approver: {
    async decide({ effect }) {
      console.log(effect.preview?.unified.trimEnd().replaceAll(/^/gm, '           '));
      return { type: 'once' };
    },
  },
});

for await (const event of agent.run('Fix the sum.')) {
  show(event);
  if (event.type === 'tool_call') console.log(`  rule     ${event.permission?.type}: ${event.permission?.rule}`);
}
console.log(`\nThe file: ${await readFile(path.join(workspace, 'sum.js'), 'utf8')}`);
console.log(`Tools that the model is offered: ${server.requests[0]?.tools.join(', ')}`);

const layers = Object.keys(TOOL_LAYERS).toReversed();
console.log(`Layers that each call passes: ${layers.join(' → ')}`);

await agent.close();
await rm(workspace, { recursive: true });
