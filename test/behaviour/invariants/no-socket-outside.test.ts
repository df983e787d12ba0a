import { mkdirSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { missingSandbox } from '../../support/sandbox/require-sandbox.ts';
import { type DecidedSession, playDecisions } from '../../support/stories/decided-run.ts';
import { run } from '../decisions/rows.ts';

const noSandbox = await missingSandbox();

/** Starts a server that answers ESCAPED, as D-Bus, an agent or a container daemon would answer. */
async function serve(where: string): Promise<void> {
  const server = net.createServer((socket) => void socket.on('error', () => {}).end('ESCAPED\n'));
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(where, resolve));
  onTestFinished(() => void server.close());
}

/** Prints what a server answers; `@name` is an abstract one. */
const connect = (where: string): string =>
  `perl -MSocket -e 'socket(my $s, AF_UNIX, SOCK_STREAM, 0) or die "no socket: $!"; connect($s, pack_sockaddr_un("${where.replace('@', '\\0')}")) or die "no server: $!"; print <$s>'`;

/** A program with its own server and client, such as tsx and Chromium. */
const OWN_SERVER = `node -e "require('net').createServer((s) => s.end('own')).listen('/tmp/own', () => require('net').connect('/tmp/own').on('data', (d) => { console.log(String(d)); process.exit(); }))"`;
const PAIR = `node -e "console.log(require('child_process').execSync('echo pipes work').toString())"`;

const abstract = `ybs-behaviour-${process.pid}`;
const COMMANDS = [connect('agent.sock'), connect('renamed.sock'), connect(`@${abstract}`), OWN_SERVER, PAIR];

async function play(session: DecidedSession) {
  const started: Promise<void>[] = [serve(`\0${abstract}`)];
  const setup = [run('mv bound.sock renamed.sock')];
  const { calls } = await playDecisions([setup, COMMANDS.map((command) => run(command))], {
    ...session,
    prepare(home) {
      mkdirSync(path.join(home, 'ws'), { recursive: true });
      for (const name of ['agent.sock', 'bound.sock']) started.push(serve(path.join(home, 'ws', name)));
    },
  });
  await Promise.all(started);
  return calls.slice(1).map(({ reads }) => reads);
}

describe.skipIf(process.platform !== 'linux' || noSandbox !== undefined)('no local socket outside the sandbox', () => {
  // > docs/security.md: no local socket outside the sandbox | the kernel refuses to open one, even without a path, unless you allow local sockets | no-socket-outside.test.ts
  it('is reached, and the model reads how to ask for sockets', async () => {
    const reads = await play({ options: ['--permission-mode', 'full-access'] });
    for (const each of reads.slice(0, 4)) {
      expect(each).not.toContain('ESCAPED');
      expect(each).toMatch(/address family not supported/i);
      expect(each).toContain('repeat the call with "local_sockets": true');
    }
    expect(reads[4]).toContain('pipes work');
  });

  it('is reached with local sockets, which a program may create itself', async () => {
    const reads = await play({
      options: ['--permission-mode', 'full-access'],
      config: { safety: { sandbox_local_sockets: true } },
    });
    expect(reads[0]).not.toContain('ESCAPED');
    expect(reads[3]).toContain('own');
    // The names of sockets without a path belong to a network, and the command has its own.
    expect(reads[2]).not.toContain('ESCAPED');
  });

  it('control: without a sandbox, each of them answers', async () => {
    const reads = await play({ options: ['--permission-mode', 'full-access', '--no-sandbox'] });
    for (const each of reads.slice(0, 3)) expect(each).toContain('ESCAPED');
  });
});
