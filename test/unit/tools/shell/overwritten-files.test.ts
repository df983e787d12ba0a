import { expect, it } from 'vitest';
import { FileSystemError } from '../../../../src/agent/errors.ts';
import type { FileSystem } from '../../../../src/agent/ports/file-system.ts';
import type { PathRules } from '../../../../src/policy/paths/path-policy.ts';
import { ReadLedger } from '../../../../src/tools/files/read-ledger.ts';
import { findOverwritten, recordOwnVersions } from '../../../../src/tools/shell/overwritten-files.ts';
import { createMemoryFileSystem } from '../../../support/fakes/memory-file-system.ts';

const RULES: PathRules = {
  ...{ workspace: '/w', home: '/home/u', allowedRoots: ['/w'], readOnlyRoots: [], blockedPaths: [], platform: 'posix' },
};
const MANY = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [`/w/src/${name}.ts`, '']));

/** A workspace in which git has `kept.ts` as long as nobody changes it. */
function setUp(sandboxed = true) {
  const { fileSystem, volume } = createMemoryFileSystem({
    ...MANY,
    ...{ '/w/own.ts': '', '/w/kept.ts': '', '/w/#a': '', '/w/[id]/[id].ts': '', '/w/[id]/e.ts': '', '/tmp/old': '' },
  });
  volume.symlinkSync('kept.ts', '/w/link.ts');
  const isTracked = (file: string) => file === '/w/kept.ts' && volume.readFileSync(file, 'utf8') === '';
  const findTracked = async (files: readonly string[]) => new Set(files.filter(isTracked));
  const digest = (bytes: Uint8Array) => `sha256:${Buffer.from(bytes).toString('hex')}`;
  const ledger = new ReadLedger();
  const ports = { fileSystem: { ...fileSystem, findTracked }, pathRules: RULES, sandboxed, digest, ledger };
  return { ports, volume };
}

async function find(command: string, sandboxed = true) {
  return (await findOverwritten(command, '/w', setUp(sandboxed).ports)).lost;
}

it.each<[string, readonly string[]]>([
  ['x > own.ts', ['own.ts']],
  ['x > new.ts', []],
  ['x > kept.ts', []],
  ['sed -i s/a/b/ own.ts kept.ts', ['own.ts']],
  ['mv new own.ts', ['own.ts']],
  ['mv own.ts src', []],
  ['mv own.ts src; mv kept.ts src', []],
  ['mv own.ts new; mv kept.ts new', ['own.ts']],
  ['mv kept.ts new; x > new', []],
  ['mv own.ts /tmp', ['own.ts']],
  ['mv src /tmp', ['src']],
  ['mv own.ts /opt', []],
  ...['mv $X /tmp/', 'for f in */a.ts; do mv $f /tmp/; done', 'find . -name a.ts -exec mv {} /tmp/ \\;'].map(
    (command): [string, string[]] => [command, ['files whose names it computes']],
  ),
  ['mv [[=o=]]wn.ts /tmp', ['files whose names it computes']],
  ['ls | xargs mv -t /tmp', ['files whose names it computes']],
  ['cp lib/*.ts src/b*.ts src', ['src/a.ts', 'src/b.ts', 'src/c.ts', '2 more']],
  ['cp lib/[x-z].ts src', []],
  // Below the directories of a pattern, a bracket in quotes, and a class that bash alone knows.
  ['cp -r lib/* src', ['files whose names it computes']],
  ['cp -a lib/*/. src', ['files whose names it computes']],
  ['cp --parents lib/*.ts .', ['files whose names it computes']],
  ['cp lib/[[=a=]].ts src', ['files whose names it computes']],
  ["cp 'lib/[id].ts' src/e.ts [id]", ['[id]/[id].ts', '[id]/e.ts']],
  ['cp lib/\\[id]* [id]', ['[id]/[id].ts']],
  ['cp lib/[!E]*.ts [id]', ['[id]/[id].ts', '[id]/e.ts']],
  ['cp lib/[![:upper:]].ts [id]', ['[id]/e.ts']],
  ["x > '[id]/[id].ts'", ['[id]/[id].ts']],
  ['cp lib/a.ts src', ['src/a.ts']],
  ['sed -i s/a/b/ src/*.ts', ['src/a.ts', 'src/b.ts', 'src/c.ts', '2 more']],
  ['sed -i s/a/b/ */a.ts', ['src/a.ts']],
  ['find . -name "a.*" -exec sed -i s/a/b/ {} +', ['src/a.ts']],
  ['find . -size 0 -exec sed -i s/a/b/ {} +', ['files whose names it computes']],
  ['find . -name src -exec cp lib/a.ts {} +', ['src/a.ts']],
  ['sed -i s/a/b/ $(ls)', ['files whose names it computes']],
  ['x > /tmp/old', []],
  ['x > "/run/$X"', []],
  ['for i in 1 2; do x > /tmp/run-$i.log; cp $i /tmp/out; done', []],
  [`ls | xargs -I{} sh -c 'x {} > /tmp/again-{}.log'`, []],
  ['for i in $(seq 2); do x > run-$i.log; done', []],
  ['for i in $(ls); do x > run-$i.log; done', ['files whose names it computes']],
  ['x > missing/*', []],
  [`rm ${'[!'.repeat(20_000)}`, ['files whose names it computes']],
])('the command %s overwrites %j', async (command, files) => {
  expect(await find(command)).toEqual(files);
});

