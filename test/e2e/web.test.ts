import { expect, it } from 'vitest';
import { startBin } from '../support/processes/run-bin.ts';

it('ybs web serves the page with all its files, and ends with Ctrl-C', async () => {
  const bin = startBin(['web', '--provider', 'mock', '--port', '0']);
  await bin.waitFor('Ctrl-C ends the server.');
  const [, url = '', token] = /^Open (http:\S+)\/#t=([\w-]{43})$/m.exec(bin.stdout()) ?? [];
  const text = async (path: string): Promise<string> => (await fetch(url + path)).text();
  const page = await text('/');
  const linked = [...page.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, name = '']) => `/${name}`);
  const modules = new Set<string>(linked.filter((name) => name.endsWith('.js')));
  // The list grows while it is read.
  for (const name of modules) {
    for (const [, other = ''] of (await text(name)).matchAll(/(?:from |import\()'(\.[\w./-]+\.js)'/g))
      modules.add(new URL(other, url + name).pathname);
  }
  expect([...modules]).toContain('/conversation/marked.js');
  for (const name of [...linked, ...modules]) expect((await fetch(url + name)).status).toBe(200);
  const authorization = `Bearer ${token}`;
  const headers = { authorization, 'content-type': 'application/json' };
  const body = JSON.stringify({ code: 'const answer = 42;', language: 'js' });
  const parts = await (await fetch(`${url}/highlight`, { method: 'POST', headers, body })).json();
  expect(parts).toMatchObject({ parts: expect.arrayContaining([['42', 'num']]) });
  bin.signal('SIGINT');
  expect(await bin.ended).toMatchObject({ code: 0, stderr: '' });
});
