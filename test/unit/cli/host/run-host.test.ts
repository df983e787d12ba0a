import { describe, expect, it } from 'vitest';
import { ModelError } from '../../../../src/agent/errors.ts';
import {
  checkHostArguments,
  hostFormatOf,
  readHostArguments,
  readStartArguments,
} from '../../../../src/cli/host/host-arguments.ts';
import { runHost } from '../../../../src/cli/host/run-host.ts';
import { configuredRun, MODEL, type ObservedRun, type RunScript } from '../../../support/agent/configured-run.ts';
import { createFakeHost, type FakeHost } from '../../../support/hosts/fake-host.ts';

interface Hosted extends ObservedRun {
  readonly lines: FakeHost['lines'];
  /** The lines on standard error. */
  readonly warned: readonly string[];
  /** The number of lines that had been written each time that memory was to be saved. */
  readonly sparing: readonly number[];
}

/** Runs ybs for a host that writes these lines; `piped` is standard input as a prompt. */
async function hosted(
  args: readonly string[],
  { input = [], piped, ...script }: RunScript & { readonly input?: readonly object[]; readonly piped?: string } = {},
): Promise<Hosted> {
  const host = createFakeHost();
  const warned: string[] = [];
  const sparing: number[] = [];
  host.send(...input);
  host.end();
  const isStart = args[0] === 'start';
  const read = () => (isStart ? readStartArguments(args) : readHostArguments(args));
  const observed = await configuredRun({
    config: { llm: MODEL },
    ...script,
    run: (wiring, user, _options, machine) =>
      runHost(checkHostArguments(isStart ? 'yume-json' : hostFormatOf(args), args, read), {
        wiring,
        machine,
        user: {
          ...user,
          write: host.write,
          warn: async (message) => warned.push(message),
          readInput: piped === undefined ? () => Promise.reject(new Error('read')) : async () => piped,
        },
        openInput: host.openInput,
        version: '1.2.3',
        keepMemorySmall: async () => {
          sparing.push(host.lines.length);
        },
      }),
  });
  return { ...observed, lines: host.lines, warned, sparing };
}

const kinds = ({ lines }: Hosted): readonly string[] =>
  lines.map(({ type, subtype }) => (subtype === undefined ? String(type) : `${type} ${subtype}`));
const readCall = (path: string) => ({
  calls: [{ id: 'c1', name: 'Read', arguments: JSON.stringify({ file_path: path }) }],
});
const YUME = ['--output-format', 'yume-json'];
const PERSISTENT = ['--input-format', 'stream-json', '--output-format', 'stream-json'];
const user = (content: string) => ({ type: 'user', message: { role: 'user', content } });
const control = (id: string, request: object) => ({ type: 'control_request', request_id: id, request });
/** The texts that the user and the system have sent to the model in the last request. */
const sentTexts = ({ requests }: ObservedRun): string => JSON.stringify(requests.at(-1)?.body['messages']);

