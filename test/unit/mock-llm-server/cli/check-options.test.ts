import { describe, expect, it } from 'vitest';
import { checkFetchOptions, checkStartOptions, OptionsError } from '../../../../mock-llm-server/cli/check-options.ts';
import { systemClock } from '../../../../mock-llm-server/delivery/clock.ts';

const scenarios = [{ name: 'hi', trigger: 'hi', steps: [{ response: { content: 'Hello.' } }] }];

function saidOf(check: () => void): readonly string[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof OptionsError && error.code === 'bad_options') return error.message.split('\n');
    throw error;
  }
}

describe('options of startMockLlm', () => {
  it.each<readonly [string, unknown, ...string[]]>([
    ['nothing', undefined, 'options: is missing', 'write an object'],
    ['no scenarios', {}, 'scenarios: is missing', 'add "scenarios", a string or a list'],
    [
      'a scenario that is in no list',
      { scenarios: scenarios[0] },
      'scenarios: must be a string or a list, not an object',
      'write a string or a list',
    ],
    [
      'a number',
      { scenarios: [5] },
      'scenarios[0]: must be a string or an object, not 5',
      'write a string or an object',
    ],
    ['an empty path', { scenarios: '' }, 'scenarios: must not be empty', 'write some text'],
    [
      'a slip of the pen',
      { scenario: scenarios },
      'options: unknown field "scenario"',
      'write "scenarios" instead of "scenario"',
    ],
    [
      'another style',
      { scenarios, defaultResponse: 'x' },
      'options: unknown field "defaultResponse"',
      'write "default_response" instead of "defaultResponse"',
    ],
    [
      'lint',
      { scenarios, lint: 'of' },
      'lint: must be "off", "warn" or "fail", not "of"',
      'write "off" instead of "of"',
    ],
    [
      'lint of none',
      { scenarios, lint: 'bogus' },
      'lint: must be "off", "warn" or "fail", not "bogus"',
      'write "off", "warn" or "fail"',
    ],
    [
      'too much chaos',
      { scenarios, chaos: { rate: 5, seed: 1 } },
      'chaos.rate: must be at most 1, not 5',
      'write a smaller number',
    ],
    ['chaos without a seed', { scenarios, chaos: { rate: 0.1 } }, 'chaos.seed: is missing', 'add "seed", a number'],
    ['chaos as a number', { scenarios, chaos: 0.1 }, 'chaos: must be an object, not 0.1', 'write an object'],
    ['an empty token', { scenarios, token: '' }, 'token: must not be empty', 'write some text'],
    [
      'a host for others without a token',
      { scenarios, host: '0.0.0.0' },
      'token: is missing, and others can reach this host',
      'add "token": "a-secret", which clients send as their API key, or leave "host" out',
    ],
    ['a port as a text', { scenarios, port: '80' }, 'port: must be a number, not "80"', 'write a number'],
    [
      'a port that is none',
      { scenarios, port: 70_000 },
      'port: must be at most 65535, not 70000',
      'write a smaller number',
    ],
    ['one name', { scenarios, allowHosts: 'x' }, 'allowHosts: must be a list, not "x"', 'write a list'],
    ['a clock', { scenarios, clock: Date }, 'clock: must have now() and sleep()', 'write clock: createVirtualClock()'],
    ['a log', { scenarios, log: 'x' }, 'log: must be a function', 'write log: (line) => console.log(line)'],
  ])('%s', (_name, options, reason, fix) => {
    expect(saidOf(() => checkStartOptions(options))).toEqual([`startMockLlm: ${reason}`, `  fix: ${fix}`]);
  });

  it('that are right', () => {
    const all = { default_response: 'x', log: () => {}, lint: 'warn', chaos: { rate: 0, seed: 0 }, clock: systemClock };
    const more = { port: 0, host: '0.0.0.0', token: 'secret', allowHosts: ['mock'] };
    expect(saidOf(() => checkStartOptions({ scenarios, ...all, ...more }))).toEqual([]);
    expect(saidOf(() => checkStartOptions({ scenarios: 'scenarios' }))).toEqual([]);
    expect(saidOf(() => checkStartOptions({ scenarios, host: 'localhost' }))).toEqual([]);
    expect(saidOf(() => checkFetchOptions({ scenarios: ['scenarios', ...scenarios], ...all }))).toEqual([]);
  });
});

it('mockLlmFetch has no port', () => {
  expect(saidOf(() => checkFetchOptions({ scenarios, port: 1 }))).toEqual([
    'mockLlmFetch: options: unknown field "port"',
    '  fix: remove "port"; the fields here are scenarios, default_response, log, lint, chaos, clock',
  ]);
});
