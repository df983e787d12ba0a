import { describe, expect, it } from 'vitest';
import { startHostBin } from '../support/hosts/host-bin.ts';
import { finishYume, yumePlace, yumeResults } from '../support/hosts/yume-host.ts';
import { serveScenarios } from '../support/wires/serve-scenarios.ts';

const server = serveScenarios([
  {
    name: 'wait',
    trigger: 'wait for me',
    steps: [{ intent: 'shell', command: 'sleep 60' }, { response: { content: 'Waited.' } }],
  },
  { name: 'print', trigger: 'print much', steps: [{ response: { content: 'much '.repeat(3_000) } }] },
]);

const user = (content: string) => ({ type: 'user', content });

const place = () => yumePlace(server.url, startHostBin);

// test/integration/cli/yume.test.ts checks the behaviour that needs no signals and no pipes;
// test/thorough/runs/light-start.test.ts starts the built command with this format.
describe('one process for a session', () => {
  it('ends when the reader of its output ends, and on SIGTERM', async () => {
    const { persist } = place();
    const bin = persist('--permission-mode', 'auto', '--no-sandbox');
    bin.send(user('wait for me'));
    await bin.waitFor(({ type }) => type === 'tool_use');
    bin.signal('SIGTERM');
    expect(await bin.ended).toMatchObject({ signal: null });
    const left = persist();
    left.send(user('print much'));
    await left.waitFor(({ type }) => type === 'text');
    left.hangUp();
    expect(await left.ended).toMatchObject({ signal: null });
  });

  it('waits for a slow reader', async () => {
    const { persist } = place();
    const bin = persist();
    const goOn = bin.pause();
    bin.send(user('print much'));
    bin.end();
    await new Promise<void>((resolve) => setImmediate(resolve));
    goOn();
    await finishYume(bin);
    expect(yumeResults(bin)).toEqual(['much '.repeat(3_000)]);
  });
});
