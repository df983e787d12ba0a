import { describe, expect, it } from 'vitest';
import {
  checkHostArguments,
  type HostArguments,
  hostFormatOf,
  isHostCommandLine,
  isStartCommandLine,
  readHostArguments,
  readStartArguments,
} from '../../../../src/cli/host/host-arguments.ts';

const words = (line: string) => line.split(' ').filter((word) => word !== '');
/** The flags that the Claude Agent SDK always gives. */
const SDK = '--output-format stream-json --verbose --input-format stream-json';
/** The flags of a single run. */
const SINGLE = '--output-format stream-json';

const PERSISTENT: HostArguments = {
  format: 'stream-json',
  persistent: true,
  partial: false,
  asksHost: false,
  skipsPermissions: false,
  unknown: [],
  options: { dryRun: false, toolsDialect: 'claude' },
};
const ONE: HostArguments = { ...PERSISTENT, persistent: false };
const withOptions = (host: HostArguments, options: object, more: object = {}) => ({
  ...host,
  ...more,
  options: { ...host.options, ...options },
});

describe('readHostArguments', () => {
  it.each<readonly [line: string, host: object]>([
    [SDK, PERSISTENT],
    [`${SDK} --permission-prompt-tool=stdio`, { ...PERSISTENT, asksHost: true }],
    [`${SDK} --permission-prompt-tool=other`, PERSISTENT],
    [`${SDK} --include-partial-messages`, { ...PERSISTENT, partial: true }],
    [`${SDK} --model=m --setting-sources= --betas=`, withOptions(PERSISTENT, { model: 'm' })],
    [`${SDK} --resume=r1`, withOptions(PERSISTENT, { resume: 'r1' })],
    [`${SDK} --continue`, withOptions(PERSISTENT, { continue: true })],
    [`${SDK} -c`, withOptions(PERSISTENT, { continue: true })],
    [`${SDK} --continue=false`, PERSISTENT],
    [`${SDK} --permission-mode=acceptEdits`, withOptions(PERSISTENT, { permissionMode: 'accept-edits' })],
    [
      `${SDK} --permission-mode=bypassPermissions --allow-dangerously-skip-permissions`,
      withOptions(PERSISTENT, { permissionMode: 'full-access' }, { skipsPermissions: true }),
    ],
    [`${SDK} --permission-mode=full-access`, withOptions(PERSISTENT, { permissionMode: 'full-access' })],
    [
      `${SDK} --dangerously-skip-permissions --permission-mode default`,
      withOptions(PERSISTENT, { permissionMode: 'full-access' }, { skipsPermissions: true }),
    ],
    [`${SDK} --permission-mode dontAsk`, withOptions(PERSISTENT, { permissionMode: 'read-only' })],
    [`${SDK} --new-flag=7 --other -x`, { ...PERSISTENT, unknown: ['--new-flag', '--other', '-x'] }],
    [
      `${SINGLE} --mcp-config f.json --agents={} fix -n chat it`,
      { ...ONE, prompt: 'fix it', unknown: ['--mcp-config', '--agents', '-n'] },
    ],
    [`${SINGLE} -p fix it`, { ...ONE, prompt: 'fix it' }],
    [`-p fix ${SINGLE} --verbose`, { ...ONE, prompt: 'fix' }],
    [`${SINGLE} --print fix -c`, withOptions({ ...ONE, prompt: 'fix' }, { continue: true })],
    [
      `--resume r1 -p fix --model M ${SINGLE} --verbose --settings {}`,
      withOptions({ ...ONE, prompt: 'fix' }, { model: 'M', resume: 'r1' }),
    ],
    [
      `--provider openai --model M --cwd D --prompt P ${SINGLE}`,
      withOptions({ ...ONE, prompt: 'P' }, { provider: 'openai', model: 'M', cwd: 'D' }),
    ],
    [
      `${SINGLE} --api-base=http://h --config f --no-sandbox --dry-run`,
      withOptions(ONE, { endpoint: 'http://h', config: 'f', noSandbox: true, dryRun: true }),
    ],
    [`${SINGLE} --disallowed-tools A,B -p x`, withOptions({ ...ONE, prompt: 'x' }, { disallowedTools: ['A', 'B'] })],
    [`${SINGLE} --allowedTools Bash(a,c) Write --print`, withOptions(ONE, { allowedTools: ['Bash(a,c)', 'Write'] })],
    [`${SINGLE} -- --model x`, { ...ONE, prompt: '--model x' }],
    ['--output-format=yume-json --prompt x', { ...ONE, format: 'yume-json', prompt: 'x' }],
    ['--input-format=stream-json', PERSISTENT],
    [`${SDK} --tools=default`, PERSISTENT],
    [`${SDK} --tools=Read,Write`, withOptions(PERSISTENT, { tools: ['Read', 'Write'] })],
    [`${SDK} --tools-dialect ybs`, withOptions(PERSISTENT, { toolsDialect: 'ybs' })],
    [`${SDK} --add-dir=/a --add-dir /b /c`, withOptions(PERSISTENT, { addDirectories: ['/a', '/b', '/c'] })],
    [
      `${SDK} --resume=r --fork-session --session-id=s --no-session-persistence`,
      withOptions(PERSISTENT, { resume: 'r', fork: true, sessionId: 's', persist: false }),
    ],
    [
      `${SDK} --max-turns=3 --max-budget-usd=0.5 --fallback-model=f`,
      withOptions(PERSISTENT, { maxTurns: 3, maxBudgetUsd: 0.5, fallbackModel: 'f' }),
    ],
    [
      `${SDK} --system-prompt=S --append-system-prompt A`,
      withOptions(PERSISTENT, { systemPrompt: 'S', appendSystemPrompt: 'A' }),
    ],
    [`${SDK} --json-schema={"type":"object"}`, withOptions(PERSISTENT, { answerSchema: { type: 'object' } })],
  ])('%s', (line, host) => {
    expect(readHostArguments(words(line))).toEqual(host);
  });

  it('ignores empty words, and keeps a prompt that begins with a dash', () => {
    expect(readHostArguments([...words(SDK), '--replay-user-messages', ''])).toEqual(PERSISTENT);
    expect(readHostArguments([...words(SINGLE), '--prompt', '- one\n- two'])).toMatchObject({ prompt: '- one\n- two' });
    expect(readHostArguments([...words(SINGLE), '--model'])).toEqual(ONE);
  });

  it.each([
    [`${SDK} --resume`, '--resume needs the id'],
    [`${SDK} --resume --verbose`, '--resume needs the id'],
    [`${SDK} --resume=r --continue`, 'Use one of them'],
    [`${SDK} --permission-mode godlike`, '"godlike"'],
    [`${SDK} --max-turns=0`, '--max-turns needs'],
    [`${SDK} --max-budget-usd=-1`, '--max-budget-usd needs'],
    [`${SDK} --max-budget-usd=0`, '--max-budget-usd needs'],
    [`${SDK} --json-schema=[1]`, '--json-schema needs'],
    [`${SDK} --json-schema={`, '--json-schema needs'],
    [`${SDK} --tools-dialect=x`, '--tools-dialect cannot be "x"'],
  ])('rejects %s', (line, message) => {
    expect(() => readHostArguments(words(line))).toThrow(message);
  });
});

