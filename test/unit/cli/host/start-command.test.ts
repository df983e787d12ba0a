import { describe, expect, it } from 'vitest';
import { isStartCommandLine, readStartArguments } from '../../../../src/cli/host/host-arguments.ts';

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

  it('speaks the flat format with a host that answers questions, and takes the flags of Yume', () => {
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

  it('takes no prompt from words, which may be the values of flags that it does not know', () => {
    const host = readStartArguments(['start', '--theme', 'dark', '--session-id', 's']);
    expect(host).toMatchObject({ unknown: ['--theme', 'dark'] });
    expect(host.prompt).toBeUndefined();
  });
});
