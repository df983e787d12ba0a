import { chmodSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { defineScenarios, startMockLlm } from '../../../mock-llm-server/testing.ts';
import { type AgentEvent, type ApprovalRequest, openAgent } from '../../../src/index.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';

const tool = (name: string, body: string): string => `#!/bin/sh
if [ "$1" = --schema ]; then
  echo '{"name": "${name}", "description": "Try.", "parameters": {"text": {"type": "string", "required": true}}}'
  exit
fi
${body}
`;

const scenario = (name: string, toolName: string) => ({
  name,
  trigger: `use ${toolName}`,
  steps: [
    { response: { tool_calls: [{ name: toolName, arguments: { text: 'one "two"' } }] } },
    { response: { content: 'It said: {{tool_result last}}' } },
  ],
});
const scenarios = defineScenarios([scenario('count', 'word_count'), scenario('shout', 'shout')]);

// The tools are shell scripts.
it.skipIf(process.platform === 'win32')(
  'a model calls external tools that are added and removed during its run',
  async () => {
    const home = temporaryDirectory();
    const install = (name: string, body: string): void => {
      writeFiles(home, { [`tools/${name}`]: tool(name, body) });
      chmodSync(path.join(home, 'tools', name), 0o755);
    };
    install('word_count', `printf '{"success": true, "result": "%s words"}' "$(wc -w | tr -d ' ')"`);
    await using server = await startMockLlm({ scenarios });
    const asked: ApprovalRequest[] = [];
    await using agent = await openAgent({
      config: { llm: { provider: 'mock', endpoint: server.url }, tools: { search_paths: ['~/tools'] } },
      workspace: temporaryDirectory(),
      adapters: { home },
      approver: {
        async decide(request) {
          asked.push(request);
          return { type: 'once' };
        },
      },
    });
    const run = async (prompt: string): Promise<readonly unknown[]> => {
      const events: AgentEvent[] = [];
      for await (const event of agent.run(prompt)) events.push(event);
      return events.flatMap((event) => (event.type === 'tool_result' ? [event.outcome, event.content] : []));
    };

    expect(await run('use word_count')).toEqual(['ok', '2 words']);
    expect(asked).toMatchObject([
      {
        toolName: 'word_count',
        effect: { program: { path: path.join(home, 'tools/word_count'), input: '{"text":"one \\"two\\""}' } },
      },
    ]);

    install('shout', `cat > /dev/null; echo '{"result": "LOUD"}'`);
    expect(await run('use shout')).toEqual(['failed', expect.stringContaining('There is no tool "shout".')]);
    await agent.reloadTools();
    expect(await run('use shout')).toEqual(['ok', 'LOUD']);

    rmSync(path.join(home, 'tools/word_count'));
    expect(await run('use word_count')).toEqual(['failed', expect.stringContaining('does not exist')]);
    await agent.reloadTools();
    expect(agent.externalTools.map(({ name }) => name)).toEqual(['shout']);
    expect(await run('use word_count')).toEqual(['failed', expect.stringContaining('There is no tool "word_count".')]);
  },
);

it('a program that uses the library has only the external tools that it names', async () => {
  const home = temporaryDirectory();
  writeFiles(home, { '.ybs/tools/x': tool('x', 'exit'), '.ybs/tools/x.tool.json': '{"description": "Try."}' });
  chmodSync(path.join(home, '.ybs/tools/x'), 0o755);
  await using server = await startMockLlm({ scenarios });
  const open = (tools: object) =>
    openAgent({
      config: { llm: { provider: 'mock', endpoint: server.url }, tools },
      workspace: temporaryDirectory(),
      adapters: { home },
    });
  await using without = await open({});
  await using named = await open({ search_paths: ['~/.ybs/tools'] });
  expect([without, named].map(({ externalTools }) => externalTools.length)).toEqual([0, 1]);
});
