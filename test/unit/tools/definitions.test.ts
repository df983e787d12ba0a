import { expect, it } from 'vitest';
import { createTools, TOOL_NAMES } from '../../../src/tools/tools.ts';
import { toolPorts } from '../../support/tool-ports.ts';

it('names every tool in the table as the tool names itself', async () => {
  expect((await createTools(toolPorts())).map(({ definition }) => definition.name)).toEqual(TOOL_NAMES);
});

it('leaves disabled tools out', async () => {
  const tools = await createTools(toolPorts(), { disabledTools: ['run_shell'] });
  expect(tools.map(({ definition }) => definition.name)).toEqual(TOOL_NAMES.filter((name) => name !== 'run_shell'));
});
