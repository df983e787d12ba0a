import { describe, expect, it } from 'vitest';
import { FileSystemError, UsageError } from '../../../../src/agent/errors.ts';
import { findStoredProject, readTrust, trustFile, writeTrust } from '../../../../src/config/trust/trust-store.ts';
import { createMemoryFileSystem } from '../../../support/fakes/memory-file-system.ts';

const places = { platform: 'posix', home: '/home/ada' } as const;
const FILE = '/home/ada/.config/ybs/trust.json';
const DIGEST = 'a'.repeat(64);
const PROJECT = { trusted_at: '2026-11-22T10:00:00.000Z', parts: { '.ybs.json': DIGEST } };

/** Entries read from a file with this content and this mode. */
async function readAs(content: unknown, mode = 0o600) {
  const { fileSystem, volume } = createMemoryFileSystem({
    [FILE]: typeof content === 'string' ? content : JSON.stringify(content),
  });
  volume.chmodSync(FILE, mode);
  return readTrust(fileSystem, places);
}

describe('trust.json', () => {
  it.each([
    [{}, FILE],
    [{ xdgConfigHome: '/xdg' }, '/xdg/ybs/trust.json'],
    [{ xdgConfigHome: 'relative' }, FILE],
    [{ platform: 'windows', home: 'C:\\Users\\ada' }, 'C:\\Users\\ada\\.config\\ybs\\trust.json'],
  ] as const)('is in the directory of the user: %o', (changed, file) => {
    expect(trustFile({ ...places, ...changed })).toBe(file);
  });

  it('contains the stored projects, and is readable for its owner only', async () => {
    const { fileSystem, volume } = createMemoryFileSystem();
    const projects = new Map([
      ['/work', { trustedAt: PROJECT.trusted_at, parts: new Map([['.ybs.json', DIGEST]]) }],
      ['/__proto__', { trustedAt: PROJECT.trusted_at, parts: new Map([['__proto__', DIGEST]]) }],
    ]);
    await writeTrust(fileSystem, places, projects);
    expect(await readTrust(fileSystem, places)).toEqual({ projects });
    expect(volume.statSync(FILE).mode & 0o777).toBe(0o600);
    volume.chmodSync(FILE, 0o644);
    await writeTrust(fileSystem, places, new Map());
    expect(volume.statSync(FILE).mode & 0o777).toBe(0o600);
    expect(JSON.parse(String(volume.readFileSync(FILE)))).toEqual({ version: 1, projects: {} });
    const declined = new Map([['/other', PROJECT.trusted_at]]);
    await writeTrust(fileSystem, places, projects, declined);
    expect(await readTrust(fileSystem, places)).toEqual({ projects, declined });
  });

  it.each([
    ['/work', '/work'],
    ['/work/stories/one', '/work'],
    ['/work/clone', undefined],
    ['/work/clone/stories', undefined],
    ['/elsewhere', undefined],
    ['/missing/place', undefined],
    ['/link/stories', '/work'],
  ])('contains the project of %s: %s', async (directory, project) => {
    const { fileSystem, volume } = createMemoryFileSystem({
      '/work/.git/HEAD': 'x',
      '/work/stories/one/scenario.json': '{}',
      '/work/clone/.git/HEAD': 'x',
      '/work/clone/stories/a.json': '{}',
      '/elsewhere/a.json': '{}',
    });
    volume.symlinkSync('/work', '/link');
    await writeTrust(fileSystem, places, new Map([['/work', { trustedAt: '', parts: new Map() }]]));
    expect(await findStoredProject(directory, fileSystem, places)).toBe(project);
  });

  it('trusts nothing when it is missing', async () => {
    expect(await readTrust(createMemoryFileSystem().fileSystem, places)).toEqual({ projects: new Map() });
    const { fileSystem } = createMemoryFileSystem({ '/home/ada/.config': 'a file' });
    expect(await readTrust(fileSystem, places)).toEqual({ projects: new Map() });
  });

  const good = { version: 1, projects: { '/work': PROJECT } };
  it.each<[string, unknown, number, RegExp]>([
    ['is not JSON', '{', 0o600, /damaged/],
    ['is empty', '', 0o600, /damaged/],
    ['has another version', { ...good, version: 2 }, 0o600, /damaged/],
    ['has no projects', { version: 1 }, 0o600, /damaged/],
    [
      'has an invalid digest',
      { version: 1, projects: { '/work': { ...PROJECT, parts: { x: 'A' } } } },
      0o600,
      /damaged/,
    ],
    ['can be changed by everybody', good, 0o602, /chmod 600/],
    ['can be changed by a group', good, 0o620, /chmod 600/],
    ['is too large', `${' '.repeat(8 * 1024 * 1024)}{}`, 0o600, /damaged/],
  ])('trusts nothing and gives the reason when it %s', async (_name, content, mode, problem) => {
    const read = await readAs(content, mode);
    expect(read.projects.size).toBe(0);
    expect(read.problem).toMatch(/^No project is trusted: \/home\/ada\/\.config\/ybs\/trust\.json /);
    expect(read.problem).toMatch(problem);
  });

  it('is used when others may only read it', async () => {
    expect((await readAs(good, 0o644)).projects.size).toBe(1);
    expect(await readAs(good)).toMatchObject({ projects: new Map([['/work', { trustedAt: PROJECT.trusted_at }]]) });
  });

  it('is used without permission bits on Windows', async () => {
    const bytes = new TextEncoder().encode(JSON.stringify(good));
    const readFile = async () => ({ bytes, size: bytes.length, mode: 0o666 });
    expect((await readTrust({ readFile }, { ...places, platform: 'windows' })).projects.size).toBe(1);
  });

  it('trusts nothing when it belongs to another user, or cannot be read', async () => {
    const bytes = new TextEncoder().encode(JSON.stringify(good));
    const foreign = async () => ({ bytes, size: bytes.length, mode: 0o600, protection: 'other_owner' }) as const;
    expect(await readTrust({ readFile: foreign }, places)).toMatchObject({
      problem: expect.stringMatching(/another user/),
    });
    const readFile = () => Promise.reject(new FileSystemError('permission_denied', FILE));
    expect(await readTrust({ readFile }, places)).toMatchObject({
      problem: expect.stringMatching(/cannot be read: permission denied\.$/),
    });
    const bug = () => Promise.reject(new TypeError('a bug'));
    await expect(readTrust({ readFile: bug }, places)).rejects.toThrow(TypeError);
  });

  it('stays unchanged when it cannot be written', async () => {
    const { fileSystem } = createMemoryFileSystem();
    const full = { ...fileSystem, replaceFile: () => Promise.reject(new FileSystemError('no_space', FILE)) };
    await expect(writeTrust(full, places, new Map())).rejects.toThrow(
      new UsageError(`${FILE} cannot be written: the disk is full. Nothing was changed.`),
    );
    const bug = { ...fileSystem, replaceFile: () => Promise.reject(new TypeError('a bug')) };
    await expect(writeTrust(bug, places, new Map())).rejects.toThrow(TypeError);
  });
});
