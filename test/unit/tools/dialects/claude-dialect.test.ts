import { describe, expect, it } from 'vitest';
import type { Tool, ToolSet } from '../../../../src/agent/ports/tool.ts';
import { canonicalArguments } from '../../../../src/tools/dialects/aliases.ts';
import { inClaudeDialect } from '../../../../src/tools/dialects/claude-dialect.ts';
import { CLAUDE_TOOLS } from '../../../../src/tools/dialects/claude-tools.ts';
import { createRegistry } from '../../../../src/tools/registry.ts';
import { createTools, type ToolPorts } from '../../../../src/tools/tools.ts';
import { createInProcessTextSearch } from '../../../support/fakes/in-process-text-search.ts';
import { createManualClock } from '../../../support/fakes/manual-clock.ts';
import { createScriptedShell } from '../../../support/fakes/scripted-shell.ts';
import { toolPorts } from '../../../support/fakes/tool-ports.ts';
import { CONTEXT, call, fileWorkspace } from '../../../support/tools/file-tools.ts';

const FILES = { 'src/a.ts': 'one\nTwo two\n', 'src/b.ts': 'two\n', 'notes.md': 'two\n' };

/** The tools of a workspace in the dialect. */
function workspace(files: Readonly<Record<string, string>> = FILES, others: readonly Tool[] = []) {
  const world = fileWorkspace(files);
  const ports: ToolPorts = { ...toolPorts(), ...world.ports, textSearch: createInProcessTextSearch(world) };
  return { ...world, tools: inClaudeDialect(createRegistry([...createTools(ports), ...others]), 'posix') };
}

function otherTool(name: string, plan: Tool['plan'] = () => Promise.reject(new Error('not planned'))): Tool {
  const parameters = { type: 'object', properties: { url: { type: 'string' } }, required: ['url'] };
  return { definition: { name, description: `The tool ${name}.`, parameters, effect: 'read' }, plan };
}

const namesOf = ({ definitions }: ToolSet): readonly string[] => definitions.map(({ name }) => name);

async function use(tools: ToolSet, name: string, args: unknown): Promise<string> {
  const tool = tools.find(name);
  return tool === undefined ? 'no tool' : call(tool, args);
}

