import { describe, expect, it } from 'vitest';
import { runMain } from '../../support/processes/run-main.ts';

describe('the command line of a host', () => {
  it('causes warnings about tools and directories that do not exist', async () => {
    const args = ['--output-format', 'stream-json', '--provider', 'mock', '--tools=Read,Bogus', '--add-dir=/nowhere'];
    const { code, stderr } = await runMain([...args, 'what can you do']);
    expect(stderr).toContain('ybs: --tools names tools that ybs does not have: Bogus.\n');
    expect(stderr).toContain('ybs: --add-dir /nowhere: there is no such directory.\n');
    expect(code).toBe(0);
  });

  it.each([
    [['--provider', 'openai'], 'auth'],
    [['--provider', 'openia'], 'failed'],
  ])('with %j is rejected with the code %s in yume-json', async (args, code) => {
    const host = ['--output-format', 'yume-json', '--prompt', 'hello', ...args];
    const ended = await runMain(host, { environment: { OPENAI_API_KEY: '' } });
    const [line = ''] = ended.stdout.split('\n');
    expect(JSON.parse(line)).toMatchObject({ type: 'system', subtype: 'error', code });
    expect(ended.code).toBe(2);
  });
});
