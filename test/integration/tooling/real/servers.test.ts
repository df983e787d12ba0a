import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { installServer, isInstalled } from '../../../../tooling/real/install.ts';
import type { RealServer } from '../../../../tooling/real/real-server.ts';
import { reportOf } from '../../../../tooling/real/results.ts';
import { createRunDirectory } from '../../../../tooling/real/run-directory.ts';
import { type RealRun, runServers } from '../../../../tooling/real/run-servers.ts';
import { startProcess } from '../../../../tooling/real/server-process.ts';
import { NotRun, type World } from '../../../real/check.ts';
import { temporaryDirectory } from '../../../support/processes/temporary-directory.ts';

const PATH = process.env['PATH'] ?? '';

/** A server of a few lines: answers everything with a success. */
const ANSWERS = "require('node:http').createServer((q, r) => r.end('{}')).listen(process.argv[1], '127.0.0.1')";

/** A server that is a script of Node, with a file as its installation. */
function scriptServer(name: string, script: string, part: Partial<RealServer> = {}): RealServer {
  return {
    name,
    version: '1',
    cost: 'a moment',
    program: (directory) => path.join(directory, 'program'),
    install: (directory) => [{ command: ['touch', path.join(directory, 'program')] }],
    async start({ freePort }) {
      const port = await freePort();
      const endpoint = `http://127.0.0.1:${port}`;
      return {
        file: process.execPath,
        args: ['-e', script, String(port)],
        readyUrl: endpoint,
        readyMs: 20_000,
        addresses: [{ wire: 'openai-chat', endpoint, model: name }],
      };
    },
    ...part,
  };
}

async function run(
  servers: readonly RealServer[],
  part: Partial<RealRun> = {},
  signal: AbortSignal = new AbortController().signal,
) {
  const root = temporaryDirectory();
  const cache = path.join(root, 'cache');
  const temporary = path.join(root, 'temporary');
  mkdirSync(temporary);
  for (const server of servers) {
    if (server.version === '1') await installServer(cache, server, new AbortController().signal, () => {});
  }
  const lines: string[] = [];
  const results = await runServers(
    {
      cache,
      temporary,
      servers,
      checks: [],
      model: async (window, markup = 'hermes') => ({ directory: root, window, markup, scenarios: [], stories: [] }),
      fact: () => undefined,
      mock: () => scriptServer('mock', ANSWERS),
      report: (line) => lines.push(line),
      ...part,
    },
    signal,
  );
  return { results, lines };
}

describe('runs with real servers', () => {
  it('report a server that does not start with its last output, and a missing one, and continue', async () => {
    const broken = scriptServer('broken', "console.error('cannot open libmissing.so'); process.exit(3)");
    const missing = scriptServer('missing', '', { version: '2' });
    const checks = [
      { name: 'passes', run: async () => {} },
      { name: 'fails', run: () => Promise.reject(new Error('no')) },
      { name: 'cannot run', run: () => Promise.reject(new NotRun('it has no door')) },
    ];
    const { results } = await run([broken, missing, scriptServer('works', ANSWERS)], { checks });
    const report = reportOf(results);
    expect(report).toContain('broken 1: not run – it did not start: it ended before it answered. Its last output:\n');
    expect(report).toContain('    cannot open libmissing.so');
    expect(report).toContain(
      'missing 2: not run – it is not installed; npm run test:real -- --install missing does that',
    );
    expect(report).toContain('works 1, openai-chat: 1 passed, 1 failed, 1 not run');
    expect(report.split('\n').at(-1)).toBe('1 passed, 1 failed, 1 not run, 2 of 3 servers not run');
  });

  it('name a server behind a gateway that does not start', async () => {
    const gateway = scriptServer('gateway', ANSWERS);
    const start: RealServer['start'] = async (context) => {
      const behind = await scriptServer('other', "console.error('no memory'); process.exit(1)").start(context);
      return { ...(await gateway.start(context)), behind: [behind] };
    };
    const { results } = await run([{ ...gateway, start }]);
    expect(reportOf(results)).toMatch(/it did not start: node behind it: it ended before it answered[\s\S]*no memory/);
  });

  it('count a failure with the fact about the server that explains it', async () => {
    const rejects = ['one', 'two'].map((name) => ({ name, run: () => Promise.reject(new Error(`${name} fails`)) }));
    const parts = {
      name: 'parts',
      run: async ({ isFact }: World) => {
        expect([isFact('two', 'two fails'), isFact('two', 'otherwise')]).toEqual([true, false]);
      },
    };
    const checks = [...rejects, parts];
    const { results } = await run([scriptServer('works', ANSWERS)], {
      checks,
      fact: (_server, _address, check, failure) => (check === 'two' && failure === 'two fails' ? 3 : undefined),
    });
    const [result] = results;
    expect(result?.outcome).toMatchObject({
      type: 'ran',
      results: [
        { outcome: { type: 'failed', reason: 'one fails' } },
        { outcome: { type: 'fact', number: 3 } },
        { outcome: { type: 'passed', facts: [3] } },
      ],
    });
  });

  it('start a spare server again that a check has killed, and leave the server itself alone', async () => {
    const status = (url: string) =>
      fetch(url).then(
        ({ status }) => status,
        () => 0,
      );
    const seen: unknown[] = [];
    const kills = {
      name: 'kills',
      async run({ address, spare }: World) {
        const server = await spare();
        const before = [await status(server.address.endpoint), await status(address.endpoint)];
        await server.kill();
        seen.push(server.address.endpoint, before, [
          await status(server.address.endpoint),
          await status(address.endpoint),
        ]);
      },
    };
    await run([scriptServer('works', ANSWERS)], { checks: [kills, kills] });
    const [endpoint] = seen;
    expect(seen).toEqual([endpoint, [200, 200], [0, 200], endpoint, [200, 200], [0, 200]]);
  });
});