describe('the tools that are offered', () => {
  it('have the names of Claude Code', () => {
    expect(namesOf(workspace().tools).join(' ')).toBe('Read Write Edit MultiEdit Glob Grep LS Bash TodoWrite');
  });

  it.each([
    ['tools without a Claude name last', ['count', 'web_fetch'], 'WebFetch count'],
    ['each name once', ['Read', 'web_search'], 'WebSearch Read'],
    ['the tool for plans under its name', ['present_plan'], 'ExitPlanMode'],
  ])('include %s', (_name, others, expected) => {
    const base = createRegistry(others.map((name) => otherTool(name)));
    expect(namesOf(inClaudeDialect(base, 'posix')).join(' ')).toBe(expected);
  });

  it('are limited to those that exist', () => {
    const tools = createTools(toolPorts(), { disabledTools: ['edit_file', 'list_files'] });
    expect(namesOf(inClaudeDialect(createRegistry(tools), 'posix')).join(' ')).toBe('Read Write Grep Bash TodoWrite');
  });

  it('have the description of the user, if there is one', () => {
    const tools = createTools(toolPorts(), { toolDescriptions: { run_shell: 'Use edit_file first.' } });
    const { definitions } = inClaudeDialect(createRegistry(tools), 'posix');
    expect(definitions.find(({ name }) => name === 'Bash')?.description).toBe('Use Edit first.');
  });

  it('require no parameter of a tool that requires none', () => {
    const parameters = { type: 'object', properties: { path: { type: 'string' } } };
    const tool = otherTool('read_file');
    const own = { ...tool, definition: { ...tool.definition, parameters } };
    expect(inClaudeDialect(createRegistry([own]), 'posix').definitions[0]?.parameters).toEqual({
      type: 'object',
      properties: { file_path: { type: 'string' }, offset: {}, limit: {} },
    });
  });

  it('have their own descriptions', () => {
    const described = workspace({}, [otherTool('web_fetch')]).tools.definitions.map(
      ({ name, description, parameters }) => [name, ...description.split('\n'), JSON.stringify(parameters)],
    );
    const text = described.flat().join('\n');
    expect(text).not.toMatch(
      /\b(?:read|write|edit|list|search)_files?\b|run_shell|old_text|new_text|max_results|\bcontext_lines/,
    );
    expect(text).toMatchInlineSnapshot(`
      "Read
      Read a text file. The result starts with "lines a–b of N", then every line as its number, a tab and its text.
      At most 500 lines (or limit) and 50 KB are shown; when there is more, the result says how to continue.
      A picture (PNG, JPEG, GIF, WebP) is attached to the result.
      Read a file before you edit it: Edit needs its exact text, without the numbers.
      {"type":"object","properties":{"file_path":{"type":"string","description":"Path of the file, relative to the workspace or absolute"},"offset":{"default":1,"description":"Number of the first line to read, from 1","type":"integer","minimum":1,"maximum":100000000},"limit":{"default":500,"description":"Maximum number of lines to read","type":"integer","minimum":1,"maximum":100000}},"required":["file_path"]}
      Write
      Create a file or replace all of its content. Missing directories are created.
      The content is written exactly as given: nothing is added, line endings are not changed.
      Read an existing file before you replace it. To change a part of it, use Edit.
      {"type":"object","properties":{"file_path":{"type":"string","description":"Path of the file, relative to the workspace or absolute"},"content":{"type":"string","description":"The complete new content of the file"}},"required":["file_path","content"]}
      Edit
      Replace an exact piece of text in a file. Read the file first and copy old_string exactly, without line numbers.
      old_string must occur exactly once; add neighbouring lines to make it unique, or set replace_all.
      The line endings and the encoding of the file are kept. The result shows the changed lines, so do not read the file again.
      {"type":"object","properties":{"file_path":{"type":"string","description":"Path of the file, relative to the workspace or absolute"},"old_string":{"type":"string","description":"The exact text to replace, with its indentation; it must be unique in the file"},"new_string":{"type":"string","description":"The replacement text; empty to delete"},"replace_all":{"default":false,"description":"Replace every occurrence instead of exactly one","type":"boolean"}},"required":["file_path","old_string","new_string"]}
      MultiEdit
      Make several edits in one file, in order; each sees the text that the one before it left. If one fails, none is made. The rules for each are those of Edit.
      {"type":"object","properties":{"file_path":{"type":"string","description":"Path of the file, relative to the workspace or absolute"},"edits":{"type":"array","minItems":1,"maxItems":100,"items":{"type":"object","properties":{"old_string":{"type":"string"},"new_string":{"type":"string"},"replace_all":{"type":"boolean","default":false}},"required":["old_string","new_string"]}}},"required":["file_path","edits"]}
      Glob
      Find files by a glob pattern relative to path, sorted by path, at most 100.
      \`*.ts\` matches in path only, \`**/*.ts\` also in all directories below it. Files ignored by .gitignore are omitted, unless path itself is ignored. .git is never listed.
      {"type":"object","properties":{"pattern":{"type":"string","minLength":1,"maxLength":1000,"description":"Glob such as *, **/*.ts or src/*.{ts,tsx}"},"path":{"default":".","description":"Directory to look in","type":"string"}},"required":["pattern"]}
      Grep
      Search the lines of text files with a JavaScript regular expression, sorted by path. Each line is matched separately.
      output_mode: "files_with_matches" (default) shows the paths, "content" the lines (\`12: text\` matches, \`13- text\` is context), "count" the number of lines in each file.
      Files ignored by .gitignore are skipped, unless path itself is ignored. Binary files, files over 2 MB, .git and links are skipped.
      {"type":"object","properties":{"pattern":{"type":"string","minLength":1,"maxLength":1000,"description":"Regular expression"},"path":{"default":".","description":"Directory or file to search","type":"string"},"glob":{"description":"Glob for the files to search: *.ts at any depth, src/**/*.ts relative to path","type":"string","minLength":1,"maxLength":1000},"output_mode":{"type":"string","enum":["content","files_with_matches","count"],"default":"files_with_matches"},"-i":{"type":"boolean","description":"Ignore case"},"-A":{"type":"integer","minimum":0,"maximum":20,"description":"Lines to show after each match; output_mode \\"content\\" only"},"-B":{"type":"integer","minimum":0,"maximum":20,"description":"Lines to show before each match"},"-C":{"type":"integer","minimum":0,"maximum":20,"description":"Lines to show before and after each match"},"head_limit":{"default":50,"description":"Maximum number of matching lines to show; all are counted","type":"integer","minimum":1,"maximum":1000}},"required":["pattern"]}
      LS
      List the files and directories in a directory, without those that .gitignore ignores.
      {"type":"object","properties":{"path":{"default":".","description":"Directory to look in","type":"string"}}}
      Bash
      Run a shell command and return its exit code, duration and output. A non-zero exit code is a result, not a failure of the tool.
      Standard input is closed: use flags such as --yes. Every call starts a new shell in the working directory, so cd and variables do not persist. Do not start background processes: they end with the command. Long output is truncated in the middle; the result names a file with all of it.
      Prefer Read, Glob and Grep for reading and finding files.
      {"type":"object","properties":{"command":{"type":"string","description":"The command line, for the shell named in the system prompt"},"description":{"type":"string","description":"What the command does, in five to ten words"},"timeout":{"type":"integer","minimum":1000,"maximum":600000,"description":"Timeout in milliseconds"}},"required":["command"]}
      TodoWrite
      Keep a list of the tasks of a longer job, for you and the user. Send the whole list each time: it replaces the earlier one.
      Have one task in_progress at a time, and mark it completed as soon as it is done. Short jobs need no list.
      {"type":"object","properties":{"todos":{"maxItems":100,"type":"array","items":{"type":"object","properties":{"id":{"description":"Name of the task, to recognise it later","type":"string","maxLength":64},"content":{"type":"string","minLength":1,"maxLength":500,"description":"What to do"},"status":{"type":"string","enum":["pending","in_progress","completed"]},"activeForm":{"description":"What is being done while the task is in progress: Fixing the sum","type":"string","minLength":1,"maxLength":500}},"required":["content","status"]},"description":"The whole list, in order; it replaces the earlier one"}},"required":["todos"]}
      WebFetch
      The tool WebFetch.
      {"type":"object","properties":{"url":{"type":"string"}},"required":["url"]}"
    `);
  });

  const renamed = CLAUDE_TOOLS.flatMap(({ tool, parameters = {} }) =>
    Object.entries(parameters).flatMap(([name, own]) => (typeof own === 'string' ? [[tool, name, own] as const] : [])),
  );
  it.each(renamed)('pass to %s the parameter %s as %s', (tool, name, own) => {
    expect(canonicalArguments(tool, { [name]: 1 })).toEqual({ [own]: 1 });
  });
});

