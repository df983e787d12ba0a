import { expect, it } from 'vitest';
import { parseArguments } from '../../../../mock-llm-server/cli/arguments.ts';
import { HELP } from '../../../../mock-llm-server/cli/help.ts';

const serve = {
  chaos: undefined,
  type: 'serve',
  port: 8000,
  host: '127.0.0.1',
  scenarios: [],
  token: undefined,
  allowHosts: [],
  watch: true,
  lint: 'fail',
  as: undefined,
  allow: [],
  limits: 'apply',
  drift: 'warn',
};
const LOCAL = { upstream: 'http://127.0.0.1:1' };
const record = {
  type: 'record',
  port: 8000,
  upstream: 'https://api.example.com',
  upstreamKeyEnv: undefined,
  out: 'story',
  scenarios: [],
  fallbackOnly: false,
  fromDrift: false,
  force: false,
};
const explain = {
  type: 'explain',
  request: 'r.json',
  scenarios: [],
  protocol: 'openai-chat',
  path: undefined,
  headers: [],
  lint: 'fail',
  as: undefined,
  allow: [],
  limits: 'apply',
};
const verify = {
  type: 'verify',
  url: 'http://127.0.0.1:8000',
  testId: undefined,
  failOn: undefined,
  format: 'text',
  token: undefined,
};

