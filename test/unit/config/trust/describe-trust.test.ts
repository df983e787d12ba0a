import { describe, expect, it } from 'vitest';
import { ignoredParts, runNotice, trustNotice } from '../../../../src/config/trust/describe-trust.ts';
import { NOT_TRUSTED, type ProjectTrust } from '../../../../src/config/trust/project-trust.ts';
import type { PartKind } from '../../../../src/policy/trust/trust.ts';

const CONFIG = { git: { context: true, recent_commits: 5, auto_commit: false, commit_message_prefix: '' } };
const parts = (...kinds: readonly PartKind[]) => kinds.map((kind, index) => ({ kind, path: `p${index}` }));

/** Parts of a project without effect, with these facts. */
function ignoredOf(
  trust: Partial<ProjectTrust>,
  names: readonly string[] = [],
  git: Partial<(typeof CONFIG)['git']> = {},
): readonly string[] {
  const waiting = names.map((key) => {
    const [name = '', file = '.ybs.json'] = key.split(' of ');
    return { name, source: `/work/shop/${file}` };
  });
  return ignoredParts({ trust: { ...NOT_TRUSTED, ...trust }, waiting, config: { git: { ...CONFIG.git, ...git } } });
}

describe('the parts without effect of a project that is not trusted', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['are missing in an empty project', ignoredOf({}), []],
    ['include its keys', ignoredOf({}, ['llm.model', 'models.active']), ['llm.model, models.active of .ybs.json']],
    [
      'include those of another file',
      ignoredOf({}, ['git.context', 'models.active of .eidolon/config.json']),
      ['git.context of .ybs.json', 'models.active of .eidolon/config.json'],
    ],
    [
      'include at most five keys',
      ignoredOf({}, ['a', 'b', 'c', 'd', 'e', 'f', 'g']),
      ['a, b, c, d, e, 2 more of .ybs.json'],
    ],
    ['include its tools', ignoredOf({ parts: parts('tool', 'tool') }), ['2 files that may become tools']],
    ['include its only tool', ignoredOf({ parts: parts('tool') }), ['a file that may become tools']],
    [
      'include its extensions',
      ignoredOf({ parts: ['.ybs/agents/a.md', '.ybs/note.md'].map((path) => ({ path, kind: 'extension' }) as const) }),
      ['a file in .ybs'],
    ],
    [
      'include those of Eidolon',
      ignoredOf({
        parts: ['.eidolon/agents/a.md', '.ybs/skills/a/SKILL.md'].map((path) => ({ path, kind: 'extension' }) as const),
      }),
      ['2 files in .ybs and .eidolon'],
    ],
    ['include the state of git', ignoredOf({ isRepository: true }), ['the state of git']],
    [
      'include automatic commits',
      ignoredOf({ isRepository: true }, [], { context: false, auto_commit: true }),
      ['git.auto_commit'],
    ],
    ['exclude automatic commits without a repository', ignoredOf({}, [], { auto_commit: true }), []],
    ['exclude those that the user turned off', ignoredOf({ isRepository: true }, [], { context: false }), []],
  ])('%s', (_name, found, expected) => {
    expect(found).toEqual(expected);
  });

  it('are empty once it is trusted', () => {
    const verdict = { type: 'trusted' } as const;
    expect(ignoredOf({ verdict, isRepository: true, parts: parts('tool') }, ['llm.model'])).toEqual([]);
  });
});

describe('the notice', () => {
  const GIT = ['the state of git'];
  const changed: ProjectTrust = {
    ...NOT_TRUSTED,
    verdict: { type: 'changed', changes: [{ path: '.ybs.json', change: 'changed' }] },
  };
  const rows: readonly [string, ProjectTrust, readonly string[], string | undefined, string | undefined][] = [
    ['a trusted project', { ...NOT_TRUSTED, verdict: { type: 'trusted' } }, [], undefined, undefined],
    ['a project without such parts', NOT_TRUSTED, [], undefined, undefined],
    [
      'a repository',
      NOT_TRUSTED,
      GIT,
      'not trusted, so these have no effect: the state of git. Trust it with: ybs trust',
      undefined,
    ],
    [
      'an invalid .ybs.json',
      { ...NOT_TRUSTED, isInvalid: true },
      GIT,
      'not trusted, so these have no effect: the state of git. Correct .ybs.json, then trust it with: ybs trust',
      undefined,
    ],
    [
      'a project with settings',
      NOT_TRUSTED,
      ['llm.model of .ybs.json', ...GIT],
      'not trusted, so these have no effect: llm.model of .ybs.json; the state of git. Trust it with: ybs trust',
      'This project is not trusted, so these have no effect: llm.model of .ybs.json; the state of git. Trust it with: ybs trust',
    ],
    [
      'a project that has changed',
      changed,
      GIT,
      'no longer trusted (.ybs.json has changed), so these have no effect: the state of git. Trust it with: ybs trust',
      'This project is no longer trusted (.ybs.json has changed), so these have no effect: the state of git. Trust it with: ybs trust',
    ],
    [
      'a changed project without parts with an effect',
      changed,
      [],
      'no longer trusted (.ybs.json has changed). Trust it with: ybs trust',
      'This project is no longer trusted (.ybs.json has changed). Trust it with: ybs trust',
    ],
    ['a damaged trust.json', { ...NOT_TRUSTED, problem: 'It is damaged.' }, GIT, 'It is damaged.', 'It is damaged.'],
  ];
  it.each(rows)('about %s', (_name, trust, ignored, inChat, inRun) => {
    const facts = { ...trust, ignored };
    expect([trustNotice(facts), runNotice(facts)]).toEqual([inChat, inRun]);
  });
});