describe('a call', () => {
  it.each<readonly [string, object, string]>([
    ['Read', { file_path: 'src/a.ts', offset: 2, limit: '1', extra: true }, 'lines 2–2 of 2\n2\tTwo two'],
    ['read', { file_path: '/w/src/b.ts' }, 'lines 1–1 of 1\n1\ttwo'],
    ['Read', { file_path: 'file:///w/src/b.ts' }, 'lines 1–1 of 1\n1\ttwo'],
    ['Read', { file_path: 'src\\b.ts' }, 'lines 1–1 of 1\n1\ttwo'],
    ['read_file', { path: 'src/b.ts' }, 'lines 1–1 of 1\n1\ttwo'],
    ['view', { path: 'src/b.ts' }, 'lines 1–1 of 1\n1\ttwo'],
    ['Write', { file_path: 'new/c.ts', content: 'x\n' }, 'created new/c.ts: 2 bytes, 1 line'],
    ['Glob', { pattern: '**/*.ts' }, '2 matches for **/*.ts in the workspace:\nsrc/a.ts\nsrc/b.ts'],
    ['Glob', { pattern: '*.ts', path: 'src' }, '2 matches for *.ts in src:\nsrc/a.ts\nsrc/b.ts'],
    ['LS', {}, '2 matches for * in the workspace:\nnotes.md\nsrc/'],
    ['LS', { path: '/w/src' }, '2 matches for * in src:\nsrc/a.ts\nsrc/b.ts'],
    [
      'Grep',
      { pattern: 'two' },
      '3 matching lines in 3 files for /two/ in the workspace, 3 files searched:\n\nnotes.md\nsrc/a.ts\nsrc/b.ts',
    ],
    [
      'Grep',
      { pattern: 'TWO', '-i': 'true', glob: '*.md' },
      '1 matching line in 1 file for /(?i)TWO/ in the workspace (**/*.md), 1 file searched:\n\nnotes.md',
    ],
    [
      'Grep',
      { pattern: 'two', output_mode: 'count', path: 'src', head_limit: 1 },
      '2 matching lines in 2 files for /two/ in src, 2 files searched:\n\nsrc/a.ts: 1\n\nNot shown: 1 more file. Narrow the search with path, file_pattern or a more exact pattern.',
    ],
    [
      'Grep',
      { pattern: 'Two', output_mode: 'content' },
      '1 matching line in 1 file for /Two/ in the workspace, 3 files searched:\n\nsrc/a.ts\n2: Two two',
    ],
    [
      'Grep',
      { pattern: 'Two', output_mode: 'content', '-B': '1' },
      '1 matching line in 1 file for /Two/ in the workspace, 3 files searched:\n\nsrc/a.ts\n1- one\n2: Two two',
    ],
    ...[{ '-A': 1 }, { '-C': '1' }, { '-A': 99, '-B': 1 }].map(
      (around) =>
        [
          'Grep',
          { pattern: 'ONE', '-i': true, output_mode: 'content', ...around },
          '1 matching line in 1 file for /(?i)ONE/ in the workspace, 3 files searched:\n\nsrc/a.ts\n1: one\n2- Two two',
        ] as const,
    ),
    [
      'TodoWrite',
      { todos: "[{'content': 'a', 'status': 'pending', 'activeForm': 'Doing a'}]" },
      'The list has 1 task: 0 completed, 0 in progress, 1 pending.',
    ],
    [
      'TodoWrite',
      { todos: [{ content: 'a', status: 'pending', activeForm: 'Doing a', priority: 'high' }] },
      'The list has 1 task: 0 completed, 0 in progress, 1 pending.',
    ],
  ])('of %s with %j is answered', async (name, args, expected) => {
    expect(await use(workspace().tools, name, args)).toBe(expected);
  });

  it('keeps the name and the level of the tool of ybs', () => {
    const { tools } = workspace();
    expect(['Edit', 'MultiEdit', 'bash', 'LS'].map((name) => tools.find(name)?.definition.name)).toEqual([
      'edit_file',
      'edit_file',
      'run_shell',
      'list_files',
    ]);
  });

  it.each<readonly [string, object, string]>([
    ['Read', { file_path: 'x/y.ts' }, 'Use Glob to look for it.'],
    ['Read', { file_path: 'C:\\w\\a.ts' }, 'C:\\w\\a.ts is a Windows path.'],
    ['Read', {}, '→ at file_path'],
    ['TodoWrite', { todos: 'none' }, '→ at todos'],
    ['Edit', { file_path: 'notes.md', new_string: 'x' }, '→ at old_string'],
    ['Grep', { pattern: 'x', output_mode: 'all' }, 'output'],
    ['Grep', { pattern: ['x'], '-i': true }, 'pattern'],
    ['Bash', { command: 'npm start', run_in_background: true }, 'invalid_arguments: run_in_background'],
    ['Bash', { command: 'ls', timeout: 'soon' }, 'timeout'],
    ['MultiEdit', { file_path: 'notes.md', edits: 'all' }, 'edits'],
    ['Edit', [1], 'The arguments of Edit'],
  ])('of %s with %j fails', async (name, args, expected) => {
    expect(await use(workspace().tools, name, args)).toContain(expected);
  });

  it('of another tool gets its arguments unchanged', async () => {
    const seen: unknown[] = [];
    const fetch = otherTool('web_fetch', async (args) => {
      seen.push(args);
      return {
        effect: { summary: '', paths: [] },
        async *run() {
          return { content: 'page', isError: false, summary: '' };
        },
      };
    });
    const { tools } = workspace({}, [fetch]);
    const args = { url: 'file://x', path: 'a\\b', prompt: 'p' };
    expect([await use(tools, 'WebFetch', args), await use(tools, 'web_fetch', args), seen]).toEqual([
      'page',
      'page',
      [args, args],
    ]);
  });

  it('fails with other errors unchanged', async () => {
    const broken = otherTool('web_search', async () => ({
      effect: { summary: '', paths: [] },
      async *run() {
        throw new Error('broken read_file');
      },
    }));
    await expect(use(workspace({}, [broken]).tools, 'WebSearch', {})).rejects.toThrow('broken read_file');
    await expect(use(workspace({}, [otherTool('web_search')]).tools, 'WebSearch', {})).rejects.toThrow('not planned');
  });

  it('of an unknown name fails with a suggestion of the dialect', () => {
    const { tools } = workspace({}, [otherTool('count')]);
    expect(
      ['Reed', 'nothing_like_it', 'bosh', 'edit_fil', 'cont'].map((name) => [tools.find(name), tools.nearest(name)]),
    ).toEqual([
      [undefined, 'Read'],
      [undefined, undefined],
      [undefined, 'Bash'],
      [undefined, 'Edit'],
      [undefined, 'count'],
    ]);
  });
});