it.each<readonly [string, object]>([
  ['', serve],
  ['--port 0', { ...serve, port: 0 }],
  ['--port=65535 --host 0.0.0.0', { ...serve, port: 65_535, host: '0.0.0.0' }],
  ['--scenarios a', { ...serve, scenarios: ['a'] }],
  ['--scenarios a b --port 1 c', { ...serve, port: 1, scenarios: ['a', 'b', 'c'] }],
  ['--scenarios a b --scenarios c', { ...serve, scenarios: ['a', 'b', 'c'] }],
  [
    '--host 0.0.0.0 --token abc --allow-host a --allow-host b',
    { ...serve, host: '0.0.0.0', token: 'abc', allowHosts: ['a', 'b'] },
  ],
  ['--no-watch', { ...serve, watch: false }],
  ['--token=', { type: 'usage_error', message: '--token and --allow-host need a value' }],
  ['--allow-host=', { type: 'usage_error', message: '--token and --allow-host need a value' }],
  ['--lint warn', { ...serve, lint: 'warn' }],
  ['--chaos 0.1 --seed 7', { ...serve, chaos: { rate: 0.1, seed: 7 } }],
  ['--seed 7', { type: 'usage_error', message: '--seed needs --chaos' }],
  ['--lint on', { type: 'usage_error', message: '--lint must be off, warn or fail, not "on"' }],
  ['--as deepseek', { ...serve, as: 'deepseek' }],
  ['explain r.json --as mistral', { ...explain, as: 'mistral' }],
  ['--as depseek', { type: 'usage_error', message: expect.stringMatching(/"depseek"; did you mean deepseek\? The/) }],
  [
    '--as qqqq',
    { type: 'usage_error', message: expect.stringMatching(/"qqqq"\. The services are openai, .*litellm\./) },
  ],
  ['--allow openai/max-tokens --allow mistral/call-id', { ...serve, allow: ['openai/max-tokens', 'mistral/call-id'] }],
  [
    '--allow openai/max-token',
    {
      type: 'usage_error',
      message: 'There is no rule "openai/max-token"; did you mean openai/max-tokens? docs/services.md lists them.',
    },
  ],
  ['--drift fail', { ...serve, drift: 'fail' }],
  ['--drift on', { type: 'usage_error', message: '--drift must be off, warn or fail, not "on"' }],
  ['--limits ignore', { ...serve, limits: 'ignore' }],
  ['--limits off', { type: 'usage_error', message: '--limits must be apply or ignore, not "off"' }],
  ['verify', verify],
  ['verify http://localhost:1 --test a', { ...verify, url: 'http://localhost:1', testId: 'a' }],
  [
    'verify --format junit --fail-on miss,cache --token t',
    { ...verify, format: 'junit', failOn: 'miss,cache', token: 't' },
  ],
  ['verify --format xml', { type: 'usage_error', message: '--format must be text, json or junit, not "xml"' }],
  ['verify localhost', { type: 'usage_error', message: '"localhost" is not an address like http://127.0.0.1:8000' }],
  ['verify http://a b', { type: 'usage_error', message: 'unexpected argument "b"; verify takes one address' }],
  ['verify --tst a', { type: 'usage_error', message: 'unknown option --tst; did you mean --test?' }],
  ['verify -h', { type: 'help' }],
  ['explain r.json', explain],
  ['explain r.json --limits ignore', { ...explain, limits: 'ignore' }],
  ['explain - --scenarios a --scenarios b', { ...explain, request: '-', scenarios: ['a', 'b'] }],
  ['explain r.json --protocol gemini --lint off', { ...explain, protocol: 'gemini', lint: 'off' }],
  ['explain r.json --path /v1/messages --header a:b', { ...explain, path: '/v1/messages', headers: ['a:b'] }],
  ['explain --help', { type: 'help' }],
  ['record --upstream https://api.example.com --out story', record],
  ['record --upstream http://127.0.0.1:1 --out s --force', { ...record, ...LOCAL, out: 's', force: true }],
  [
    'record --upstream http://127.0.0.1:1 --out s --fallback-only --scenarios a b --upstream-key-env KEY --port 0',
    { ...record, ...LOCAL, port: 0, out: 's', fallbackOnly: true, scenarios: ['a', 'b'], upstreamKeyEnv: 'KEY' },
  ],
  ['record --help', { type: 'help' }],
  ...(
    [
      ['--out s', 'record needs the provider: --upstream https://api.openai.com'],
      ['--upstream https://a.example', 'record needs the directory of the story: --out scenarios/my-story'],
      ['--upstream nowhere --out s', '--upstream must be a URL such as https://api.openai.com, not "nowhere"'],
      [
        '--upstream http://api.example.com --out s',
        '--upstream must be https, or http on this machine, because requests carry a key: not http://api.example.com',
      ],
      [
        '--upstream https://user:secret@api.example.com --out s',
        '--upstream must have no password, query or fragment; name a key with --upstream-key-env',
      ],
      ['--upstream https://a.example --out s --scenarios a', '--scenarios needs --fallback-only'],
      [
        '--upstream https://a.example --out s --force --fallback-only',
        '--force, --fallback-only and --from-drift exclude each other',
      ],
      ['--upstream https://a.example --out s x', 'unexpected argument "x"; scenario files follow --scenarios'],
    ] as const
  ).map(([line, message]) => [`record ${line}`, { type: 'usage_error', message }] as const),
  [
    'explain',
    { type: 'usage_error', message: 'explain needs a file with the body of a request, or - for standard input' },
  ],
  ['explain a b', { type: 'usage_error', message: 'unexpected argument "b"; explain takes one file' }],
  [
    'explain a --protocol grpc',
    {
      type: 'usage_error',
      message:
        '--protocol must be openai-chat, openai-responses, anthropic-messages, bedrock-converse, gemini, gemini-interactions or ollama, not "grpc"',
    },
  ],
  [
    'explain a --protocol gemini --path /x',
    { type: 'usage_error', message: '--protocol and --path exclude each other' },
  ],
  ['explain a --path x', { type: 'usage_error', message: '--path must begin with /, not "x"' }],
  ['explain a --header x', { type: 'usage_error', message: '--header must have the form "name: value", not "x"' }],
  ['explain a --lint on', { type: 'usage_error', message: '--lint must be off, warn or fail, not "on"' }],
  ['explain a --port 1', { type: 'usage_error', message: 'unknown option --port' }],
  ['validate a b', { type: 'validate', paths: ['a', 'b'] }],
  ['validate --help', { type: 'help' }],
  ['validate -h', { type: 'help' }],
  ['validate --scenarios a', { type: 'usage_error', message: 'unknown option --scenarios' }],
  ['validate', { type: 'usage_error', message: 'validate needs at least one file or directory' }],
  ['--help', { type: 'help' }],
  ['--version', { type: 'version' }],
  ['--version --help', { type: 'help' }],
  ['a', { ...serve, scenarios: ['a'] }],
  ['a.json dir --port 1', { ...serve, scenarios: ['a.json', 'dir'], port: 1 }],
  ['a --scenarios b c', { ...serve, scenarios: ['a', 'b', 'c'] }],
  ['help', { type: 'help' }],
  ['help record', { type: 'help' }],
  ['version', { type: 'version' }],
  ['serve a --port 1', { ...serve, scenarios: ['a'], port: 1 }],
  ['start', serve],
  ['recordings', { ...serve, scenarios: ['recordings'] }],
  ...[
    ['valdate', 'validate'],
    ['recrod', 'record'],
    ['explian', 'explain'],
    ['server', 'serve'],
  ].map(([word, meant]) => {
    const message = `unknown command "${word}"; did you mean ${meant}? For a directory of that name write ./${word}`;
    return [`${word} a.json`, { type: 'usage_error', message }] as const;
  }),
  ['--port 65536', { type: 'usage_error', message: '--port must be an integer from 0 to 65535, not "65536"' }],
  ['--port 1e3', { type: 'usage_error', message: '--port must be an integer from 0 to 65535, not "1e3"' }],
  ['--host=', { type: 'usage_error', message: '--host and --scenarios need a value' }],
  ['--scenarios=', { type: 'usage_error', message: '--host and --scenarios need a value' }],
  ['-h', { type: 'help' }],
  ['--nope', { type: 'usage_error', message: 'unknown option --nope' }],
  ['--prot 1', { type: 'usage_error', message: 'unknown option --prot; did you mean --port?' }],
  ['--port', { type: 'usage_error', message: expect.stringContaining("'--port <value>' argument missing") }],
  ['--chaos .5', { ...serve, chaos: { rate: 0.5, seed: undefined } }],
  ['--chaos 1 --seed 0', { ...serve, chaos: { rate: 1, seed: 0 } }],
  ['--chaos 0 --seed 4294967295', { ...serve, chaos: { rate: 0, seed: 4294967295 } }],
  ...['1.5', '10%', '-'].map((rate) => {
    const message = `--chaos must be a fraction of the requests from 0 to 1, like 0.1, not "${rate}"`;
    return [`--chaos ${rate}`, { type: 'usage_error', message }] as const;
  }),
  ...['4294967296', 'x'].map((seed) => {
    const message = `--seed must be an integer from 0 to 4294967295, not "${seed}"`;
    return [`--chaos 0.1 --seed ${seed}`, { type: 'usage_error', message }] as const;
  }),
])('parses the arguments %j', async (line, expected) => {
  expect(await parseArguments(line.split(' ').filter((word) => word !== ''))).toEqual(expected);
});

it('the help text names every option and fits a terminal', () => {
  const options = [
    'port',
    'host',
    'token',
    'allow-host',
    'scenarios',
    'lint',
    'chaos',
    'seed',
    'no-watch',
    'protocol',
    'path',
    'header',
    'upstream',
    'upstream-key-env',
    'out',
    'force',
    'fallback-only',
    'from-drift',
    'version',
    'help',
  ];
  for (const option of options) expect(HELP).toContain(`--${option}`);
  expect(HELP.split('\n').filter((line) => line.length > 80)).toEqual([]);
});
