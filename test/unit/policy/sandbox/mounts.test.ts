import { describe, expect, it } from 'vitest';
import {
  createAliases,
  type Mount,
  misplacedMount,
  planMounts,
  type SandboxPlaces,
} from '../../../../src/policy/sandbox/mounts.ts';

const NOTHING: SandboxPlaces = {
  temporary: [],
  writable: [],
  guarded: [],
  hidden: [],
  unreadable: [],
  visible: [],
};

describe('the mounts of the sandbox', () => {
  it.each<[string, Partial<SandboxPlaces>, readonly string[]]>([
    ['nothing', {}, []],
    ['a workspace', { writable: ['/w'] }, ['writable /w']],
    [
      'a workspace below a directory of temporary files',
      { temporary: ['/tmp'], writable: ['/tmp/a/w'] },
      ['empty /tmp', 'writable /tmp/a/w'],
    ],
    [
      'the home directory as workspace',
      { hidden: ['/home/u/.ssh'], writable: ['/home/u'] },
      ['writable /home/u', 'empty /home/u/.ssh'],
    ],
    [
      'a workspace in a hidden directory',
      { hidden: ['/home/u/.config'], writable: ['/home/u/.config/x'] },
      ['empty /home/u/.config', 'writable /home/u/.config/x'],
    ],
    [
      'a workspace that is itself hidden',
      { hidden: ['/home/u/.config'], writable: ['/home/u/.config'] },
      ['empty /home/u/.config'],
    ],
    [
      'programs in a workspace that is itself hidden',
      { hidden: ['/c'], writable: ['/c'], visible: ['/c/bin'] },
      ['empty /c', 'read_only /c/bin'],
    ],
    [
      'a file mounted over another one',
      { writable: ['/w'], placed: [{ path: '/w/.git/info/attributes', source: '/state/attributes' }] },
      ['writable /w', 'read_only /w/.git/info/attributes'],
    ],
    [
      'a link in a hidden directory, and a visible one',
      {
        hidden: ['/h'],
        visible: ['/h/s'],
        links: [
          { path: '/h/l', target: '/h/s' },
          { path: '/etc/l', target: '/h/s' },
        ],
      },
      ['empty /h', 'read_only /h/s', 'link /h/l'],
    ],
    ['the same path twice', { hidden: ['/a', '/a'] }, ['empty /a']],
    [
      'a hidden directory in an empty one',
      { temporary: ['/tmp'], hidden: ['/tmp/a/b', '/c/d', '/c'] },
      ['empty /c', 'empty /tmp'],
    ],
    [
      'a hidden directory in a workspace in a hidden one',
      { hidden: ['/h', '/h/w/x'], writable: ['/h/w'] },
      ['empty /h', 'writable /h/w', 'empty /h/w/x'],
    ],
    [
      'programs in a directory of programs',
      { temporary: ['/tmp'], visible: ['/tmp/node/bin', '/tmp/node', '/tmp/nodes'] },
      ['empty /tmp', 'read_only /tmp/node', 'read_only /tmp/nodes'],
    ],
    [
      'the whole disk as a workspace',
      { writable: ['/'], unreadable: ['/a/.env'] },
      ['writable /', 'writable /a', 'unreadable /a/.env'],
    ],
    [
      'settings of git, whose directory cannot be moved',
      { writable: ['/w'], guarded: ['/w/.git/hooks', '/w/.git/config'] },
      ['writable /w', 'writable /w/.git', 'read_only /w/.git/hooks', 'read_only /w/.git/config'],
    ],
    [
      'settings of git in a package',
      { writable: ['/w'], guarded: ['/w/lib/a/.git/hooks'] },
      [
        ...['writable /w', 'writable /w/lib', 'writable /w/lib/a', 'writable /w/lib/a/.git'],
        'read_only /w/lib/a/.git/hooks',
      ],
    ],
    [
      'settings of git below a hidden directory',
      { writable: ['/w'], guarded: ['/w/.cache/a/.git/hooks'] },
      [
        ...['writable /w', 'writable /w/.cache', 'writable /w/.cache/a', 'writable /w/.cache/a/.git'],
        'read_only /w/.cache/a/.git/hooks',
      ],
    ],
    ['a guarded file', { writable: ['/w'], guarded: ['/w/.envrc'] }, ['writable /w', 'read_only /w/.envrc']],
    [
      'workflows',
      { writable: ['/w'], guarded: ['/w/.github/workflows'] },
      ['writable /w', 'writable /w/.github', 'read_only /w/.github/workflows'],
    ],
    ['a guarded file in a workspace that is only read', { guarded: ['/w/.envrc'], visible: ['/w'] }, []],
    [
      'a workspace below /tmp that is only read',
      { temporary: ['/tmp'], guarded: ['/tmp/w/.envrc'], visible: ['/tmp/w'] },
      ['empty /tmp', 'read_only /tmp/w'],
    ],
    [
      'a secret in the workspace',
      { writable: ['/w'], unreadable: ['/w/.env', '/w/.env'] },
      ['writable /w', 'unreadable /w/.env'],
    ],
    [
      'a secret in a package, which cannot be moved with it',
      { writable: ['/w'], unreadable: ['/w/lib/a/.env'] },
      ['writable /w', 'writable /w/lib', 'writable /w/lib/a', 'unreadable /w/lib/a/.env'],
    ],
    [
      'a file with secrets that other programs run',
      { writable: ['/w'], guarded: ['/w/.envrc'], unreadable: ['/w/.envrc'] },
      ['writable /w', 'unreadable /w/.envrc'],
    ],
    [
      'a secret in a directory whose name differs in case from that of the temporary files',
      { temporary: ['/tmp'], unreadable: ['/TMP/key'] },
      ['empty /tmp', 'unreadable /TMP/key'],
    ],
    ['a secret in the home directory', { unreadable: ['/home/u/.netrc'] }, ['unreadable /home/u/.netrc']],
    [
      'a secret in a hidden directory, and a socket among temporary files',
      { temporary: ['/tmp'], hidden: ['/home/u/.config'], unreadable: ['/home/u/.config/key', '/tmp/x.sock'] },
      ['empty /tmp', 'empty /home/u/.config'],
    ],
    [
      'programs',
      {
        temporary: ['/tmp'],
        hidden: ['/home/u'],
        visible: ['/usr/bin', '/tmp/node/bin', '/home/u/.nvm/bin', '/home/u'],
      },
      ['empty /tmp', 'empty /home/u', 'read_only /tmp/node/bin', 'read_only /home/u/.nvm/bin'],
    ],
    [
      'a repository that is hidden in a workspace that is only read, in a hidden home',
      { hidden: ['/home/u', '/home/u/w/.git'], visible: ['/home/u/w'], unreadable: ['/home/u/w/.env', '/home/u/b'] },
      ['empty /home/u', 'read_only /home/u/w', 'empty /home/u/w/.git', 'unreadable /home/u/w/.env'],
    ],
  ])('for %s', (_name, places, expected) => {
    expect(planMounts({ ...NOTHING, ...places }).map(({ type, path }) => `${type} ${path}`)).toEqual(expected);
  });
});