describe('wires of a server', () => {
  it('play a check at the same time on one other instance, and one after another if it kills the server', async () => {
    const wires = ['openai-chat', 'openai-responses', 'anthropic-messages'] as const;
    const server = scriptServer('works', ANSWERS);
    const start: RealServer['start'] = async (context) => {
      const {
        addresses: [address],
        ...rest
      } = await server.start(context);
      return { ...rest, addresses: wires.flatMap((wire) => (address === undefined ? [] : [{ ...address, wire }])) };
    };
    const mock = () => ({ start });
    const endpoints = new Set<string>();
    let [playing, most] = [0, 0];
    const check = (name: string, killsServer?: true) => ({
      name,
      ...(killsServer && { killsServer }),
      async run({ variant }: World) {
        most = Math.max(most, ++playing);
        endpoints.add((await variant({ window: 1 })).endpoint);
        playing--;
      },
    });
    const { results } = await run([{ ...server, start }], { checks: [check('together')], mock });
    expect([most, endpoints.size]).toEqual([3, 1]);
    expect(results[0]?.outcome).toMatchObject({ results: wires.map((wire) => ({ address: { wire } })) });
    most = 0;
    await run([{ ...server, start }], { checks: [check('kills', true)], mock });
    expect(most).toBe(1);
  });
});

describe('a run with real servers that is stopped', () => {
  it('ends its servers, and checks no other one', async () => {
    const stopped = new AbortController();
    const seen: string[] = [];
    const check = {
      name: 'hangs',
      async run({ address, mock }: World) {
        seen.push(address.endpoint, mock.endpoint);
        stopped.abort(new Error('stopped by SIGINT'));
        await new Promise(() => {});
      },
    };
    const servers = [scriptServer('first', ANSWERS), scriptServer('second', ANSWERS)];
    await expect(run(servers, { checks: [check] }, stopped.signal)).rejects.toThrow('stopped by SIGINT');
    expect(seen).toHaveLength(2);
    for (const url of seen) await expect(fetch(url)).rejects.toThrow('fetch failed');
  });

  it('leaves its directory to the next run if it was killed, which removes it', async () => {
    const parent = temporaryDirectory();
    const { pid } = spawnSync(process.execPath, ['--version']);
    const kept = [`ybs-real-${process.pid}-older`, `ybs-real-${process.ppid}-parent`, 'ybs-real-notes', `ybs-${pid}-x`];
    for (const name of [...kept, `ybs-real-${pid}-killed`])
      mkdirSync(path.join(parent, name, 'server'), { recursive: true });
    const created = path.basename(await createRunDirectory(parent));
    expect(created).toMatch(new RegExp(`^ybs-real-${process.pid}-\\w{6}$`));
    expect(readdirSync(parent).toSorted()).toEqual([...kept, created].toSorted());
  });
});

