import { describe, expect, it } from 'vitest';
import { ToolError } from '../../../../src/agent/errors.ts';
import type { ToolProgress } from '../../../../src/agent/ports/tool.ts';
import { NO_EXTERNAL_TOOLS } from '../../../../src/tools/external-tools.ts';
import type { ScriptedCommand } from '../../../support/fakes/scripted-shell.ts';
import { toolMachine } from '../../../support/tools/external-tools.ts';
import { CONTEXT, finish } from '../../../support/tools/file-tools.ts';

const SEARCH = {
  name: 'web_search',
  path: '~/bin/web-search',
  enabled: true,
  description: 'Search the web.',
  parameters: { query: { type: 'string', required: true }, limit: { type: 'integer' } },
};
const PROGRAM = '/home/ada/bin/web-search';

/** The only tool of a machine, and the machine. */
async function searchTool(script: Partial<ScriptedCommand> = {}, entry: object = {}) {
  const machine = toolMachine({ programs: ['~/bin/web-search'] }, { command: `${PROGRAM} {"query":"x"}`, ...script });
  const { tools } = await machine.find({ settings: { ...NO_EXTERNAL_TOOLS, entries: [{ ...SEARCH, ...entry }] } });
  const [tool] = tools;
  if (tool === undefined) throw new Error('there is no tool');
  return { ...machine, tool };
}

/** The result of one call with a program that plays this script. */
async function result(script: Partial<ScriptedCommand>, entry: object = {}) {
  const { tool, volume } = await searchTool(script, entry);
  const { content, isError, summary } = await finish(await tool.plan({ query: 'x' }, CONTEXT));
  const files = volume.existsSync('/out') ? volume.readdirSync('/out').map(String) : [];
  return { content, isError, summary, files, read: (name: string) => String(volume.readFileSync(`/out/${name}`)) };
}

const prints = (value: unknown): Partial<ScriptedCommand> => ({ steps: [{ stdout: JSON.stringify(value) }] });

describe('the plan of a call', () => {
  it('shows the tool, its program and its JSON input, and starts no program', async () => {
    const { tool, shell } = await searchTool();
    const { effect } = await tool.plan({ query: 'a "b"', limit: '3', unknown: null }, CONTEXT);
    expect(effect).toEqual({
      summary: 'run web_search with {"query":"a \\"b\\"","limit":3,"unknown":null}',
      paths: [],
      program: { path: PROGRAM, input: '{"query":"a \\"b\\"","limit":3,"unknown":null}' },
      workingDirectory: '/home/ada/project',
    });
    expect(shell.commands).toEqual([]);
  });

  it.each([
    [{}, 'query is missing'],
    [{ query: [] }, 'query must be of type string'],
    [[], 'they must be an object'],
    ['x', 'they must be an object'],
    [null, 'they must be an object'],
  ])('refuses arguments that do not fit: %j', async (args, problem) => {
    const { tool } = await searchTool();
    await expect(tool.plan(args, CONTEXT)).rejects.toThrow(
      `The arguments of web_search do not fit its schema: ${problem}.`,
    );
  });

  it('refuses an argument that cannot be passed to a program', async () => {
    const { tool } = await searchTool({}, { input: 'argument' });
    await expect(tool.plan({ query: 'x'.repeat(100_001) }, CONTEXT)).rejects.toThrow('at most 100000 characters');
  });

  it('truncates the summary, but not the input of the program', async () => {
    const { tool } = await searchTool();
    const { effect } = await tool.plan({ query: 'x'.repeat(500) }, CONTEXT);
    expect(effect.summary).toHaveLength('run web_search with '.length + 101);
    expect(effect.program?.input).toContain('x'.repeat(500));
  });
});

