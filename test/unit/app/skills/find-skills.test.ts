import { describe, expect, it } from 'vitest';
import { findSkills, readSkillFolder } from '../../../../src/app/skills/find-skills.ts';
import { buildPathRules } from '../../../../src/policy/paths/build-path-rules.ts';
import { createMemoryFileSystem } from '../../../support/fakes/memory-file-system.ts';

const skill = (name: string, description = `About ${name}.`) =>
  `---\nname: ${name}\ndescription: ${description}\n---\nDo it.\n`;

async function find(
  files: Readonly<Record<string, string | Uint8Array>>,
  { links = {}, isTrusted = true, blockedPaths = ['~/.config', '~/.ssh'] } = {},
) {
  const { fileSystem, volume } = createMemoryFileSystem({ '/work/README.md': 'x', '/home/u/x': '', ...files });
  for (const [link, target] of Object.entries(links)) volume.symlinkSync(String(target), link);
  const places = { platform: 'posix', home: '/home/u', workspace: '/work', isTrusted } as const;
  const rules = await buildPathRules(
    {
      ...{ workspace: '/work', home: '/home/u', platform: 'posix', allowedPaths: ['.'], blockedPaths },
      ...{ readOnlyRoots: [], ownDirectories: ['~/.config/ybs'] },
    },
    async (file) => file,
  );
  const { skills, problems } = await findSkills(places, rules, { fileSystem });
  return {
    skills: skills.map(({ name, origin, folder }) => `${name} ${origin} ${folder}`),
    problems: problems.map(({ path, reason }) => `${path}: ${reason}`),
  };
}

describe('the places of skills', () => {
  it('name a folder that is a link by the link (craft-agents-oss#744)', async () => {
    const { fileSystem, volume } = createMemoryFileSystem({ '/src/v2/SKILL.md': skill('a') });
    volume.symlinkSync('/src/v2', '/src/a');
    expect(await readSkillFolder('/src/a', 'posix', { fileSystem })).toMatchObject([{ name: 'a', findings: [] }]);
  });

  it('are six, with precedence for the project over the home directory, then by their order', async () => {
    const all = [
      '/work/.agents',
      '/work/.ybs',
      '/work/.claude',
      '/home/u/.agents',
      '/home/u/.config/ybs',
      '/home/u/.claude',
    ];
    const files = Object.fromEntries(
      all.flatMap((place, index) => [
        [`${place}/skills/same/SKILL.md`, skill('same', `from ${place}`)],
        [`${place}/skills/own-${index}/SKILL.md`, skill(`own-${index}`)],
      ]),
    );
    const { skills, problems } = await find(files);
    expect(skills).toEqual([
      'own-0 project /work/.agents/skills/own-0',
      'same project /work/.agents/skills/same',
      'own-1 project /work/.ybs/skills/own-1',
      'own-2 project /work/.claude/skills/own-2',
      'own-3 home /home/u/.agents/skills/own-3',
      'own-4 home /home/u/.config/ybs/skills/own-4',
      'own-5 home /home/u/.claude/skills/own-5',
    ]);
    expect(problems).toHaveLength(5);
    expect(problems[4]).toBe(
      '/home/u/.claude/skills/same/SKILL.md: the name same is that of /work/.agents/skills/same/SKILL.md, which is used',
    );
  });

  it('are only named in an untrusted project', async () => {
    const files = { '/work/.claude/skills/a/SKILL.md': skill('a'), '/home/u/.claude/skills/b/SKILL.md': skill('b') };
    expect(await find(files, { isTrusted: false })).toEqual({
      skills: ['b home /home/u/.claude/skills/b'],
      problems: ['/work/.claude/skills/a/SKILL.md: the project is not trusted. Look at the file, then run: ybs trust'],
    });
  });
});