describe('the mounts of a started sandbox', () => {
  /** A line of `mountinfo`. */
  const line = (root: string, path: string, type = 'ext4'): string =>
    `36 35 98:0 ${root} ${path} rw,noatime shared:1 - ${type} /dev/root rw`;
  const OUTSIDE = [
    line('/', '/'),
    line('/', '/dev', 'devtmpfs'),
    line('/@home', '/home'),
    line('/d/w\\040s', '/home/u/a\\040b'),
  ];
  const PLAN: readonly Mount[] = [
    { type: 'empty', path: '/home/u' },
    { type: 'writable', path: '/home/u/w' },
    { type: 'writable', path: '/home/u/w/a' },
    { type: 'unreadable', path: '/home/u/w/a/.env' },
    { type: 'read_only', path: '/home/u/.x', source: '/state/x' },
    { type: 'read_only', path: '/home/u/a b/c' },
    { type: 'link', path: '/home/u/l', source: '/home/u/w' },
  ];
  const INSIDE = [
    line('/', '/'),
    line('/', '/home/u', 'tmpfs'),
    line('/@home/u/w', '/home/u/w'),
    line('/@home/u/w/a', '/home/u/w/a'),
    ...[line('/@home/u/w/a/.env', '/home/u/w/a/.env'), line('/null', '/home/u/w/a/.env', 'devtmpfs')],
    ...[line('/state/x', '/home/u/.x'), line('/d/w\\040s/c', '/home/u/a\\040b/c'), 'started', ''],
  ];

  it.each<[string, (lines: readonly string[]) => readonly string[], string | undefined]>([
    ['all in their places', (lines) => lines, undefined],
    [
      'another directory as the source',
      (lines) => lines.map((each) => each.replace('/@home/u/w/a ', '/@home/u/.ssh ')),
      '/home/u/w/a',
    ],
    [
      'the same path of another file system',
      (lines) => lines.map((each) => each.replace('98:0 /@home/u/w/a ', '98:1 /@home/u/w/a ')),
      '/home/u/w/a',
    ],
    [
      'a mount that went elsewhere',
      (lines) => lines.map((each) => each.replace(' /home/u/w/a ', ' /usr ')),
      '/home/u/w/a',
    ],
    ['a later mount over a hidden directory', (lines) => [...lines, line('/@home/u', '/home/u')], '/home/u'],
    [
      'a directory in place of an empty one',
      (lines) => lines.map((each) => each.replace('/ /home/u ', '/x /home/u ')),
      '/home/u',
    ],
    ['a secret that is not covered', (lines) => lines.filter((each) => !each.includes('/null')), '/home/u/w/a/.env'],
    ['no report', () => [], '/home/u'],
  ])('are compared with the plan: %s', (_name, change, misplaced) => {
    expect(misplacedMount(PLAN, change(INSIDE).join('\n'), OUTSIDE.join('\n'))).toBe(misplaced);
  });

  it.each([
    ['/home/u', ['/data/home/u', '/top/@home/u', '/x\ty']],
    ['/home/u/.ssh', ['/data/home/u/.ssh', '/top/@home/u/.ssh', '/x\ty/.ssh']],
    ['/data/home', ['/home', '/top/@home']],
    ['/etc/hosts', []],
    ['/b', []],
  ])('show %s under its other paths', (file, expected) => {
    const other = (root: string, path: string): string => line(root, path).replace('98:0', '98:1');
    const table = [line('/', '/'), other('/@home', '/home'), other('/@home', '/data/home'), other('/', '/top')];
    const aliases = createAliases([...table, other('/@home/u', '/x\\011y'), other('/@homes', '/b')].join('\n'));
    expect(aliases(file).toSorted()).toEqual(file === '/b' ? ['/top/@homes'] : expected);
  });

  it('are compared by whole paths where the table of the machine is empty', () => {
    expect(misplacedMount([{ type: 'writable', path: '/w' }], line('/w', '/w'), '')).toBe(undefined);
  });
});
