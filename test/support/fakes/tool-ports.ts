import type { ToolPorts } from '../../../src/tools/tools.ts';
import { fileWorkspace } from '../tools/file-tools.ts';
import { createInProcessTextSearch } from './in-process-text-search.ts';
import { createManualClock } from './manual-clock.ts';
import { createScriptedShell } from './scripted-shell.ts';

/** Ports of all tools over an empty workspace in memory. */
export function toolPorts(): ToolPorts {
  const clock = createManualClock();
  const { ports, volume } = fileWorkspace();
  return {
    ...ports,
    shell: createScriptedShell(clock),
    clock,
    textSearch: createInProcessTextSearch({ volume }),
    outputDirectory: '/out',
    environment: {},
    maxOutputChars: 10_000,
    tasks: () => [],
  };
}
