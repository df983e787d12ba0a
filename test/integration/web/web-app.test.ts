import { expect, it } from 'vitest';
import * as z from 'zod';
import { startMockLlm } from '../../../mock-llm-server/testing.ts';
import { createWiring } from '../../../src/app/wiring.ts';
import { type AppPorts, appCommand } from '../../../src/cli/subcommands/serving/web-command.ts';
import { withProfile } from '../../../src/node/run-visible.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';
import { pageRequest, testMachine } from '../../support/screens/web-page.ts';

/**
 * Runs `ybs app` with `runVisible` in place of the programs of the desktop, and stops it when it has printed `last`.
 */
async function runApp(runVisible: AppPorts['runVisible'], last = 'Open ') {
  await using llm = await startMockLlm({ scenarios: [] });
  const home = temporaryDirectory();
  const machine = await testMachine(home);
  const said: string[] = [];
  const stops = new Set<() => void>();
  const say = async (text: string) => {
    said.push(text);
    if (text.startsWith(last)) for (const stop of stops) stop();
    return true;
  };
  const user = {
    warn: say,
    write: say,
    onStop(listener: () => void) {
      stops.add(listener);
      return () => stops.delete(listener);
    },
  };
  const ports = { wiring: createWiring(machine), machine, user, runVisible, withProfile };
  const code = await appCommand(pageRequest(temporaryDirectory(), llm.url), ports);
  return { code, said };
}

/** Exchanges the code of an address for the token. */
function login(address: string): Promise<Response> {
  const { origin, hash } = new URL(address);
  const body = JSON.stringify({ code: hash.replace('#l=', '') });
  return fetch(`${origin}/login`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
}

const Login = z.object({ token: z.string() });

const addressIn = (args: readonly string[]) => args.find((arg) => arg.includes('#l='))?.replace('--app=', '') ?? '';

it('ybs app opens a window with an address that is valid once, and ends when the window is closed', async () => {
  const statuses: number[] = [];
  const { code, said } = await runApp(async (_program, args) => {
    const address = addressIn(args);
    const answer = await login(address);
    const { token } = Login.parse(await answer.json());
    const events = await fetch(`${new URL(address).origin}/settings`, {
      headers: { authorization: `Bearer ${token}` },
    });
    statuses.push(answer.status, events.status, (await login(address)).status, (await login(`${address}x`)).status);
    return 0;
  });
  expect(statuses).toEqual([200, 200, 403, 403]);
  expect({ code, said }).toEqual({ code: 0, said: [] });
});

it('ybs app prints the address and continues if only the default browser can open it, or no browser can', async () => {
  const inBrowser = await runApp(async (program, _args, { aborted }) => {
    if (aborted || (program !== 'xdg-open' && program !== 'open')) return undefined;
    throw new Error('The address must be printed before the browser runs, which may not end.');
  });
  expect(inBrowser.said.join()).toMatch(/^Open http:\/\/127\.0\.0\.1:\d+\/#t=/);
  const without = await runApp(async () => undefined, 'No browser');
  expect(without.said).toEqual([expect.stringContaining('#t='), 'No browser could be opened.']);
});
