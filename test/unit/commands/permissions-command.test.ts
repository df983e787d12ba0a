import { describe, expect, it } from 'vitest';
import { PERMISSIONS_COMMAND } from '../../../src/commands/permissions-command.ts';
import { configSchema } from '../../../src/config/schema.ts';
import { PERMISSION_LEVELS, PERMISSION_MODES } from '../../../src/ports/approver.ts';
import type { PlannedEffect, ToolDefinition } from '../../../src/ports/tool.ts';
import { decide } from '../../../src/safety/decide.ts';
import { parseBlockList } from '../../../src/safety/shell/shell-policy.ts';
import { createFakeAgent } from '../../support/fake-agent.ts';

const TOOLS: readonly ToolDefinition[] = [
  { name: 'write_file', description: '', parameters: {}, effect: 'write' },
  { name: 'run_shell', description: '', parameters: {}, effect: 'execute' },
  { name: 'read_file', description: '', parameters: {}, effect: 'read' },
  { name: 'web_search', description: '', parameters: {}, effect: 'execute' },
];

/** The text of `/permissions` with these settings of `safety`. */
async function permissions(safety: object, tools = TOOLS, origins: Readonly<Record<string, string>> = {}) {
  const fake = createFakeAgent([]);
  const configuration = { config: configSchema([]).parse({ safety }), origins: new Map(Object.entries(origins)) };
  const result = await PERMISSIONS_COMMAND.run(async () => ({ ...fake, tools, configuration }), '', {
    models: { use: () => Promise.reject(new Error('not used here')) },
    signal: new AbortController().signal,
  });
  return result.type === 'text' ? result.text : result.type;
}

describe('/permissions', () => {
  it('shows the level of each tool and where it is from', async () => {
    const safety = {
      permissions: { web_search: 'ask_always', run_shell: 'automatic', run_shel: 'denied' },
      require_confirmation: ['run_shell', 'read_file'],
    };
    const origins = {
      'safety.permission_mode': 'command line',
      'safety.permissions.web_search': '/home/ada/.ybs.json',
    };
    expect(await permissions(safety, TOOLS, origins)).toMatchInlineSnapshot(`
      "Tool        Level       Set by
      read_file   ask_once    safety.require_confirmation (default)
      run_shell   ask_once    safety.require_confirmation (default)
      web_search  ask_always  safety.permissions.web_search (/home/ada/.ybs.json)
      write_file  ask_once    permission mode ask (command line)

      ask_once: asks, and the answer can hold for the rest of the session
      ask_always: asks about each call
      Levels without effect, because there is no such tool: run_shel
      At every level, blocked paths and commands never run, and what is guarded or cannot be read asks; see docs/cli.md."
    `);
  });

  it('shows the kinds of calls of one tool that have different levels', async () => {
    expect(await permissions({ permission_mode: 'accept-edits' })).toMatchInlineSnapshot(`
      "Tool        Level      Set by
      read_file   automatic  permission mode accept-edits (default)
      run_shell   ask_once   permission mode accept-edits (default)
      web_search  ask_once   permission mode accept-edits (default)
      write_file  automatic  permission mode accept-edits (default)
                  ask_once   permission mode accept-edits (default), for a file that was not read or has changed since

      automatic: runs without a question
      ask_once: asks, and the answer can hold for the rest of the session
      At every level, blocked paths and commands never run, and what is guarded or cannot be read asks; see docs/cli.md."
    `);
  });

  it('says so when the model has no tools', async () => {
    expect(await permissions({}, [])).toBe('The model has no tools.');
  });

  const PATHS = [{ requested: 'a', realPath: '/w/a', access: 'write' }] as const;
  /** Two calls of each tool: an ordinary one, and one that replaces a file that was not read. */
  const EFFECTS: Readonly<Record<string, readonly Partial<PlannedEffect>[]>> = {
    write_file: [{ paths: PATHS }, { paths: PATHS, before: 'digest' }],
    run_shell: [{ command: 'ls', workingDirectory: '/w' }],
    read_file: [{}],
    web_search: [{ workingDirectory: '/w' }],
  };
  const CASES = PERMISSION_MODES.flatMap((mode) =>
    [undefined, ...PERMISSION_LEVELS].flatMap((level) =>
      [true, false].map((confirmed) => [mode, level, confirmed] as const),
    ),
  );
  it.each(CASES)(
    'agrees with the decisions in the mode %s, at level %s, confirmed: %s',
    async (mode, level, confirmed) => {
      const names = TOOLS.map(({ name }) => name);
      const levels = level === undefined ? {} : Object.fromEntries(names.map((name) => [name, level]));
      const confirmedTools = confirmed ? names : [];
      const text = await permissions({
        permission_mode: mode,
        permissions: levels,
        require_confirmation: confirmedTools,
      });
      const pathRules = {
        workspace: '/w',
        home: '/home/u',
        allowedRoots: ['/w'],
        readOnlyRoots: [],
        blockedPaths: [],
        platform: 'posix',
      } as const;
      const settings = { mode, levels, confirmedTools, pathRules, blockList: parseBlockList([]) };
      const decided = TOOLS.flatMap(({ name, effect: toolEffect }) =>
        (EFFECTS[name] ?? []).map((more) => {
          const effect = { summary: 'a call', paths: [], ...more };
          return [name, decide({ toolName: name, toolEffect, effect }, settings, []).type] as const;
        }),
      );
      const shown = decided.map(([name, _type], index) => {
        const second = decided[index - 1]?.[0] === name;
        const row = new RegExp(`^${name} +(\\w+) .*(?:\\n +(\\w+))?`, 'm').exec(text);
        const level = (second ? row?.[2] : undefined) ?? row?.[1] ?? '';
        return [name, TYPES[level]];
      });
      expect(shown).toEqual(decided);
    },
  );
});

/** The type of the decision about a call of a level. */
const TYPES: Readonly<Record<string, string>> = {
  automatic: 'allow',
  ask_once: 'ask',
  ask_always: 'ask',
  denied: 'deny',
};