describe('Edit and MultiEdit', () => {
  const read = { file_path: 'src/a.ts' };

  it('replace texts', async () => {
    const { tools, text } = workspace();
    await use(tools, 'Read', read);
    expect(await use(tools, 'Edit', { ...read, old_string: 'one', new_string: '1', replace_all: 'false' })).toMatch(
      /^edited/,
    );
    const edits = [
      { old_string: '1', new_string: 'uno' },
      { old_string: 'uno\n', new_string: 'eins\n' },
      { old_string: 't', new_string: 'T', replace_all: true },
    ];
    const asText = JSON.stringify(edits);
    expect(await use(tools, 'MultiEdit', { ...read, edits: asText })).toMatch(
      /^edited src\/a\.ts: 3 edits \(\+2 −2 lines\)/,
    );
    expect(text('src/a.ts')).toBe('eins\nTwo Two\n');
  });

  it.each<readonly [string, readonly unknown[], string]>([
    [
      'a text is missing',
      [{ old_string: 'three', new_string: '3' }],
      'Edit 2 of 2 failed, so none was made. old_string is not in src/a.ts.',
    ],
    [
      'a text occurs twice',
      [{ old_string: 'wo', new_string: '2' }],
      'Edit 2 of 2 failed, so none was made. old_string is in src/a.ts 2 times',
    ],
    [
      'a text is empty',
      [{ old_string: '', new_string: '2' }],
      'Edit 2 of 2 failed, so none was made. old_string is empty.',
    ],
    ['an edit is not an object', ['one'], 'edits'],
  ])('change nothing if %s', async (_name, more, expected) => {
    const { tools, text } = workspace();
    await use(tools, 'Read', read);
    const edits = [{ old_string: 'one', new_string: '1' }, ...more];
    expect(await use(tools, 'MultiEdit', { ...read, edits })).toContain(expected);
    expect(text('src/a.ts')).toBe(FILES['src/a.ts']);
  });

  it('change nothing if the edits undo each other', async () => {
    const { tools } = workspace();
    await use(tools, 'Read', read);
    const edits = [
      { old_string: 'one', new_string: '1' },
      { old_string: '1', new_string: 'one' },
    ];
    expect(await use(tools, 'MultiEdit', { ...read, edits })).toContain('so it was not changed');
  });

  it('report the closest text of the file', async () => {
    const { tools } = workspace({ 'src/a.ts': 'read_file(path, old_text)\n' });
    await use(tools, 'Read', read);
    const answer = await use(tools, 'Edit', { ...read, old_string: 'read_file(path, old_txt)', new_string: '' });
    expect(answer).toContain('1\tread_file(path,·old_text)');
    expect(answer).toContain('old_string is not in src/a.ts');
  });
});

