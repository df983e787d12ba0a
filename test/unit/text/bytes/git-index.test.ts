import { describe, expect, it } from 'vitest';
import { withGitSetting } from '../../../../src/policy/git.ts';
import { attributesWithSecrets, secretAttributes } from '../../../../src/policy/sandbox/git-attributes.ts';
import { isUnchanged, specialPaths, stagedEntries, trackedFiles } from '../../../../src/text/bytes/git-index.ts';

const DIGEST = '0a1b2c3d4e5f60718293a4b5c6d7e8f901234567';

interface Entry {
  readonly path: string | Uint8Array;
  readonly mode?: number;
  readonly isExtended?: boolean;
  readonly size?: number;
}

/** An index as git writes it. In version 4, each path is given by what it does not share with the one before. */
function indexOf(version: number, entries: readonly Entry[], count = entries.length, digest = DIGEST): Uint8Array {
  const bytes: number[] = [...Buffer.from('DIRC'), 0, 0, 0, version, 0, 0, 0, count];
  let previous: readonly number[] = [];
  for (const { path, mode = 0o100644, isExtended = false, size = 7 } of entries) {
    const start = bytes.length;
    const name = [...Buffer.from(path)];
    const flags = 40 + digest.length / 2;
    const fixed = Buffer.alloc(flags + 2);
    fixed.writeUInt32BE(1_700_000_000, 8);
    fixed.writeUInt32BE(123_456_789, 12);
    fixed.writeUInt32BE(mode, 24);
    fixed.writeUInt32BE(size, 36);
    fixed.fill(digest, 40, flags, 'hex');
    fixed.writeUInt16BE(Math.min(name.length, 0xfff) | (isExtended ? 0x4000 : 0), flags);
    bytes.push(...fixed, ...(isExtended ? [0, 0] : []));
    if (version === 4) {
      let shared = 0;
      while (shared < name.length && name[shared] === previous[shared]) shared += 1;
      bytes.push(...offset(previous.length - shared), ...name.slice(shared), 0);
      previous = name;
    } else {
      bytes.push(...name);
      do bytes.push(0);
      while ((bytes.length - start) % 8 !== 0);
    }
  }
  // An extension, and the digest of everything
  return Uint8Array.from([...bytes, ...Buffer.from('TREE'), 0, 0, 0, 3, 1, 2, 3, ...Buffer.alloc(digest.length / 2)]);
}

/** A number of variable length, as in packs. */
function offset(value: number): readonly number[] {
  const bytes = [value & 0x7f];
  for (let rest = value >> 7; rest > 0; rest >>= 7) {
    rest -= 1;
    bytes.unshift(0x80 | (rest & 0x7f));
  }
  return bytes;
}

const STORED = { size: 7, seconds: 1_700_000_000, nanoseconds: 123_456_789, digest: DIGEST };
const LONG = `${'x'.repeat(300)}/.env`;
const MIDDLE = `${'x'.repeat(100)}y.pem`;
const PATHS = ['.env', 'a/.env', 'a/b/server.key', 'b', LONG, MIDDLE, 'y', 'ä/.env', 'ä/ö'];

/** The kinds of digests, with the settings of git 2.39, and a digest of the kind. */
const KINDS = [
  ['SHA-1', '[core]\n\trepositoryformatversion = 0\n', DIGEST],
  [
    'SHA-256',
    '[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = sha256\n',
    `${DIGEST}${DIGEST.slice(0, 24)}`,
  ],
] as const;

/** Settings of which only git itself knows the kind of digests. */
const UNCLEAR = [
  '# objectformat, sha256\n',
  '[x]\n\tobjectformat = sha256\n',
  '[extensions]\n\tobjectformat = "sha\\\n256"\n',
  '[extensions]\n\tobjectformat = sha256\n\tobjectFormat = sha1\n',
];