describe('isHostCommandLine', () => {
  it.each([
    ['--output-format stream-json', true],
    ['fix it --output-format=yume-json', true],
    ['--input-format stream-json', true],
    ['--output-format json', false],
    ['explain stream-json', false],
    ['-- --output-format stream-json', false],
    ['--output-format', false],
  ])('%s: %s', (line, expected) => {
    expect(isHostCommandLine(words(line))).toBe(expected);
  });
});

describe('checkHostArguments', () => {
  it.each([
    ['stream-json', '--output-format stream-json --resume'],
    ['yume-json', '--output-format=yume-json --permission-mode yolo'],
    ['stream-json', '--input-format stream-json --max-turns=0'],
  ] as const)('reports in %s why %s cannot be used', (format, line) => {
    const args = line.split(' ');
    const host = checkHostArguments(hostFormatOf(args), args, () => readHostArguments(args));
    expect(host).toMatchObject({ format, problem: expect.objectContaining({ name: 'UsageError' }) });
  });

  it.each<readonly [line: string, options: object]>([
    ['--output-format stream-json --resume --session-id s1', { dryRun: false, sessionId: 's1' }],
    ['--output-format stream-json --resume', { dryRun: false }],
  ])('keeps the session that %s names', (line, options) => {
    const args = words(line);
    const host = checkHostArguments('stream-json', args, () => readHostArguments(args));
    expect(host.options).toEqual(options);
  });

  it('returns valid arguments, and rethrows other errors', () => {
    expect(checkHostArguments('stream-json', [], () => PERSISTENT)).toBe(PERSISTENT);
    const broken = () => checkHostArguments('stream-json', [], () => JSON.parse('{'));
    expect(broken).toThrow(SyntaxError);
  });
});

describe('ybs start', () => {
  it.each<readonly [readonly string[], boolean]>([
    [['start'], true],
    [['start', '--session-id', 'x'], true],
    [['start', 'the', 'server'], false],
    [['--cwd', 'x', 'start'], false],
    [[], false],
  ])('is started by %j: %s', (args, expected) => {
    expect(isStartCommandLine(args)).toBe(expected);
  });

  it('uses the flat format with a host that answers questions, and accepts the flags of Yume', () => {
    const args = '--provider codex --model m --cwd w --session-id s --api-base http://x/v1 --permission-mode auto';
    const more = '--output-format stream-json --protocol-version 1 --verbose --history-file h.json --prompt go';
    expect(readStartArguments(['start', ...args.split(' '), ...more.split(' ')])).toMatchObject({
      ...{ format: 'yume-json', persistent: true, asksHost: true, skipsPermissions: true, unknown: [] },
      ...{ prompt: 'go', historyFile: 'h.json' },
      options: {
        ...{ provider: 'codex', model: 'm', cwd: 'w', sessionId: 's', endpoint: 'http://x/v1' },
        ...{ permissionMode: 'full-access', toolsDialect: 'claude' },
      },
    });
  });

  it('takes no prompt from words, which may be values of unknown flags', () => {
    const host = readStartArguments(['start', '--theme', 'dark', '--session-id', 's']);
    expect(host).toMatchObject({ unknown: ['--theme', 'dark'] });
    expect(host.prompt).toBeUndefined();
  });
});
