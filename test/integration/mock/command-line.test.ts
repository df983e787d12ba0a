import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runMockMain } from '../../support/processes/run-main.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';
import { serveScenarios } from '../../support/wires/serve-scenarios.ts';

const older = path.join(import.meta.dirname, '../../unit/mock-llm-server/scenario/fixtures/older-format.json');
const server = serveScenarios([{ name: 'a', trigger: 'hi', steps: [{ response: { content: 'Hi.' } }] }]);

describe('mock-llm-server', () => {
  it('reports file, path and reason of an invalid file and exits with 2', async () => {
    const directory = temporaryDirectory();
    const content = { scenarios: [{ name: 'n', trigger: { regex: '(' }, steps: [] }] };
    writeFiles(directory, { 'bad.json': JSON.stringify(content) });
    const file = path.join(directory, 'bad.json');
    expect(await runMockMain(['--scenarios', file])).toEqual({
      code: 2,
      stdout: '',
      stderr:
        `mock-llm-server: ${file}: $.scenarios[0].trigger.regex: Invalid regular expression: /(/: Unterminated group\n` +
        '  fix: escape special characters with \\\\, as in "\\\\(" for a (\n' +
        `${file}: $.scenarios[0].steps: must not be empty\n` +
        '  fix: add an item to "steps"\n',
    });
  });

  it.each([
    ['an unknown option', ['--nope'], 'unknown option --nope\nTry mock-llm-server --help.'],
    [
      'a glob that matches nothing',
      ['--scenarios', 'nowhere/**/*.json'],
      'nowhere/**/*.json: no scenario file and no story directory',
    ],
  ])('exits with 2 for %s', async (_name, args, message) => {
    const { code, stdout, stderr } = await runMockMain(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  it.each([
    ['validate', ['validate', 'FILE']],
    ['explain', ['explain', 'REQUEST', '--path', '/v1/\u001b[2J\u202e', '--scenarios', older]],
    ['the options', ['--\u001b[2J\u202e']],
  ])('escapes what could control the terminal, of %s', async (_name, args) => {
    const directory = temporaryDirectory();
    const files = { FILE: { scenarios: [{ 'a\u001b[2J\u202e': 1 }] }, REQUEST: { model: 'm', messages: [] } };
    writeFiles(directory, { FILE: JSON.stringify(files.FILE), REQUEST: JSON.stringify(files.REQUEST) });
    const { stdout, stderr } = await runMockMain(args.map((arg) => (arg in files ? path.join(directory, arg) : arg)));
    expect(stdout + stderr).toContain('\\u{1b}[2J\\u{202e}');
    expect(stdout + stderr).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
  });

  it('reports in one line that the port is in use', async () => {
    const { port } = new URL(server.url);
    const { code, stderr } = await runMockMain(['--port', port, '--scenarios', older]);
    expect(code).toBe(1);
    expect(stderr.trimEnd().split('\n').at(-1)).toBe(
      `mock-llm-server: port ${port} on 127.0.0.1 is in use; choose another port (0 picks a free one)`,
    );
  });

  it('reports that the address is not one of this machine', async () => {
    const { code, stderr } = await runMockMain(['--port', '0', '--host', '192.0.2.1', '--scenarios', older]);
    expect(code).toBe(1);
    expect(stderr).toContain('192.0.2.1 is not an address of this machine; choose another host');
  });
});