describe('runHost', () => {
  it('releases memory in a persistent process, after the lines of a turn', async () => {
    expect((await hosted(['--output-format', 'stream-json', '-p', 'go'])).sparing).toEqual([]);
    const { lines, sparing } = await hosted(PERSISTENT, { input: [user('go'), user('go on')] });
    // The end of a run has a line of its own.
    const turns = lines.flatMap(({ type }, index) => (type === 'result' ? [index] : []));
    expect(turns).toHaveLength(2);
    expect(sparing).toEqual(turns);
  });

  it('runs the prompt of the command line without reading standard input', async () => {
    const run = await hosted(['go']);
    expect(kinds(run)).toEqual(['system init', 'assistant', 'result success']);
    expect(run).toMatchObject({ outcome: 0, warned: [] });
  });

  it('runs standard input as the prompt', async () => {
    const run = await hosted(YUME, { piped: 'count the files\n' });
    expect(kinds(run)).toEqual(['system init', 'text', 'result success', 'message_stop']);
    expect(sentTexts(run)).toContain('count the files');
  });

  it.each<readonly [name: string, args: readonly string[], script: object, outcome: number | string, said: object]>([
    ['an empty prompt', [], { piped: ' \n' }, 'There is no prompt: give one as an argument or on standard input.', {}],
    ['a bad flag', ['--max-turns', '0', 'go'], {}, '--max-turns needs a number from 1: --max-turns 10', {}],
    ['an unknown session', ['--resume', 'none', 'go'], {}, expect.stringContaining('none'), {}],
    ['a model that fails', ['go'], { answers: [{ end: new ModelError('bad_request', 'No.') }] }, 1, {}],
    ['too many turns', ['--max-turns=1', 'go'], { answers: [readCall('README.md')] }, 4, {}],
  ])('reports %s to the host, and ends with a code other than 0', async (_name, args, script, outcome, said) => {
    const run = await hosted(args, script);
    expect(run.outcome).toEqual(outcome);
    expect(run.lines.at(-1)).toMatchObject({ type: 'result', is_error: true, ...said });
  });

  it('tells Yume that the key is missing', async () => {
    const run = await hosted([...YUME, '--provider', 'openai', 'go'], { config: {} });
    expect(run.outcome).toContain('OPENAI_API_KEY');
    expect(kinds(run)).toEqual(['system error', 'result error_during_execution', 'message_stop']);
    expect(run.lines[0]).toMatchObject({ code: 'auth' });
  });

  it('reports unknown flags and directories that do not exist', async () => {
    const run = await hosted(['go', '--no-such-flag', '--add-dir', '/none']);
    expect(run.warned).toEqual([
      'ignoring flags that ybs does not have: --no-such-flag',
      '--add-dir /none: there is no such directory.',
    ]);
    expect(run.outcome).toBe(0);
  });

  it.each<readonly [name: string, args: readonly string[], content: RegExp, denials: number]>([
    ['reads a file in a directory of --add-dir', ['--add-dir', '/other'], /apples/, 0],
    ['reads no other file outside the workspace', [], /^Denied/, 1],
  ])('%s', async (_name, args, content, denials) => {
    const run = await hosted([...args, '--print', '--', 'go'], {
      files: { '/other/a.txt': 'apples\n' },
      answers: [readCall('/other/a.txt'), { text: 'Done.' }],
    });
    expect(run.lines.find(({ type }) => type === 'user')).toMatchObject({
      message: { content: [{ content: expect.stringMatching(content) }] },
    });
    expect(run.lines.at(-1)).toMatchObject({ permission_denials: { length: denials } });
    // A denied call is not a failure of the process.
    expect(run.outcome).toBe(0);
  });

  it.each<readonly [name: string, config: object, environment: Readonly<Record<string, string>>, url: RegExp]>([
    [
      'asks Anthropic when its variables are set and nothing is configured',
      {},
      { ANTHROPIC_API_KEY: 'k' },
      /anthropic/,
    ],
    ['asks the configured provider', { llm: MODEL }, { ANTHROPIC_API_KEY: 'k' }, /127\.0\.0\.1:9/],
  ])('%s', async (_name, config, environment, url) => {
    const run = await hosted(['go'], { config, environment, answers: [{ end: new ModelError('bad_request', 'No.') }] });
    expect(run.requests[0]?.url).toMatch(url);
  });

  it.each<readonly [name: string, flag: string, sandbox: 'on' | 'off', outcome: string]>([
    ['without the sandbox that the machine does not have', '--dangerously-skip-permissions', 'off', 'ok'],
    ['in the sandbox that the machine has', '--permission-mode=bypassPermissions', 'on', 'ok'],
    [
      'not without approval in the mode of ybs that keeps the sandbox',
      '--permission-mode=full-access',
      'off',
      'denied',
    ],
  ])('runs commands %s', async (_name, flag, type, outcome) => {
    const call = { id: 'c1', name: 'Bash', arguments: '{"command":"npm test"}' };
    const run = await hosted([flag, 'go'], {
      sandbox: type === 'on' ? { type, program: 'bubblewrap' } : { type, reason: 'none' },
      answers: [{ calls: [call] }, { text: 'Done.' }],
      commands: outcome === 'ok' ? [{ command: 'npm test' }] : [],
    });
    expect(run.lines.at(-1)).toMatchObject({ permission_denials: { length: outcome === 'ok' ? 0 : 1 } });
    expect(run.sandboxRules).toHaveLength(type === 'on' ? 1 : 0);
  });

  it('begins the session with the settings of initialize', async () => {
    const initialize = { subtype: 'initialize', systemPrompt: ['Be a poet.'], appendSystemPrompt: 'Rhyme.' };
    const run = await hosted(PERSISTENT, { input: [control('1', initialize), user('go')] });
    expect(sentTexts(run)).toContain('Be a poet.');
    expect(sentTexts(run)).toContain('Rhyme.');
    expect(kinds(run)).toEqual(['control_response', 'system init', 'assistant', 'result success']);
  });

  it('uses another model when the host requests it', async () => {
    const input = [control('1', { subtype: 'set_model', model: 'other' }), user('go')];
    const run = await hosted([...PERSISTENT, '--provider', 'mock', '--endpoint', 'http://127.0.0.1:9'], { input });
    expect(run.requests.at(-1)?.body['model']).toBe('other');
    expect(run.lines.find(({ subtype }) => subtype === 'init')).toMatchObject({ model: 'other' });
  });

  it('puts the conversation of --history-file before the first message of a persistent session', async () => {
    const files = { '/work/h.json': '[{"role":"user","content":"The port is 8080."}]' };
    const input = ['go', 'on'].map((content) => ({ type: 'user', content }));
    const run = await hosted(['start', '--history-file', 'h.json'], { files, input });
    expect(run.requests).toHaveLength(2);
    expect(sentTexts(run).split('The port is 8080.')).toHaveLength(2);
    expect(JSON.stringify(run.requests[0]?.body['messages'])).toContain('The port is 8080.');
  });
});