describe('the files that git tracks', () => {
  it.each([2, 3, 4])('are those of an index of version %d', (version) => {
    const entries = PATHS.map((path, index) => ({ path, isExtended: version > 2 && index % 2 === 1 }));
    const wanted = new Set(['.env', 'a/b/server.key', LONG, MIDDLE, 'ä/.env', 'ä/x', 'c']);
    expect(trackedFiles(indexOf(version, entries), wanted)).toEqual(
      new Map(['.env', 'a/b/server.key', LONG, MIDDLE, 'ä/.env'].map((path) => [path, STORED])),
    );
  });

  it('are regular files', () => {
    const entries = [
      { path: '.env', mode: 0o120000 },
      { path: 'a', mode: 0o160000 },
      { path: 'b', mode: 0o100755 },
    ];
    expect([...trackedFiles(indexOf(2, entries), new Set(['.env', 'a', 'b'])).keys()]).toEqual(['b']);
  });

  it.each(KINDS)('are distinguished from submodules in an index with digests of %s', (_name, config, digest) => {
    const entries = [{ path: 'a/b', mode: 0o160000 }, { path: 'b' }, { path: 'c', mode: 0o160000, isExtended: true }];
    for (const version of [3, 4])
      expect(specialPaths(indexOf(version, entries, 3, digest), config).submodules).toEqual(['a/b', 'c']);
  });

  it.each(['[branch "add-sha256"]\n\tremote = origin\n', '[user]\n\tsigningkey = SHA256:abc\n'])(
    'are read with digests of SHA-1 if only a name or a value says another one: %j',
    (config) => {
      const entries = ['agent-abcd-1/file1.ts', 'agent-abcd-1/zz-new.ts'].map((path) => ({ path }));
      expect(specialPaths(indexOf(2, entries), config).strays).toEqual([]);
    },
  );

  it.each(KINDS)(
    'are distinguished from paths that git never stores in an index with digests of %s',
    (_name, config, digest) => {
      const strays = ['.GIT/hooks/pre-push', '../a', '/a', 'a/./b', 'b/.git', 'c/..'];
      const plain = ['.git-hooks/a', '.gitignore', 'a..b', 'a.git/HEAD', 'repositories/a.git/HEAD', '...'];
      for (const version of [2, 4]) {
        const index = indexOf(
          version,
          [...plain, ...strays].map((path) => ({ path })),
          12,
          digest,
        );
        expect(specialPaths(index, config).strays).toEqual(strays);
        // It does not matter as what else the index could be read, but where the kind is not certain.
        for (const unclear of UNCLEAR)
          expect(specialPaths(index, unclear).strays).toEqual(expect.arrayContaining(strays));
        expect(specialPaths(index.subarray(0, -1), config).strays).toEqual(strays);
      }
    },
  );

  const [one] = [indexOf(2, [{ path: '.env' }])];
  it.each<[string, Uint8Array]>([
    ['no content', new Uint8Array()],
    ['another file', Uint8Array.from([...Buffer.from('text'), ...one.subarray(4)])],
    ['version 1', indexOf(1, [{ path: '.env' }])],
    ['version 5', indexOf(5, [{ path: '.env' }])],
    ['a missing entry', indexOf(2, [{ path: '.env' }], 2)],
    ['a path without an end', one.subarray(0, 12 + 62 + 4)],
    ['a second path without an end', indexOf(2, [{ path: '.env' }, { path: 'b' }]).subarray(0, 12 + 72 + 62 + 1)],
    ['no number', indexOf(4, [{ path: '.env' }]).subarray(0, 12 + 62)],
    ['a number without an end', Uint8Array.from([...indexOf(4, [{ path: '.env' }]).subarray(0, 12 + 62), 0x81])],
  ])('are unknown for an index with %s', (_name, index) => {
    expect(trackedFiles(index, new Set(['.env']))).toEqual(new Map());
  });

  it('are staged the same whatever their times are, in an index that is whole', () => {
    for (const [, , digest] of KINDS) {
      const staged = (entry: Entry, count = 1, id: string = digest): unknown =>
        stagedEntries(indexOf(3, [entry], count, id));
      const before = staged({ path: 'a' });
      expect(before).toBeInstanceOf(Uint8Array);
      expect(staged({ path: 'a', size: 0 })).toEqual(before);
      for (const other of [{ path: 'b' }, { path: 'a', mode: 0o100755 }, { path: 'a', isExtended: true }])
        expect(staged(other)).not.toEqual(before);
      expect(staged({ path: 'a' }, 1, `f${digest.slice(1)}`)).not.toEqual(before);
      expect(staged({ path: 'a' }, 2)).toBeUndefined();
      // Names in Latin-1, which no decoder of UTF-8 tells apart
      expect(staged({ path: Uint8Array.of(0x61, 0x61, 0xe4) })).not.toEqual(
        staged({ path: Uint8Array.of(0x61, 0x61, 0xf6) }),
      );
    }
    const split = Buffer.from(indexOf(2, [{ path: 'a' }]));
    split.write('link', split.indexOf('TREE'));
    expect(stagedEntries(split)).toBeUndefined();
  });

  it('are found in a slice of a buffer', () => {
    const index = indexOf(2, [{ path: '.env' }]);
    const buffer = Uint8Array.from([9, 9, 9, ...index]);
    expect(trackedFiles(buffer.subarray(3), new Set(['.env']))).toEqual(new Map([['.env', STORED]]));
  });

  it.each<[string, { size?: bigint; mtimeNs?: bigint; digests?: () => string[] }, boolean]>([
    ['nothing', {}, true],
    ['a larger number with the same low bits', { size: 7n + 2n ** 32n, mtimeNs: 1_700_000_000_123_456_789n }, true],
    ['its size', { size: 8n }, false],
    ['its second', { mtimeNs: 1_700_000_001_123_456_789n }, false],
    ['its nanosecond', { mtimeNs: 1_700_000_000_123_456_788n }, false],
    ['its content', { digests: () => ['0'.repeat(40)] }, false],
  ])('are compared by %s', (_name, change, expected) => {
    const file = { size: 7n, mtimeNs: 1_700_000_000_123_456_789n, digests: () => ['0', DIGEST] };
    expect(isUnchanged(STORED, { ...file, ...change })).toBe(expected);
  });
});

