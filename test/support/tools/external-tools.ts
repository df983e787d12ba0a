import { computeDigest } from '../../../src/node/system.ts';
import { createRedactor } from '../../../src/policy/redaction/redact.ts';
import type { ExternalTools } from '../../../src/tools/external-tool/discovery.ts';
import type { ExternalToolPorts } from '../../../src/tools/external-tool/external-tool.ts';
import { findExternalTools, NO_EXTERNAL_TOOLS } from '../../../src/tools/external-tools.ts';
import { createManualClock } from '../fakes/manual-clock.ts';
import { createMemoryFileSystem, type MemoryFileSystem } from '../fakes/memory-file-system.ts';
import { createScriptedShell, type ScriptedCommand, type ScriptedShell } from '../fakes/scripted-shell.ts';

/** A machine in memory with programs that are tools. Home is `/home/ada`, the workspace `/home/ada/project`. */
export interface ToolMachine {
  readonly ports: ExternalToolPorts;
  readonly volume: MemoryFileSystem['volume'];
  readonly shell: ScriptedShell;
  find(discovery?: Partial<Parameters<typeof findExternalTools>[0]>): Promise<ExternalTools>;
}

/** Creates executable files and others, by path; `~` is the home directory. `commands` are expected to be run. */
export function toolMachine(
  files: { readonly programs?: readonly string[]; readonly others?: Readonly<Record<string, string>> },
  ...commands: readonly ScriptedCommand[]
): ToolMachine {
  const { programs = [], others = {} } = files;
  const contents = [...programs.map((path) => [path, '#!/bin/sh\n'] as const), ...Object.entries(others)];
  const absolute = (path: string): string => path.replace(/^~/, '/home/ada');
  const { fileSystem, volume } = createMemoryFileSystem({
    '/home/ada/project/README.md': '',
    ...Object.fromEntries(contents.map(([path, content]) => [absolute(path), content])),
  });
  for (const path of programs.map(absolute)) {
    for (const each of [path, path.slice(0, path.lastIndexOf('/'))]) volume.chmodSync(each, 0o755);
  }
  const shell = createScriptedShell(createManualClock(), ...commands);
  const ports: ExternalToolPorts = {
    fileSystem,
    shell,
    digest: computeDigest,
    outputDirectory: '/out',
    environment: { PATH: '/bin' },
    maxOutputChars: 1_000,
    redactor: createRedactor(['hunter2hunter2']),
    pathRules: {
      workspace: '/home/ada/project',
      home: '/home/ada',
      allowedRoots: ['/home/ada/project'],
      readOnlyRoots: [],
      blockedPaths: [],
      ownDirectories: ['/home/ada/.config/ybs'],
      platform: 'posix',
    },
  };
  const searchPaths = ['~/.config/ybs/tools', '~/.ybs/tools', './tools'];
  return {
    ports,
    volume,
    shell,
    find: (discovery) =>
      findExternalTools(
        {
          settings: { ...NO_EXTERNAL_TOOLS, searchPaths, ...discovery?.settings },
          otherNames: discovery?.otherNames ?? [],
          startsNothing: discovery?.startsNothing,
          signal: discovery?.signal ?? new AbortController().signal,
        },
        ports,
      ),
  };
}
