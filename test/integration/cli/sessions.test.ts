import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sessionPlace } from '../../support/agent/session-place.ts';
import { runMain } from '../../support/processes/run-main.ts';

describe('a single run', () => {
  it('is stored, and continued with --continue and --resume', async () => {
    const { server, options, args, sessions, logs, read } = await sessionPlace();
    expect((await runMain([...args, 'what first?'], options)).stdout).toContain('First water.\n');
    const [log = ''] = logs();
    expect(log).toMatch(/^session-\d{8}-\d{6}-[0-9a-f]{4}\.jsonl$/);
    const before = read(log);
    expect((await runMain([...args, '--continue', 'and then?'], options)).stdout).toContain('Then tea.\n');
    expect(server.userTexts()).toEqual(['what first?', 'and then?']);
    expect(read(log).startsWith(before)).toBe(true);
    expect(readdirSync(sessions)).toEqual([log]);
    const [, id = ''] = /"sessionId":"([^"]+)"/.exec(before) ?? [];
    expect((await runMain([...args, '--resume', id.slice(0, 8), 'and then?'], options)).code).toBe(0);
    expect(server.userTexts()).toHaveLength(3);
    expect(logs()).toEqual([log]);
  });

  it.each([
    ['a list without a terminal', ['--resume'], '--resume needs the id of a session here.'],
    ['a directory without sessions', ['--continue'], 'There is no session of '],
  ])('ends with code 2 for %s', async (_name, session, message) => {
    const { options, args, sessions } = await sessionPlace();
    const { code, stderr } = await runMain([...args, ...session], {
      ...options,
      input: 'what first?',
    });
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(existsSync(sessions)).toBe(false);
  });
});