it('a command without the sandbox overwrites files in a directory for temporary files', async () => {
  expect(await find('x > /tmp/old', false)).toEqual(['/tmp/old']);
});

it.each([
  ['/tmp/w', 'x > "/tmp/$X"', ['files whose names it computes']],
  ['/tmp/w', 'x > "/tmp/w/$X"', ['files whose names it computes']],
  ['/tmp/w', 'x > "/tmp/other/$X"', []],
  ['/w', 'x > "/tmp/$X"', []],
])('in the workspace %s, the command %s overwrites %j', async (workspace, command, lost) => {
  const { ports } = setUp();
  const pathRules = { ...ports.pathRules, workspace, allowedRoots: [] };
  expect(await findOverwritten(command, '/w', { ...ports, pathRules })).toMatchObject({ lost });
});

it('a command overwrites files in /tmp if that is a link, as on macOS, where the sandbox does not cover it', async () => {
  const { ports } = setUp();
  const realPath = async (file: string) => file.replace(/^\/tmp/, '/private/tmp');
  const fileSystem = { ...ports.fileSystem, realPath };
  const found = await findOverwritten('x > "/tmp/$X"', '/w', { ...ports, fileSystem });
  expect(found.lost).toEqual(['files whose names it computes']);
});

it('a command overwrites every file if the files in git are unknown', async () => {
  const { fileSystem } = createMemoryFileSystem({ '/w/kept.ts': '' });
  const found = await findOverwritten('x > kept.ts', '/w', { ...setUp().ports, fileSystem });
  expect(found.lost).toEqual(['kept.ts']);
});

it.each<[string, boolean, readonly string[]]>([
  ['rm kept.ts', true, []],
  ['rm -f kept.ts missing.ts', true, []],
  ['cd src && unlink ../kept.ts', true, []],
  ['rm /tmp/old', true, []],
  ['rm own.ts', true, ['own.ts']],
  ['rm kept.ts own.ts', true, ['own.ts']],
  ['rm *.ts', true, ['link.ts', 'own.ts']],
  ['rm link.ts', true, ['link.ts']],
  ['git status && rm kept.ts', true, []],
  ['rm "$F"', true, ['files whose names it computes']],
  ['ls | xargs rm', true, ['files whose names it computes']],
  // What is gone afterwards may be the content of another file.
  ['mv own.ts kept.ts; rm kept.ts', false, ['own.ts']],
  ['git checkout x; rm kept.ts', false, []],
  ['git unknown; rm kept.ts', false, []],
  ['$X; rm kept.ts', false, []],
  ['rm -r src', true, ['src']],
  ['rm -d src kept.ts', true, ['src']],
  ['rm -rf missing kept.ts', true, []],
  ['mkdir -p /tmp/new && rm -rf /tmp/new /tmp/new/* "/tmp/$X"', true, []],
  ['rm -rf s* "$X"', true, ['src', 'files whose names it computes']],
  ['rm -rf */*', true, ['[id]/[id].ts', '[id]/e.ts', 'src/a.ts', '4 more']],
  ['rm -rf */../src', true, ['files whose names it computes']],
  ['rm -rf s*/a.ts k*.ts', true, ['src/a.ts']],
  ['npx rimraf src', true, ['src']],
  ['rimraf "k*.ts"', true, []],
  ['rimraf "{own,kept}.ts"', true, ['files whose names it computes']],
  ['del-cli "**/*.ts"', true, ['files whose names it computes']],
  ['shopt -s globstar; rm **/a.ts', true, ['files whose names it computes']],
  ["rm '#'*", true, ['#a']],
  ['find . -name src -exec rm -rf {} +', true, ['src']],
  ['find . -name "*.md" -exec rm -rf {} +', true, []],
  ['find src -iname "A.TS" -delete', true, ['src/a.ts']],
  ['find . -name "kept.*" -delete', true, []],
  ['find /w -name "kept.*" -delete', true, []],
  ['find -L . -name kept.ts -delete', true, ['files whose names it computes']],
  ['find . -mtime 1 -delete', true, ['files whose names it computes']],
  ['find "$D" -name kept.ts -delete', true, ['files whose names it computes']],
  ['rm -rf /tmp/new-*', true, []],
  ['rm -rf "/tmp/$X"', true, []],
  // A name that begins with /tmp, and leads out of it.
  ['rm -rf missing /tmp/../w/src/*', true, ['files whose names it computes']],
  ['rm -rf missing /tmp/../w/src', true, ['src']],
  ['X=../w; rm -rf missing "/tmp/$X"', true, ['files whose names it computes']],
  [`echo ../w | xargs -I{} sh -c 'x > /tmp/{}'`, true, ['files whose names it computes']],
  [`rm -rf missing /tmp/.'.'/w/$X`, true, ['files whose names it computes']],
  ['ln -s /w /tmp/l; x > "/tmp/l/$X"', false, ['files whose names it computes']],
])('the command %s removes files: %s, and loses %j', async (command, removes, lost) => {
  expect(await findOverwritten(command, '/w', setUp().ports)).toMatchObject({ removes, lost });
});