describe('an installation', () => {
  const none = new AbortController().signal;

  it('that fails names the command and its last output, and is not complete', async () => {
    const cache = temporaryDirectory();
    const script = "console.error('the disk is full'); process.exit(1)";
    const server = scriptServer('broken', '', { install: () => [{ command: [process.execPath, '-e', script] }] });
    await expect(installServer(cache, server, none, () => {})).rejects.toThrow(
      /-e console\.error[\s\S]*exit code 1[\s\S]*the disk is full/,
    );
    expect(await isInstalled(cache, server)).toBe(false);
  });

  it('rejects a file with a wrong checksum, and a client that prints a wrong one', async () => {
    const cache = temporaryDirectory();
    const file = path.join(cache, 'archive');
    writeFileSync(file, 'other bytes');
    const verify = { file, sha256: '0'.repeat(64) };
    const wrong = scriptServer('wrong', '', { install: () => [{ command: ['true'], verify }] });
    await expect(installServer(cache, wrong, none, () => {})).rejects.toThrow(/has the SHA-256 [0-9a-f]{64}, not 000/);
    const silent = scriptServer('silent', '', { install: () => [{ command: ['true'], prints: 'h1:abc' }] });
    await expect(installServer(cache, silent, none, () => {})).rejects.toThrow(/did not print h1:abc/);
  });

  it('ends its commands with all their children when it is stopped, and is not complete', async () => {
    const cache = temporaryDirectory();
    const file = path.join(cache, 'pids');
    const server = scriptServer('slow', '', { install: () => [{ command: [process.execPath, '-e', FAMILY, file] }] });
    const stopped = new AbortController();
    const installed = installServer(cache, server, stopped.signal, () => {});
    const pids = await pidsIn(file);
    stopped.abort(new Error('stopped by SIGINT'));
    await expect(installed).rejects.toThrow('stopped by SIGINT');
    await gone(pids);
    expect(await isInstalled(cache, server)).toBe(false);
  });

  it('is made once, and repeated only if it was interrupted', async () => {
    const cache = temporaryDirectory();
    const commands: string[] = [];
    const server = scriptServer('works', '');
    await installServer(cache, server, none, (line) => commands.push(line));
    await installServer(cache, server, none, (line) => commands.push(line));
    expect(commands).toHaveLength(1);
    expect(readdirSync(cache)).toEqual(['works-1']);
  });

  it('keeps the temporary files of its commands in its directory, and removes them', async () => {
    const cache = temporaryDirectory();
    const script = "require('node:fs').writeFileSync('seen', require('node:os').tmpdir())";
    const server = scriptServer('works', '', {
      install: () => [{ command: [process.execPath, '-e', script] }, { command: ['touch', 'program'] }],
    });
    await installServer(cache, server, none, () => {});
    const directory = path.join(cache, 'works-1');
    expect(readFileSync(path.join(directory, 'seen'), 'utf8')).toBe(path.join(directory, 'temporary'));
    expect(readdirSync(directory).toSorted()).toEqual(['installed', 'program', 'seen']);
  });
});

describe('a server process', () => {
  const command = (script: string, ...args: readonly string[]) => ({
    file: process.execPath,
    args: ['-e', script, ...args],
    environment: { PATH },
    directory: temporaryDirectory(),
  });

  it('ends with all its children', async () => {
    const file = path.join(temporaryDirectory(), 'pids');
    const running = startProcess(command(FAMILY, file));
    const pids = await pidsIn(file);
    await running.kill();
    await gone(pids);
    expect(running.isRunning()).toBe(false);
  });

  it.each([
    ['server-process.ts', "startProcess({ file, args, environment: process.env, directory: '/' })"],
    ['install.ts', "runCommand({ command: [file, ...args] }, '/', process.env, new AbortController().signal)"],
  ])('ends with all its children when its parent is killed: %s', async (name, start) => {
    const pidFile = path.join(temporaryDirectory(), 'pids');
    const source = path.resolve('tooling/real', name);
    const script = `
      const { startProcess, runCommand } = await import(process.argv[1]);
      const [file, args] = [process.execPath, ['-e', process.argv[2], process.argv[3]]];
      ${start};`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', script, source, FAMILY, pidFile], {
      stdio: 'ignore',
    });
    const pids = await pidsIn(pidFile);
    parent.kill('SIGKILL');
    await gone(pids);
  });
});

/** Ignores SIGTERM, starts a child that also does so, and writes both process ids. */
const FAMILY = `
process.on('SIGTERM', () => {});
const child = require('node:child_process').spawn(process.execPath, ['-e', "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"]);
require('node:fs').writeFileSync(process.argv[1] + '.new', process.pid + ' ' + child.pid);
require('node:fs').renameSync(process.argv[1] + '.new', process.argv[1]);
setInterval(() => {}, 1000);`;

async function pidsIn(file: string): Promise<readonly number[]> {
  await until(() => existsSync(file));
  return readFileSync(file, 'utf8').split(' ').map(Number);
}

/** Waits until no process of the list exists; a zombie does not count. */
async function gone(pids: readonly number[]): Promise<void> {
  await until(() => pids.every((pid) => !isAlive(pid)));
}

function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
}
