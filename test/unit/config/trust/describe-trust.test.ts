import { describe, expect, it } from 'vitest';
import { ignoredParts, runNotice, trustNotice } from '../../../../src/config/trust/describe-trust.ts';
import { NOT_TRUSTED, type ProjectTrust } from '../../../../src/config/trust/project-trust.ts';
import type { PartKind } from '../../../../src/policy/trust/trust.ts';

const CONFIG = { git: { context: true, recent_commits: 5, auto_commit: false, commit_message_prefix: '' } };
const parts = (...kinds: readonly PartKind[]) => kinds.map((kind, index) => ({ kind, path: `p${index}` }));

/** Parts of a project without effect, with these facts. */
function ignoredOf(
  trust: Partial<ProjectTrust>,
  waiting: readonly string[] = [],
  git: Partial<(typeof CONFIG)['git']> = {},
): readonly string[] {
  return ignoredParts({ trust: { ...NOT_TRUSTED, ...trust }, waiting, config: { git: { ...CONFIG.git, ...git } } });
}

describe('the parts without effect of a project that is not trusted', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['are none in an empty project', ignoredOf({}), []],
    ['are its keys', ignoredOf({}, ['llm.model', 'models.active']), ['llm.model, models.active of .ybs.json']],
    [
      'are at most five keys',
      ignoredOf({}, ['a', 'b', 'c', 'd', 'e', 'f', 'g']),
      ['a, b, c, d, e, 2 more of .ybs.json'],
    ],
    ['are its tools', ignoredOf({ parts: parts('tool', 'tool') }), ['2 files that may become tools']],
    ['are its only tool', ignoredOf({ parts: parts('tool') }), ['a file that may become tools']],
    ['are its extensions', ignoredOf({ parts: [{ path: '.ybs/a', kind: 'extension' }] }), ['a file in .ybs']],
    [
      'are those of Eidolon, too',
      ignoredOf({
        parts: ['.eidolon/agents/a', '.ybs/a'].map((path) => ({ path, kind: 'extension' }) as const),
      }),
      ['2 files in .ybs and .eidolon'],
    ],
    ['are the state of git', ignoredOf({ isRepository: true }), ['the state of git']],
    [
      'are the commits',
      ignoredOf({ isRepository: true }, [], { context: false, auto_commit: true }),
      ['git.auto_commit'],
    ],
    ['are no commits without a repository', ignoredOf({}, [], { auto_commit: true }), []],
    ['are none that the user does not want', ignoredOf({ isRepository: true }, [], { context: false }), []],
  ])('%s', (_name, found, expected) => {
    expect(found).toEqual(expected);
  });

  it('are none once it is trusted', () => {
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
      'not trusted any more (.ybs.json has changed), so these have no effect: the state of git. Trust it with: ybs trust',
      'This project is not trusted any more (.ybs.json has changed), so these have no effect: the state of git. Trust it with: ybs trust',
    ],
    [
      'a changed project without parts with an effect',
      changed,
      [],
      'not trusted any more (.ybs.json has changed). Trust it with: ybs trust',
      'This project is not trusted any more (.ybs.json has changed). Trust it with: ybs trust',
    ],
    ['a damaged trust.json', { ...NOT_TRUSTED, problem: 'It is damaged.' }, GIT, 'It is damaged.', 'It is damaged.'],
  ];
  it.each(rows)('of %s', (_name, trust, ignored, inChat, inRun) => {
    const facts = { ...trust, ignored };
    expect([trustNotice(facts), runNotice(facts)]).toEqual([inChat, inRun]);
  });
});