describe('Bash', () => {
  it.each([
    [undefined, 60_000],
    [null, 60_000],
    [5_000, 5_000],
    ['5000', 5_000],
    [1_001, 2_000],
    [10, 1_000],
    [0, 1_000],
    [9_000_000, 600_000],
  ])('limits the time of a command to %s milliseconds', async (timeout, timeoutMs) => {
    const shell = createScriptedShell(createManualClock(), { command: 'ls', timeoutMs });
    const { tools } = { tools: inClaudeDialect(createRegistry(createTools({ ...toolPorts(), shell })), 'posix') };
    expect(await use(tools, 'Bash', { command: 'ls', description: 'List', timeout })).toContain('exit_code: 0');
    shell.assertExhausted();
  });

  it('runs the command that the user edited, and keeps the other arguments', async () => {
    const shell = createScriptedShell(createManualClock(), { command: 'ls -a', timeoutMs: 5_000 });
    const tool = inClaudeDialect(createRegistry(createTools({ ...toolPorts(), shell })), 'posix').find('Bash');
    const args = tool?.withCommand?.({ command: 'ls', timeout: 5_000 }, 'ls -a');
    const planned = await tool?.plan(args, CONTEXT);
    expect(planned?.effect.command).toBe('ls -a');
    expect(tool?.withCommand?.('no object', 'ls')).toEqual({ command: 'ls' });
    for await (const _ of planned?.run() ?? []);
    shell.assertExhausted();
  });
});
