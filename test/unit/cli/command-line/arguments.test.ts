import { parseArgs } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  completeArguments,
  type Invocation,
  parserOptions,
  readInvocation,
} from '../../../../src/cli/command-line/arguments.ts';
import { COMMAND_LINES } from '../../../support/commands/other-agents.ts';

function read(...words: string[]): Invocation {
  const args = completeArguments(words);
  const { tokens } = parseArgs({ args, options: parserOptions(), strict: false, allowPositionals: true, tokens: true });
  return readInvocation(tokens);
}

const DEFAULTS = { outputFormat: 'text', dryRun: false } as const;
const TEST_DEFAULTS = {
  ...DEFAULTS,
  reporter: 'text',
  update: false,
  drift: 'warn',
  rebase: false,
  watch: false,
} as const;

const VALID: readonly (readonly [string[], Invocation])[] = [
  [[], { type: 'chat', options: DEFAULTS }],
  [['fix', 'the', 'test'], { type: 'prompt', prompt: 'fix the test', options: DEFAULTS }],
  [['fix it', '-m', 'small'], { type: 'prompt', prompt: 'fix it', options: { ...DEFAULTS, model: 'small' } }],
  [['--output-format', 'json'], { type: 'chat', options: { ...DEFAULTS, outputFormat: 'json' } }],
  [['--quiet', 'x'], { type: 'prompt', prompt: 'x', options: { ...DEFAULTS, quiet: true } }],
  [['-msmall'], { type: 'chat', options: { ...DEFAULTS, model: 'small' } }],
  [['-m', 'one', '-m', 'two'], { type: 'chat', options: { ...DEFAULTS, model: 'two' } }],
  [
    ['-c', 'a.json', '-p', 'mock', '--endpoint=http://h', '--cwd', 'd'],
    { type: 'chat', options: { ...DEFAULTS, config: 'a.json', provider: 'mock', endpoint: 'http://h', cwd: 'd' } },
  ],
  [['--permission-mode', 'read-only'], { type: 'chat', options: { ...DEFAULTS, permissionMode: 'read-only' } }],
  [['--tools-dialect', 'claude'], { type: 'chat', options: { ...DEFAULTS, toolsDialect: 'claude' } }],
  [
    ['--output-format', 'json', '--dry-run', 'x'],
    { type: 'prompt', prompt: 'x', options: { outputFormat: 'json', dryRun: true } },
  ],
  ...[
    ['help', 'me'],
    ['web', 'start', 'page'],
    ['status', 'help'],
  ].map((words) => {
    return [words, { type: 'prompt', prompt: words.join(' '), options: DEFAULTS }] as const;
  }),
  [['models', 'are', 'slow'], { type: 'prompt', prompt: 'models are slow', options: DEFAULTS }],
  [['--', 'models'], { type: 'prompt', prompt: 'models', options: DEFAULTS }],
  [['test', 'a', 'b'], { type: 'test', stories: ['a', 'b'], options: TEST_DEFAULTS }],
  [
    ['test', '--agent', 'mine -p {prompt}', '--reporter', 'junit', 'a'],
    { type: 'test', stories: ['a'], options: { ...TEST_DEFAULTS, agent: 'mine -p {prompt}', reporter: 'junit' } },
  ],
  [
    ['test', '--update', '--drift', 'fail', '--rebase', '--watch', 'a'],
    {
      type: 'test',
      stories: ['a'],
      options: { ...TEST_DEFAULTS, update: true, drift: 'fail', rebase: true, watch: true },
    },
  ],
  [
    ['test', 'a', '--shard', '2/3', '--timings', 't.json'],
    { type: 'test', stories: ['a'], options: { ...TEST_DEFAULTS, shard: '2/3', timings: 't.json' } },
  ],
  [
    ['test', '1.json', '2.json', '--merge'],
    { type: 'test', stories: ['1.json', '2.json'], options: { ...TEST_DEFAULTS, merge: true } },
  ],
  [['test the parser'], { type: 'prompt', prompt: 'test the parser', options: DEFAULTS }],
  [['--', 'test', '--it'], { type: 'prompt', prompt: 'test --it', options: DEFAULTS }],
  [['explain', '--', '-x'], { type: 'prompt', prompt: 'explain -x', options: DEFAULTS }],
  [['--model=--odd'], { type: 'chat', options: { ...DEFAULTS, model: '--odd' } }],
  [['--help', 'test'], { type: 'help' }],
  [['-h'], { type: 'help' }],
  [['--version', '--dry-run'], { type: 'version' }],
];

