import { expect, it } from 'vitest';
import { createTools, TOOL_NAMES } from '../../../src/tools/tools.ts';
import { toolPorts } from '../../support/tool-ports.ts';

it('TOOL_NAMES has the name of every tool', async () => {
  expect(createTools(toolPorts()).map(({ definition }) => definition.name)).toEqual(TOOL_NAMES);
});

it('createTools omits disabled tools', async () => {
  const tools = createTools(toolPorts(), { disabledTools: ['run_shell'] });
  expect(tools.map(({ definition }) => definition.name)).toEqual(TOOL_NAMES.filter((name) => name !== 'run_shell'));
});
