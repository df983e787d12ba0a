import { expect, it } from 'vitest';
import { createTools } from '../../../src/app/create-tools.ts';
import { fileWorld } from '../../support/file-tools.ts';
import { createInProcessTextSearch } from '../../support/in-process-text-search.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { createScriptedShell } from '../../support/scripted-shell.ts';

// What the model is told of the tools is product: a change of it has to be seen in review.
it('are told to the model in these words, in this order', () => {
  const clock = createManualClock();
  const tools = createTools(
    {
      ...fileWorld().ports,
      shell: createScriptedShell(clock),
      textSearch: createInProcessTextSearch(),
      clock,
      outputDirectory: '/out',
      environment: {},
      maxOutputChars: 10_000,
    },
    { disabledTools: [] },
  );
  expect(tools.map(({ definition }) => definition)).toMatchSnapshot();
});