describe('the attributes of git', () => {
  it('name secrets, and examples as exceptions after them', () => {
    const lines = secretAttributes().split('\n');
    for (const line of [
      '.[eE][nN][vV] -diff',
      '.[eE][nN][vV][rR][cC] -diff',
      '*.[pP][eE][mM] -diff',
      '**/.[aA][wW][sS]/[cC][rR][eE][dD][eE][nN][tT][iI][aA][lL][sS] -diff',
      '.[eE][nN][vV][._~-]* -diff',
      '.[eE][nN][vV]*.[dD].[tT][sS] !diff',
    ])
      expect(lines).toContain(line);
    const example = lines.findIndex((line) => line.endsWith('[eE][xX][aA][mM][pP][lL][eE] !diff'));
    expect(example).toBeGreaterThan(lines.indexOf('.[eE][nN][vV][._~-]* -diff'));
    expect(lines.at(-1)).toBe('');
  });

  it('come after those of a repository itself', () => {
    expect(attributesWithSecrets('* diff\n')).toBe(`* diff\n\n${secretAttributes()}`);
  });

  it('are configured after the settings of the environment', () => {
    expect(withGitSetting({ A: 'b' }, 'c.d', 'e')).toEqual({
      ...{ A: 'b', GIT_CONFIG_COUNT: '1' },
      ...{ GIT_CONFIG_KEY_0: 'c.d', GIT_CONFIG_VALUE_0: 'e' },
    });
    const two = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'a.b', GIT_CONFIG_VALUE_0: 'x' };
    expect(withGitSetting(two, 'c.d', 'e')).toEqual({
      ...{ ...two, GIT_CONFIG_COUNT: '2' },
      ...{ GIT_CONFIG_KEY_1: 'c.d', GIT_CONFIG_VALUE_1: 'e' },
    });
  });
});