const INVALID: readonly (readonly [string[], string])[] = [
  [['--modle', 'x'], 'Unknown option --modle. Did you mean --model?'],
  [['--mode', 'ask', 'hi'], 'Unknown option --mode. Did you mean --permission-mode?'],
  [
    ['check', 'git', 'log', '-la'],
    'Unknown option -l. If it belongs to the command, put the whole command in quotes: ybs check "git log …"',
  ],
  [['check', 'ls', '--assum=x'], 'Unknown option --assum. Did you mean --assume?'],
  [['check', '-l'], 'Unknown option -l. See ybs --help.'],
  [['--dry-rum'], 'Unknown option --dry-rum. Did you mean --dry-run?'],
  [['--quite-something-else'], 'Unknown option --quite-something-else. See ybs --help.'],
  [['--bogus'], 'Unknown option --bogus. See ybs --help.'],
  [['--bogus', 'eval', 'x'], 'Unknown option --bogus. See ybs --help.'],
  [['eval', 'x', '--job=2'], 'Unknown option --job. Did you mean --jobs?'],
  [['--job=2', 'x'], 'Unknown option --job. See ybs --help.'],
  [['test', 'x', '--wacth'], 'Unknown option --wacth. Did you mean --watch?'],
  [['--wacth', '--', 'test', 'x'], 'Unknown option --wacth. See ybs --help.'],
  [['record', 'x', '--wacth'], 'Unknown option --wacth. See ybs --help.'],
  ...['fork-session', 'input-format', 'permission-prompt-tool'].map((name): readonly [string[], string] => [
    [`--${name}`, 'acp'],
    `--${name} has no meaning here: it is for programs that use --output-format stream-json (docs/headless.md).`,
  ]),
  [['-x'], 'Unknown option -x. See ybs --help.'],
  [['--help', '--hlep'], 'Unknown option --hlep. Did you mean --help?'],
  [['-m'], '-m needs a value: --model <name>.'],
  [['--model='], '--model needs a value: --model <name>.'],
  [['-m', '--dry-run'], '-m needs a value: --model <name>. If "--dry-run" is the value, write --model=--dry-run.'],
  [['--dry-run=no'], '--dry-run takes no value, but got "no".'],
  [
    ['--permission-mode', 'readonly'],
    '--permission-mode cannot be "readonly". Did you mean read-only? Choose one of ask, accept-edits, plan, read-only, full-access.',
  ],
  [
    ['--output-format', 'xxxxxxxxxx'],
    '--output-format cannot be "xxxxxxxxxx". Choose one of text, json, stream-json, yume-json.',
  ],
  [['--output-format', 'json', 'test', 'a'], 'ybs test has its own formats. Use --reporter json.'],
  ...[['--output-format', 'json', 'x'], ['models'], ['check', 'ls']].map((words): readonly [string[], string] => [
    ['--quiet', ...words],
    '--quiet shortens the text of a single run: ybs --quiet "fix the test"',
  ]),
  [['--quiet', 'test', 'a'], '--quiet has no meaning for ybs test. Use --reporter.'],
  [
    ['--agent', 'claude', 'x'],
    '--agent is an option of ybs test. Name an agent in the message: @agent:reviewer. Agents and commands are files: docs/triggers.md',
  ],
  [
    ['--sandbox', 'x'],
    '--sandbox is an option of ybs doctor. The sandbox is on unless you turn it off with --no-sandbox.',
  ],
  [['--watch', 'x'], '--watch is an option of ybs test.'],
  [
    ['story', 'x.har', '--out', 'y'],
    'Type the whole command: ybs story from <file…>. To use the words as a prompt, put -- before.',
  ],
  // https://github.com/Yeachan-Heo/gajae-code/pull/2010
  ...[
    ['models', 'list'],
    ['models', 'ls'],
    ['help', 'models'],
    ['models', 'help'],
  ].map((words): readonly [string[], string] => [
    words,
    'Type the whole command: ybs models. To use the words as a prompt, put -- before.',
  ]),
  [['--watch', 'models'], '--watch is an option of ybs test.'],
  [['test', 'x', '--json'], '--json is an option of ybs auth, ybs doctor, ybs check, ybs trust, ybs undo, ybs audit.'],
  [['--resume', 'models', 'models'], '--resume has no meaning for ybs models, which opens no session.'],
  [['--continue', 'acp'], '--continue has no meaning for ybs acp, whose editor chooses the session.'],
  [['acp', '--resume', 'a'], '--resume has no meaning for ybs acp, whose editor chooses the session.'],
  ...['-p=mock', '--model=m', '--endpoint=e', '--permission-mode=ask', '--no-sandbox'].map(
    (option): readonly [string[], string] => [
      [...option.replace('-p=', '-p ').split(' '), 'config', 'set', 'llm.model', 'zz'],
      `${option.replace('-p=', '--provider=').replace(/=.*/, '')} has no meaning for ybs config set, which changes a file for later sessions. ybs config lists the keys.`,
    ],
  ),
  [['test', '--watch', '--reporter', 'json', 'a'], '--watch reports as text. Remove --reporter json.'],
  [['--reporter', 'xml', 'test', 'a'], '--reporter cannot be "xml". Choose one of text, json, junit.'],
  [
    ['test', '--endpoint=e', '--rebase', 'a'],
    '--rebase needs the mock model, which sees the prompts. Remove --endpoint.',
  ],
  [
    ['test', '--drift', 'fail', '--endpoint=e', 'a'],
    '--drift needs the mock model, which sees the prompts. Remove --endpoint.',
  ],
  ...['--model=m', '--provider=p', '--tools-dialect=claude', '--permission-mode=ask', '--dry-run'].map(
    (option): readonly [string[], string] => [
      ['test', '--agent', 'claude', option, 'a'],
      `${option.replace(/=.*/, '')} sets up ybs, not the agent of --agent. Give the agent its own options in its command.`,
    ],
  ),
  [['test'], 'ybs test needs at least one story: ybs test scenarios/read-then-answer'],
  [['--continue', '--resume', 'x'], '--continue and --resume each choose a session. Use one of them.'],
  [['test', '--dry-run'], 'ybs test needs at least one story: ybs test scenarios/read-then-answer'],
  [[' '], 'The prompt is empty. Say what to do, or start ybs without a prompt to chat.'],
];