// vercel-labs/agent-skills#112, #122, grandamenium/cortextos#511, hachej/boring-ui#688.
describe('a folder of skills', () => {
  it.each<readonly [string, Parameters<typeof find>[0], Parameters<typeof find>[1], Awaited<ReturnType<typeof find>>]>([
    [
      'is a link inside the project, and is listed once',
      { '/work/.agents/skills/a/SKILL.md': skill('a'), '/work/.claude/x': '' },
      { links: { '/work/.claude/skills': '/work/.agents/skills' } },
      { skills: ['a project /work/.agents/skills/a'], problems: [] },
    ],
    [
      'is a link of the user to another directory',
      { '/src/skills/a/SKILL.md': skill('a'), '/home/u/.claude/skills/b/SKILL.md': skill('b') },
      { links: { '/home/u/.claude/skills/a': '/src/skills/a' } },
      { skills: ['a home /src/skills/a', 'b home /home/u/.claude/skills/b'], problems: [] },
    ],
    [
      'is a link of a project to another directory',
      { '/src/skills/a/SKILL.md': skill('a'), '/work/.claude/skills/b/SKILL.md': skill('b') },
      { links: { '/work/.claude/skills/a': '/src/skills/a' } },
      {
        skills: ['b project /work/.claude/skills/b'],
        problems: ['/work/.claude/skills/a/SKILL.md: it leads out of the project'],
      },
    ],
    [
      'is a link to the home directory',
      { '/home/u/SKILL.md': skill('u'), '/home/u/.claude/skills/b/SKILL.md': skill('b') },
      { links: { '/home/u/.claude/skills/a': '/home/u' } },
      {
        skills: ['b home /home/u/.claude/skills/b'],
        problems: ['/home/u/.claude/skills/a/SKILL.md: its folder contains far more than a skill'],
      },
    ],
    [
      'is a link to a directory of keys',
      { '/home/u/.ssh/SKILL.md': skill('a'), '/home/u/.claude/skills/b/SKILL.md': skill('b') },
      { links: { '/home/u/.claude/skills/a': '/home/u/.ssh' } },
      {
        skills: ['b home /home/u/.claude/skills/b'],
        problems: [expect.stringContaining('its folder is blocked (')],
      },
    ],
    [
      'is a link to the sessions of ybs',
      { '/home/u/.config/ybs/sessions/SKILL.md': skill('a'), '/home/u/.config/ybs/skills/b/SKILL.md': skill('b') },
      { links: { '/home/u/.config/ybs/skills/a': '/home/u/.config/ybs/sessions' } },
      {
        skills: ['b home /home/u/.config/ybs/skills/b'],
        problems: [expect.stringContaining('its folder is blocked (directory of ybs')],
      },
    ],
    [
      'is a link to a missing directory',
      { '/home/u/.claude/skills/b/SKILL.md': skill('b') },
      { links: { '/home/u/.claude/skills/a': '/nowhere' } },
      {
        skills: ['b home /home/u/.claude/skills/b'],
        problems: ['/home/u/.claude/skills/a: it is a link that leads nowhere, or cannot be read'],
      },
    ],
    [
      'has a file that is a link to a secret',
      { '/home/u/.ssh/id_rsa': skill('a'), '/home/u/.claude/skills/a/notes.md': '' },
      { links: { '/home/u/.claude/skills/a/SKILL.md': '/home/u/.ssh/id_rsa' } },
      { skills: [], problems: [expect.stringContaining('/home/u/.claude/skills/a/SKILL.md: its folder is blocked (')] },
    ],
    [
      'has a file that is a link of nix (codex#22506, agent-safehouse#35)',
      { '/nix/store/abc-hm_SKILL.md': skill('a'), '/home/u/.claude/skills/a/notes.md': '' },
      { links: { '/home/u/.claude/skills/a/SKILL.md': '/nix/store/abc-hm_SKILL.md' } },
      { skills: ['a home /home/u/.claude/skills/a'], problems: [] },
    ],
    [
      'has a file that leads out of the project, by another name',
      { '/src/x.md': skill('a'), '/work/.claude/skills/a/notes.md': '' },
      { links: { '/work/.claude/skills/a/SKILL.md': '/src/x.md' } },
      { skills: [], problems: ['/work/.claude/skills/a/SKILL.md: it leads out of the project'] },
    ],
    [
      'is one level too deep',
      { '/work/.claude/skills/group/a/SKILL.md': skill('a'), '/work/.claude/skills/group/README.md': '' },
      {},
      {
        skills: [],
        problems: ['/work/.claude/skills/group/a/SKILL.md: it lies one level too deep; move its folder up'],
      },
    ],
    [
      'is missing, with the file in the parent directory',
      { '/work/.claude/skills/SKILL.md': skill('a') },
      {},
      {
        skills: [],
        problems: ['/work/.claude/skills/SKILL.md: it lies in no folder of its own; move it to a folder with its name'],
      },
    ],
    [
      'has the file name in lower case, or no file',
      { '/work/.claude/skills/a/skill.md': skill('a'), '/work/.claude/skills/b/README.md': '' },
      {},
      {
        skills: [],
        problems: [
          '/work/.claude/skills/a/skill.md: its name must be SKILL.md',
          '/work/.claude/skills/b: it has no SKILL.md',
        ],
      },
    ],
    [
      'has a different name than the skill',
      { '/work/.claude/skills/a/SKILL.md': skill('b') },
      {},
      { skills: ['b project /work/.claude/skills/a'], problems: [] },
    ],
    [
      'has a file without a description, a binary one, a huge one and a directory',
      {
        '/work/.claude/skills/a/SKILL.md': '---\nname: a\n---\n',
        '/work/.claude/skills/b/SKILL.md': new Uint8Array([0xff, 0xfe, 0x00]),
        '/work/.claude/skills/c/SKILL.md': `${skill('c')}${'x'.repeat(600_000)}`,
        '/work/.claude/skills/d/SKILL.md/x': '',
      },
      {},
      {
        skills: [],
        problems: [
          '/work/.claude/skills/a/SKILL.md: it has no description',
          '/work/.claude/skills/b/SKILL.md: it is not text in UTF-8',
          '/work/.claude/skills/c/SKILL.md: it has more than 524288 bytes',
          expect.stringContaining('/work/.claude/skills/d/SKILL.md: it cannot be read: '),
        ],
      },
    ],
  ])('%s', async (_name, files, options, expected) => {
    expect(await find(files, options)).toEqual(expected);
  });
});
