import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/agent/ports/json.ts';
import { checkTool } from '../../../../src/tools/external-tool/check-tool.ts';
import type { ScriptedCommand } from '../../../support/fakes/scripted-shell.ts';
import { toolMachine } from '../../../support/tools/external-tools.ts';

const FILE = '/home/ada/bin/search';
const SCHEMA = {
  name: 'search',
  description: 'Search.',
  parameters: { query: { type: 'string', required: true }, limit: { type: 'integer' }, any: {} },
};
const asked = (schema: object | string): ScriptedCommand => ({
  command: `${FILE} --schema`,
  steps: [{ stdout: typeof schema === 'string' ? schema : JSON.stringify(schema) }],
});
const called = (input: object, stdout: string): ScriptedCommand => ({
  command: `${FILE} ${JSON.stringify(input)}`,
  input: JSON.stringify(input),
  steps: [{ stdout }, { stderr: 'searching\n' }],
});

async function check(
  commands: readonly ScriptedCommand[],
  { file = FILE, input, others }: { file?: string; input?: JsonObject; others?: Record<string, string> } = {},
): Promise<readonly string[]> {
  const programs = [FILE, '/home/ada/project/own'];
  const machine = toolMachine({ programs, ...(others !== undefined && { others }) }, ...commands);
  const findings: string[] = [];
  for await (const { type, text } of checkTool(file, input, machine.ports, new AbortController().signal)) {
    findings.push(`${type}: ${text}`);
  }
  machine.shell.assertExhausted();
  return findings;
}

describe('the check of a tool', () => {
  it('reports the file, the description and a call with sample arguments', async () => {
    expect(await check([asked(SCHEMA), called({ query: 'example' }, '{"result": "found"}')])).toEqual([
      `ok: ${FILE} is executable`,
      'ok: --schema describes it',
      'ok: name: search',
      'ok: description: Search.',
      'ok: parameters: query (string, required), limit (integer), any (anything)',
      'ok: call with {"query":"example"}: done after 0.0 s\nfound',
    ]);
  });

  it('calls the tool with the arguments of the user', async () => {
    const findings = await check([asked(SCHEMA), called({ query: 'x' }, '{"error": "down"}')], {
      input: { query: 'x' },
    });
    expect(findings.at(-1)).toBe(
      'fail: call with {"query":"x"}: failed after 0.0 s\nsearch failed.\ndown\n[stderr]\nsearching\n',
    );
  });

  it('reads the description next to the program', async () => {
    const others = { [`${FILE}.tool.json`]: '{"description": "Search."}' };
    const findings = await check([called({}, '1')], { others });
    expect(findings.slice(1, 5)).toEqual([
      'ok: its .tool.json file describes it',
      'ok: name: search',
      'ok: description: Search.',
      'ok: parameters: none',
    ]);
  });

  it('starts a program of an untrusted project, with a note that a chat does not', async () => {
    const file = '/home/ada/project/own';
    const schema = { ...asked(SCHEMA), command: `${file} --schema` };
    const findings = await check(
      [schema, { ...called({ query: 'example' }, '1'), command: `${file} {"query":"example"}` }],
      { file },
    );
    expect(findings[1]).toMatch(/^note: a chat here does not start it: it is inside the project/);
    expect(findings.at(-1)).toMatch(/^ok: call/);
  });

  it.each<[string, readonly ScriptedCommand[], Parameters<typeof check>[1], string]>([
    [
      'a missing file',
      [],
      { file: '/home/ada/none' },
      'fail: /home/ada/none: the file, or the one that it links to, does not exist',
    ],
    ['a directory', [], { file: '/home/ada/bin' }, 'fail: /home/ada/bin: it is not a file; name the executable itself'],
    ['garbage', [asked('usage')], {}, 'fail: its description is not valid JSON'],
    [
      'the name of a built-in tool',
      [asked({ ...SCHEMA, name: 'bash' })],
      {},
      'fail: its name bash belongs to a tool of ybs',
    ],
    ['wrong arguments', [asked(SCHEMA)], { input: {} }, 'fail: The arguments of search do not fit its schema: query'],
  ])('ends at the first failure: %s', async (_name, commands, options, failure) => {
    expect((await check(commands, options)).at(-1)?.startsWith(failure)).toBe(true);
  });
});