describe('the command line', () => {
  it.each(VALID)('is parsed: %j', (args, invocation) => {
    expect(read(...args)).toEqual(invocation);
  });

  it('gives a subcommand its arguments and options', () => {
    expect(read('-p', 'mock', 'models')).toMatchObject({
      type: 'subcommand',
      subcommand: { form: 'models' },
      args: [],
      options: { ...DEFAULTS, provider: 'mock' },
      ownOptions: new Map(),
    });
  });

  it('gives a subcommand every value of its options, in order', () => {
    expect(read('eval', 'a', '--variant', 'x=1', '--html', 'o', '--variant=y=2')).toMatchObject({
      args: ['a'],
      ownOptions: new Map([
        ['variant', ['x=1', 'y=2']],
        ['html', ['o']],
      ]),
    });
  });

  it.each(INVALID)('is rejected with a message: %j', (args, message) => {
    expect(read(...args)).toEqual({ type: 'usage_error', message });
  });
});

describe('the habits of users of other agents', () => {
  const message = (...words: string[]): string => {
    const found = read(...words);
    return found.type === 'usage_error' ? found.message : found.type;
  };

  it.each([
    [['--print', 'x'], 'ybs "fix the test"'],
    [['--yolo'], '--permission-mode full-access'],
    [['-y', 'x'], '--permission-mode full-access'],
    [['--dangerously-skip-permissions', 'x'], '--permission-mode full-access'],
    [['--dangerously-bypass-approvals-and-sandbox', 'x'], '--no-sandbox'],
    [['--full-auto', 'x'], '--permission-mode accept-edits'],
    [['--ask-for-approval', 'never'], '--permission-mode ask'],
    [['--add-dir', '../lib'], 'safety.sandbox_allowed_paths'],
    [['--allowedTools', 'Read'], 'safety.permissions'],
    [['--last'], '--continue'],
    [['-C', 'x'], '--cwd <directory>'],
    [['--image', 'a.png'], '@file:'],
    [['--append-system-prompt', 'x'], 'prompt.append'],
    [['--verbose'], '--output-format json'],
    [['--json', 'x'], '--output-format json'],
    [['-p'], 'A prompt needs no option: ybs "fix the test"'],
    [['-p', 'fix the test'], 'A prompt needs no option: ybs "fix the test"'],
    [['-c'], 'ybs --continue'],
    [['-c', 'go on'], 'ybs --continue'],
    [['-c', 'model="o3"'], 'ybs --continue'],
    [['login'], 'ybs init'],
    [['logout'], 'no login'],
    [['mcp', 'add', 'notes', 'node', 'x.mjs'], 'ybs mcp import FILE'],
    [['mcp', 'remove', 'notes'], 'mcp.servers'],
    [['mcp', 'ls'], 'ybs mcp list'],
    [['mcp', 'get', 'notes'], 'ybs mcp check NAME'],
    [['config', 'get', 'llm.model'], 'ybs config KEY'],
    [['auth', 'login'], 'ybs init'],
    [['.'], '--cwd <directory>'],
    [['~/project'], '--cwd <directory>'],
    [['--permission-mode', 'bypassPermissions'], 'Did you mean full-access?'],
    [['mcp', 'add', '-s', 'user', 'x'], 'ybs mcp import FILE'],
    [['skills', 'list'], '/skills'],
    [
      ['skills'],
      'ybs skills check <directory>. To use the words as a prompt, put -- before. List the skills in a chat',
    ],
    [['exec'], 'ybs "fix the test"'],
    [['resume'], 'ybs --resume'],
    [['continue'], 'ybs --continue'],
  ])('are answered with one line of advice: %j', (words, advice) => {
    expect(message(...words)).toContain(advice);
    expect(message(...words)).not.toContain('\n');
  });

  it.each<readonly [readonly string[], Invocation]>([
    [['-r'], { type: 'chat', options: { ...DEFAULTS, resume: '' } }],
    [['-r', 'one', 'go on'], { type: 'prompt', prompt: 'go on', options: { ...DEFAULTS, resume: 'one' } }],
    [['--continue', 'go on'], { type: 'prompt', prompt: 'go on', options: { ...DEFAULTS, continue: true } }],
    [['--model=m', 'x'], { type: 'prompt', prompt: 'x', options: { ...DEFAULTS, model: 'm' } }],
    [['-c', 'my dir/a.json'], { type: 'chat', options: { ...DEFAULTS, config: 'my dir/a.json' } }],
    [['help'], { type: 'help' }],
    [['version'], { type: 'version' }],
    [['run', 'fix the test'], { type: 'prompt', prompt: 'fix the test', options: DEFAULTS }],
    [['exec', 'fix the test'], { type: 'prompt', prompt: 'fix the test', options: DEFAULTS }],
    [['exec', 'ls'], { type: 'prompt', prompt: 'exec ls', options: DEFAULTS }],
    [['--', 'login'], { type: 'prompt', prompt: 'login', options: DEFAULTS }],
    [['login', 'fails'], { type: 'prompt', prompt: 'login fails', options: DEFAULTS }],
    [['--screen-reader'], { type: 'chat', options: { ...DEFAULTS, screenReader: true } }],
  ])('work as intended: %j', (words, found) => {
    expect(read(...words)).toEqual(found);
  });

  it.each<readonly [string, string, string]>([
    ['doctr', 'doctor', 'doctr please'],
    ['hlep', 'help', 'hlep me'],
    ['modles', 'models', 'modles are slow'],
    ['Doctor', 'doctor', 'Doctor who'],
    ['tests x', 'test x', 'tests fail on Windows'],
    ['recrod hello', 'record hello', 'recrod a new story'],
    ['chekc ls', 'check ls', 'chekc it all'],
    ['mpc list', 'mcp list', 'mpc list all'],
    ['mcp lst', 'mcp list', 'mcp is old'],
    ['tools chek ./greet', 'tools check ./greet', 'tools cheat in this one case'],
    ['mpc', 'mcp', 'mpc is what'],
  ])('include %s, which may be ybs %s', (typed, meant, prompt) => {
    const words = typed.split(' ');
    expect(read(...words)).toEqual({ type: 'prompt', prompt: typed, options: DEFAULTS, nearWords: meant.split(' ') });
    expect(read('--', ...words)).toEqual({ type: 'prompt', prompt: typed, options: DEFAULTS });
    expect(message(...words, '--list')).toBe(
      `"${typed}" is not a command. Did you mean ybs ${meant}? To send it as a prompt: ybs -- ${typed}`,
    );
    expect(read(...prompt.split(' '))).toEqual({ type: 'prompt', prompt, options: DEFAULTS });
  });

  it.each(
    COMMAND_LINES.map(
      (line) => [line, line.match(/"[^"]*"|\S+/g)?.map((word) => word.replaceAll('"', '')) ?? []] as const,
    ),
  )('are answered with one line of advice, or as meant: %s', (_line, words) => {
    const answer = message(...words);
    expect(answer).not.toMatch(/See ybs --help|\n/);
    if (answer === 'prompt') expect(read(...words)).toMatchObject({ prompt: 'x y' });
  });

  it.each(['fix', 'hello', 'refactor', 'commit', 'retry', 'go', 'run', 'status', 'explain', 'wep app', 'fix the test'])(
    'do not include %s, which is a prompt',
    (prompt) => {
      expect(read(prompt)).toEqual({ type: 'prompt', prompt, options: DEFAULTS });
    },
  );
});
