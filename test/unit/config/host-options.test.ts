import { describe, expect, it } from 'vitest';
import { type HostOptions, withHostOptions } from '../../../src/config/host-options.ts';
import { configSchema } from '../../../src/config/schema.ts';
import { canonicalToolName } from '../../../src/tools/dialects/aliases.ts';
import { TOOL_NAMES } from '../../../src/tools/tools.ts';

const BASE = configSchema(TOOL_NAMES).parse({
  prompt: { append: 'Be brief.' },
  safety: {
    permissions: { run_shell: 'ask_always' },
    allowed_commands: ['npm test'],
    blocked_commands: ['sudo'],
    sandbox_allowed_paths: ['/data'],
  },
});

/** Changes by the options, under short names. */
function changed(options: HostOptions, base = BASE) {
  const names = { own: TOOL_NAMES, canonical: canonicalToolName };
  const { config, warnings } = withHostOptions(base, options, names, (path) => `/cwd/${path}`);
  return {
    levels: config.safety.permissions,
    allowed: config.safety.allowed_commands.slice(1),
    blocked: config.safety.blocked_commands.slice(1),
    paths: config.safety.sandbox_allowed_paths.slice(1),
    hidden: TOOL_NAMES.filter((name) => config.tools.builtin[name]?.enabled === false),
    append: config.prompt.append,
    warnings,
  };
}

const NOTHING = {
  levels: { run_shell: 'ask_always' },
  allowed: [],
  blocked: [],
  paths: [],
  hidden: [],
  append: 'Be brief.',
  warnings: [],
};

describe('the options of a host', () => {
  it.each<[string, HostOptions, object]>([
    ['none', {}, {}],
    [
      'tools by the names of another agent',
      { tools: ['Read', 'Grep', 'Task'] },
      {
        hidden: TOOL_NAMES.filter((name) => !['read_file', 'search_files'].includes(name)),
        warnings: ['--tools names tools that ybs does not have: Task.'],
      },
    ],
    ['no tools', { tools: [] }, { hidden: TOOL_NAMES }],
    [
      'a tool that runs without a question',
      { allowedTools: ['Write'] },
      { levels: { run_shell: 'ask_always', write_file: 'automatic' } },
    ],
    ['a level of the user, which a host does not relax', { allowedTools: ['Bash', 'Bash()', 'Bash(*)'] }, {}],
    [
      'a tool of the host, whose name keeps its case',
      { allowedTools: ['mcp__Shop__find'], disallowedTools: ['mcp__Shop__buy'] },
      { levels: { run_shell: 'ask_always', mcp__Shop__find: 'automatic', mcp__Shop__buy: 'denied' } },
    ],
    [
      'commands that run without a question',
      { allowedTools: ['Bash(npm test:*)', 'Bash(git diff *)', 'Bash(ls)'] },
      { allowed: ['npm test *', 'git diff *', 'ls'] },
    ],
    ['commands that never run', { disallowedTools: ['Bash(git push:*)', 'Bash(rm)'] }, { blocked: ['git push', 'rm'] }],
    [
      'a tool that is not offered',
      { disallowedTools: ['Bash'] },
      { levels: { run_shell: 'denied' }, hidden: ['run_shell'] },
    ],
    [
      'an allowed rule that has no counterpart',
      { allowedTools: ['Edit(src/**)', 'Bash(npm * test)', 'Bash(:*)'] },
      {
        warnings: ['Edit(src/**)', 'Bash(npm * test)', 'Bash(:*)'].map(
          (rule) => `The rule ${rule} of --allowedTools has no effect: ybs knows Tool and Bash(command:*) here.`,
        ),
      },
    ],
    [
      'a denied rule that has no counterpart: its whole tool is denied',
      { disallowedTools: ['Read(.env)'] },
      {
        levels: { run_shell: 'ask_always', read_file: 'denied' },
        warnings: ['The rule Read(.env) of --disallowedTools is not known, so its whole tool is turned off.'],
      },
    ],
    ['more directories', { addDirectories: ['lib', 'docs'] }, { paths: ['/cwd/lib', '/cwd/docs'] }],
    [
      'a text at the end of the prompt',
      { appendSystemPrompt: 'Speak French.' },
      { append: 'Be brief.\n\nSpeak French.' },
    ],
  ])('are applied: %s', (_name, options, expected) => {
    expect(changed(options)).toEqual({ ...NOTHING, ...expected });
  });

  it('add a text to an empty prompt', () => {
    expect(changed({ appendSystemPrompt: 'Go.' }, configSchema(TOOL_NAMES).parse({})).append).toBe('Go.');
  });
});
