import { expect, it } from 'vitest';
import { createTools, TOOL_NAMES } from '../../../src/tools/tools.ts';
import { fileWorld } from '../../support/file-tools.ts';
import { createInProcessTextSearch } from '../../support/in-process-text-search.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { createScriptedShell } from '../../support/scripted-shell.ts';

const ports = {
  ...fileWorld().ports,
  shell: createScriptedShell(createManualClock()),
  textSearch: createInProcessTextSearch(),
  outputDirectory: '/out',
  environment: {},
  maxOutputChars: 10_000,
};

// The descriptions for the model are product: a change of them has to be seen in review.
it('describes the tools to the model in these words, in this order', async () => {
  expect((await createTools(ports)).map(({ definition }) => definition)).toMatchSnapshot();
});

it('names every tool in the table as the tool names itself', async () => {
  expect((await createTools(ports)).map(({ definition }) => definition.name)).toEqual(TOOL_NAMES);
});

it('leaves disabled tools out', async () => {
  const tools = await createTools(ports, { disabledTools: ['run_shell'] });
  expect(tools.map(({ definition }) => definition.name)).toEqual(TOOL_NAMES.filter((name) => name !== 'run_shell'));
});
