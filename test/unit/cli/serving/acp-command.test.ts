import { expect, it } from 'vitest';
import { acpCommand } from '../../../../src/cli/subcommands/serving/acp-command.ts';
import { configuredRun } from '../../../support/agent/configured-run.ts';

it.each<readonly [string, boolean, readonly string[]]>([
  [
    'explains its purpose at a terminal',
    true,
    ['An editor starts ybs acp and talks to it here; see docs/editors.md. Ctrl-C ends it.'],
  ],
  ['prints nothing for an editor', false, []],
])('ybs acp %s, and ends with its input', async (_name, typesInput, expected) => {
  const warned: string[] = [];
  const { outcome, screen } = await configuredRun({
    run: (wiring, user, options, machine) =>
      acpCommand(
        { options },
        {
          ...{ wiring, machine, version: '1.2.3', keepMemorySmall: async () => {} },
          user: { ...user, typesInput, warn: async (message) => warned.push(message) },
          openInput: async () => new ReadableStream({ start: (controller) => controller.close() }),
        },
      ),
  });
  expect({ outcome, warned, screen }).toEqual({ outcome: 0, warned: expected, screen: '' });
});