it('a command may overwrite any file if there is too much to look at', async () => {
  const { ports } = setUp();
  const list = async () =>
    Array.from({ length: 20_001 }, (_, index) => ({ name: `${index}`, kind: 'directory' as const }));
  const many = { ...ports, fileSystem: { ...ports.fileSystem, list } };
  for (const command of ['find . -name a -delete', 'cp lib/*.ts src'])
    expect((await findOverwritten(command, '/w', many)).lost).toEqual(['files whose names it computes']);
});

it('a command may overwrite or remove what earlier commands of the session made, until somebody else changes it', async () => {
  const { ports, volume } = setUp();
  const lost = async (command: string) => (await findOverwritten(command, '/w', ports)).lost;
  const { kept } = await findOverwritten('sed -i s/a/b/ kept.ts own.ts', '/w', ports);
  expect(kept).toEqual(['/w/kept.ts']);
  volume.writeFileSync('/w/kept.ts', 'changed by the command');
  expect(await lost('rm kept.ts')).toEqual(['kept.ts']);
  await recordOwnVersions(kept, ports);
  expect(await lost('sed -i s/a/b/ kept.ts')).toEqual([]);
  expect(await lost('rm kept.ts')).toEqual([]);
  volume.writeFileSync('/w/kept.ts', 'changed by the user');
  expect(await lost('rm kept.ts')).toEqual(['kept.ts']);
  ports.ledger.recordOwn('/w/own.ts', 'sha256:');
  expect(await lost('rm own.ts')).toEqual([]);
  ports.ledger.clear();
  expect(await lost('rm own.ts')).toEqual(['own.ts']);
});

it('a command after which a file may have the content of another one makes no versions of the session', async () => {
  expect((await findOverwritten('mv own.ts kept.ts', '/w', setUp().ports)).kept).toEqual([]);
  expect((await findOverwritten('ln -f own.ts kept.ts', '/w', setUp().ports)).kept).toEqual([]);
});

it('a file that vanishes between two looks is not lost, and has no version of the session', async () => {
  const { ports } = setUp();
  const fails = async () => {
    throw new FileSystemError('not_found', '/w/own.ts');
  };
  const lostWith = async (change: Partial<FileSystem>) =>
    (await findOverwritten('rm own.ts', '/w', { ...ports, fileSystem: { ...ports.fileSystem, ...change } })).lost;
  expect(await lostWith({ stat: fails })).toEqual([]);
  expect(await lostWith({ realPath: async (path) => (path === '/w' ? fails() : path) })).toEqual(['own.ts', 'own.ts']);
  await recordOwnVersions(['/w/missing.ts'], ports);
  expect(ports.ledger.own('/w/missing.ts')).toBeUndefined();
});