describe('a call', () => {
  it('passes its JSON on standard input and as an argument, in the workspace, with the environment of commands', async () => {
    const { tool, shell } = await searchTool({
      input: '{"query":"x"}',
      timeoutMs: 30_000,
      ...prints({ result: 'Found.' }),
    });
    const { content, isError, summary } = await finish(await tool.plan({ query: 'x' }, CONTEXT));
    expect({ content, isError, summary }).toEqual({ content: 'Found.', isError: false, summary: 'done after 0.0 s' });
    expect(shell.commands).toMatchObject([{ workingDirectory: '/home/ada/project', environment: { PATH: '/bin' } }]);
  });

  it.each([
    ['argument', `${PROGRAM} {"query":"x"}`, undefined],
    ['stdin', PROGRAM, '{"query":"x"}'],
  ])('passes its JSON in one way if the entry has %s', async (place, command, input) => {
    const { tool, shell } = await searchTool({ command, timeoutMs: 5_000 }, { input: place, timeout_seconds: 5 });
    await finish(await tool.plan({ query: 'x' }, CONTEXT));
    expect(shell.commands.map((started) => started.input)).toEqual([input]);
  });

  it('passes a JSON that is too long for an argument only on standard input', async () => {
    const query = 'x'.repeat(100_000);
    const { tool } = await searchTool({ command: PROGRAM, input: JSON.stringify({ query }) });
    expect(await finish(await tool.plan({ query }, CONTEXT))).toMatchObject({ isError: true });
  });

  it('saves a long result, redacted, and shows its start and its end', async () => {
    const lines = Array.from({ length: 200 }, (_, index) => `line ${index + 1} hunter2hunter2`).join('\n');
    const { content, files, read } = await result(prints({ success: true, result: lines }));
    expect(content).toMatch(/^line 1 /);
    expect(content).toMatch(
      /\[lines \d+ to \d+ of 200 omitted \(\d+ characters\)\. Read the rest with read_file from \/out\/call_1\.log\.\]/,
    );
    expect(content.length).toBeLessThan(1_300);
    expect(files).toEqual(['call_1.log']);
    expect(read('call_1.log')).toBe(lines.replaceAll('hunter2hunter2', '[redacted:secret]'));
  });

  it('removes escape sequences from a result', async () => {
    expect((await result(prints({ result: '\u001b[31mred\u001b[0m' }))).content).toBe('red');
  });

  it('writes the standard error to a redacted log instead of the result', async () => {
    const run = await result({ steps: [{ stderr: 'password hunter2hunter2\n' }, { stdout: '{"result": "ok"}' }] });
    expect(run).toMatchObject({ content: 'ok', isError: false, files: ['call_1-stderr.log'] });
    expect(run.read('call_1-stderr.log')).toBe('password [redacted:secret]\n');
  });

  it('shows the user the standard error as it arrives, but not the JSON', async () => {
    const { tool } = await searchTool({ steps: [{ stderr: 'searching\n' }, { stdout: '{"result": "ok"}' }] });
    const shown: ToolProgress[] = [];
    const run = (await tool.plan({ query: 'x' }, CONTEXT)).run();
    for (let step = await run.next(); step.done !== true; step = await run.next()) shown.push(step.value);
    expect(shown).toEqual([{ stream: 'stderr', text: 'searching\n' }]);
  });

  it.each<[string, Partial<ScriptedCommand>, string, string]>([
    [
      'reports a failure',
      prints({ success: false, error: 'no network' }),
      'web_search failed.\nno network',
      'failed after 0.0 s',
    ],
    [
      'exits with a code',
      { ...prints({ error: 'no network' }), end: 3 },
      'web_search failed: exit code 3.\nno network',
      'exit code 3 after 0.0 s',
    ],
    [
      'exits with a code after a success',
      { ...prints({ success: true, result: 'x' }), end: 1 },
      'web_search failed: exit code 1.\nx',
      'exit code 1 after 0.0 s',
    ],
    [
      'prints only to standard error',
      { steps: [{ stderr: '\u001b[1mbad\u001b[0m key\n' }], end: 2 },
      'web_search failed: exit code 2.\n[stderr]\nbad key\n',
      'exit code 2 after 0.0 s',
    ],
    [
      'prints nothing',
      {},
      'web_search failed.\nIt printed nothing; a tool prints its result as JSON.',
      'failed after 0.0 s',
    ],
    [
      'is killed',
      { end: { signal: 'SIGKILL' } },
      'web_search failed: it was ended by SIGKILL.',
      'it was ended by SIGKILL after 0.0 s',
    ],
    [
      'is killed after a part of its output',
      { steps: [{ stdout: '{"success": tr' }], end: { signal: 'SIGSEGV' } },
      'web_search failed: it was ended by SIGSEGV.\nIts output is not valid JSON',
      'it was ended by SIGSEGV after 0.0 s',
    ],
    [
      'cannot be started',
      { end: { failedToStart: 'no interpreter' } },
      'web_search failed: it could not be started: no interpreter.',
      'it could not be started: no interpreter after 0.0 s',
    ],
    [
      'prints invalid JSON',
      { steps: [{ stdout: 'hello' }] },
      'web_search failed.\nIts output is not valid JSON',
      'failed after 0.0 s',
    ],
    [
      'prints too much',
      { steps: [{ stdout: 'x'.repeat(2_100_000) }], end: 'never' },
      'web_search failed: its standard output is too long.',
      'its standard output is too long after 0.0 s',
    ],
  ])('is a failure with the reason when the program %s', async (_name, script, content, summary) => {
    const run = await result(script);
    expect(run).toMatchObject({ isError: true, summary });
    expect(run.content.startsWith(content)).toBe(true);
  });

  it('names the log of a standard error that is too long to show', async () => {
    const run = await result({ steps: [{ stderr: 'noise\n'.repeat(2_000) }], end: 1 });
    expect(run.content).toMatch(
      /omitted \(\d+ characters\)\. Read the rest with read_file from \/out\/call_1-stderr\.log\./,
    );
    expect(run.content.length).toBeLessThan(4_500);
  });

  it('does not start a program that was replaced by a link into the project after the plan', async () => {
    const { tool, volume, shell } = await searchTool();
    const planned = await tool.plan({ query: 'x' }, CONTEXT);
    volume.writeFileSync('/home/ada/project/evil', '#!/bin/sh', { mode: 0o755 });
    volume.unlinkSync(PROGRAM);
    volume.symlinkSync('/home/ada/project/evil', PROGRAM);
    await expect(finish(planned)).rejects.toThrow('cannot be started: it is inside the project');
    expect(shell.commands).toEqual([]);
  });

  it('does not start a program that was replaced by a link to another one, or by a directory', async () => {
    const { tool, volume, shell } = await searchTool();
    const planned = await tool.plan({ query: 'x' }, CONTEXT);
    volume.renameSync(PROGRAM, '/home/ada/bin/other');
    volume.symlinkSync('/home/ada/bin/other', PROGRAM);
    const failure: unknown = await finish(planned).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ToolError);
    expect(failure).toMatchObject({ code: 'file_changed', message: expect.stringContaining('/reload-tools') });
    volume.unlinkSync(PROGRAM);
    volume.mkdirSync(PROGRAM);
    await expect(finish(await tool.plan({ query: 'x' }, CONTEXT))).rejects.toThrow('it is not a file');
    expect(shell.commands).toEqual([]);
  });
});
