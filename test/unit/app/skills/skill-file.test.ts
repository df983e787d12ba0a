import { afterEach, describe, expect, it, vi } from 'vitest';
import { readSkill } from '../../../../src/app/skills/skill-file.ts';

const file = (fields: string, body = 'Do it.') => `---\n${fields}\n---\n${body}\n`;
const read = (text: string, folder = 'pdf') => {
  const { findings, ...skill } = readSkill(folder, text);
  return { ...skill, findings: findings.map(({ type, text }) => `${type}: ${text}`) };
};

/** Process warnings, such as those of the YAML library. */
const printed = ['log', 'warn', 'error', 'debug'].map((name) => vi.spyOn(console, name as 'log'));
const emitted = vi.spyOn(process, 'emitWarning');
afterEach(() => {
  for (const spy of [...printed, emitted]) expect(spy).not.toHaveBeenCalled();
});

const YAML_FAULT = 'fault: its fields are not valid YAML; put quotes around values such as those with ": "';

describe('the front matter of a skill', () => {
  // Forms of published skills. mattpocock/skills#907, anthropics/claude-code#78270, QwenLM/qwen-code#1528.
  it.each<readonly [string, string, string, readonly string[]]>([
    ['is plain', file('name: pdf\ndescription: Reads PDF files.'), 'Reads PDF files.', []],
    [
      'has an unquoted colon',
      file('name: pdf\ndescription: Use when: a PDF is named'),
      'Use when: a PDF is named',
      [YAML_FAULT],
    ],
    [
      'has an unquoted colon, quotes and a backslash',
      file('name: pdf\ndescription: Trigger: "fill C:\\forms" or \'merge\''),
      'Trigger: "fill C:\\forms" or \'merge\'',
      [YAML_FAULT],
    ],
    ['begins with a backquote', file('name: pdf\ndescription: `pdftk` for forms'), '`pdftk` for forms', [YAML_FAULT]],
    ['begins with an at sign', file('name: pdf\ndescription: @pdf tools'), '@pdf tools', [YAML_FAULT]],
    ['begins with a percent sign', file('name: pdf\ndescription: %PDF files'), '%PDF files', [YAML_FAULT]],
    ['begins with a bracket', file('name: pdf\ndescription: [WIP] Reads PDF'), '[WIP] Reads PDF', [YAML_FAULT]],
    ['begins with a star', file('name: pdf\ndescription: *.pdf files'), '*.pdf files', [YAML_FAULT]],
    [
      'has a quoted word first',
      file('name: pdf\ndescription: "PDF" files are read'),
      '"PDF" files are read',
      [YAML_FAULT],
    ],
    [
      'has a colon in another field',
      file('name: pdf\nlicense: MIT: see LICENSE\ndescription: Reads.'),
      'Reads.',
      [YAML_FAULT],
    ],
    [
      'has a colon in its metadata',
      file('name: pdf\nmetadata:\n  author: team: docs\ndescription: Reads.'),
      'Reads.',
      [YAML_FAULT],
    ],
    [
      'has a list in another field (vercel-labs/skills#1525)',
      file('name: pdf\ndescription: Reads.\nargument-hint: [action] — e.g. "list"'),
      'Reads.',
      [YAML_FAULT, 'fault: the format has no field argument-hint'],
    ],
    [
      'has brackets that are not a valid list in another field (pi#2913)',
      file('name: pdf\ndescription: Reads.\nargument-hint: [spec content, @file, ...]'),
      'Reads.',
      [YAML_FAULT, 'fault: the format has no field argument-hint'],
    ],
    [
      'has a colon in an item of a list',
      file('name: pdf\ndescription: Reads.\ntriggers:\n- a: b: c\n- d'),
      'Reads.',
      [YAML_FAULT, 'fault: the format has no field triggers'],
    ],
    [
      'continues without an indent',
      file('name: pdf\ndescription: Reads PDF\nfiles, too.'),
      'Reads PDF files, too.',
      [YAML_FAULT],
    ],
    ['is a comment of HTML', file('name: pdf\n<!-- note -->\ndescription: Reads.'), 'Reads.', [YAML_FAULT]],
    ['is a comment of JavaScript', file('// note\nname: pdf\ndescription: Reads.'), 'Reads.', [YAML_FAULT]],
    ['is a block with other spaces', file('name: pdf\ndescription: >\n\u00a0\u00a0Reads.'), 'Reads.', [YAML_FAULT]],
    ['has a sign of blocks first', file('name: pdf\ndescription: > Reads'), '> Reads', [YAML_FAULT]],
    ['has a placeholder first', file('name: pdf\ndescription: {{x}} reads'), '{{x}} reads', [YAML_FAULT]],
    ['begins with an invisible space', `\u200b${file('name: pdf\ndescription: Reads.')}`, 'Reads.', []],
    ['stands in a block of code', `\`\`\`md\n${file('name: pdf\ndescription: Reads.')}`, 'Reads.', []],
    ['ends like a document', file('name: pdf\ndescription: Reads.').replace('\n---\nDo', '\n...\nDo'), 'Reads.', []],
    ['has Windows line ends', file('name: pdf\ndescription: Reads.').replaceAll('\n', '\r\n'), 'Reads.', []],
    ['has CR line ends', file('name: pdf\ndescription: Reads.').replaceAll('\n', '\r'), 'Reads.', []],
    ['has a byte order mark', `\ufeff${file('name: pdf\ndescription: Reads.')}`, 'Reads.', []],
    [
      'has both, and an unquoted colon',
      `\ufeff${file('name: pdf\ndescription: Use when: asked').replaceAll('\n', '\r\n')}`,
      'Use when: asked',
      [YAML_FAULT],
    ],
    ['is folded', file('name: pdf\ndescription: >\n  Reads\n  PDF files.'), 'Reads PDF files.', []],
    [
      'is a folded text without its end',
      file('name: pdf\ndescription: >-\n  Reads: PDF\n  files.'),
      'Reads: PDF files.',
      [],
    ],
    [
      'is continued after a colon',
      file('name: pdf\ndescription: Use when: a\n  PDF: is named\nlicense: MIT'),
      'Use when: a PDF: is named',
      [YAML_FAULT],
    ],
    ...(
      [
        ['with one colon', '\n  Use when: a PDF is named', 'Use when: a PDF is named'],
        ['with two colons', '\n  Use when: a PDF\n  is named: always', 'Use when: a PDF is named: always'],
        ['behind an empty line', '\n\n  Use when: a PDF is named', 'Use when: a PDF is named'],
      ] as const
    ).map(([how, value, read]): [string, string, string, readonly string[]] => [
      `begins below its name, ${how}`,
      file(`name: pdf\ndescription:${value}\nlicense: MIT`),
      read,
      [YAML_FAULT],
    ]),
    [
      'begins below its name (octo-agent#1417)',
      file('name: pdf\ndescription:\n  Reads PDF\n  files: all of them.\nmetadata:\n  by: me'),
      'Reads PDF files: all of them.',
      [YAML_FAULT],
    ],
    [
      'has a tab in its metadata',
      file('name: pdf\ndescription: Reads.\nmetadata:\n\tauthor: team'),
      'Reads.',
      [YAML_FAULT],
    ],
    ['has a description twice', file('name: pdf\ndescription: Writes.\ndescription: Reads.'), 'Reads.', [YAML_FAULT]],
    ['is after empty lines (graphene#351)', `\n \n${file('name: pdf\ndescription: Reads.')}`, 'Reads.', []],
    [
      'is after comments (vercel-labs/skills#1324, agent-skills#275)',
      `<!-- made by x -->\n\n<!--\n---\n-->\n${file('name: pdf\ndescription: Reads.')}`,
      'Reads.',
      [],
    ],
    [
      'is after marks of another tool (bigpowers#109)',
      `# story: 12\n${file('name: pdf\ndescription: Reads.')}`,
      'Reads.',
      [],
    ],
    [
      'has no end line',
      '---\nname: pdf\ndescription: Reads.\n\nDo it.',
      'Reads.',
      ['fault: its fields have no end line ---'],
    ],
    [
      'has no end line, but a rule in its text',
      '---\nname: pdf\ndescription: Reads.\n\nDo it.\n---\n',
      'Reads.',
      ['fault: its fields have no end line ---'],
    ],
    ['is a block', file('name: pdf\ndescription: |-\n  Reads: PDF\n  files.'), 'Reads: PDF files.', []],
    ['continues in the next line', file('name: pdf\ndescription: Reads\n  PDF files.'), 'Reads PDF files.', []],
    [
      'hides instructions with tag characters, bidi controls and escapes',
      file(`name: pdf\ndescription: "Reads\u{e0041}\u{e0042}\u202e \\e[2J\u200bfiles"`),
      'Reads\\u{e0041}\\u{e0042}\\u{202e} \\u{1b}[2J\\u{200b}files',
      [],
    ],
  ])('%s', (_name, text, description, findings) => {
    expect(read(text)).toMatchObject({ name: 'pdf', description, findings, body: expect.stringContaining('Do it.') });
  });

  it.each<readonly [string, string, readonly string[]]>([
    ['an open list', file('name: pdf\nx: [\n  a\ndescription: Reads.'), ['fault: its fields are not valid YAML: ']],
    ['a list', '---\n- a\n---\nx', ['fault: its fields are not a list of "name: value"']],
    ['no front matter', 'Do it.', ['fault: it does not begin with fields between two lines ---']],
    ['a rule below a heading', '# Reads\n---\nPDF\n---\n', ['fault: it does not begin with fields']],
    ['front matter without an end or a field', '---\n# Reads\nNote: x\n', ['fault: it does not begin with fields']],
    ['no description', file('name: pdf'), ['fault: it has no description']],
    ['an empty description', file('name: pdf\ndescription: "  "'), ['fault: it has no description']],
    ['a description that is a list', file('name: pdf\ndescription: [a]'), ['fault: its description is not a string']],
    ['an alias bomb', file('a: &a [x,x]\nname: pdf\ndescription: *a'), ['fault: its fields are not valid YAML: ']],
  ])('cannot be used with %s', (_name, text, problems) => {
    const { description, findings } = read(text);
    expect(description).toBeUndefined();
    // A field that cannot be read is not reported as missing.
    expect(findings).toHaveLength(problems.length);
    for (const problem of problems) expect(findings).toContainEqual(expect.stringContaining(problem));
  });
});

describe('the fields of a skill', () => {
  it.each<readonly [string, string, string, readonly string[]]>([
    ['the folder', 'pdf', 'name: pdf', []],
    ['another folder', 'pdf', 'name: pdf-tools', ['fault: its name pdf-tools is not that of its folder, pdf']],
    [
      'capitals and spaces',
      'PDF Tools',
      'name: PDF Tools',
      ['fault: its name may have a-z, 0-9 and single hyphens between them only'],
    ],
    ['two hyphens', 'a--b', 'name: a--b', ['fault: its name may have a-z, 0-9 and single hyphens between them only']],
    ['a leading hyphen', '-a', 'name: -a', ['fault: its name may have a-z, 0-9 and single hyphens between them only']],
    ['64 characters', 'a'.repeat(64), `name: ${'a'.repeat(64)}`, []],
    ['65 characters', 'a'.repeat(65), `name: ${'a'.repeat(65)}`, ['fault: its name has more than 64 characters']],
    ['no name', 'pdf', 'license: MIT', ['fault: it has no name']],
    ['a number', '123', 'name: 123', ['fault: its name is not a string']],
  ])('are checked for a valid name: %s', (_name, folder, fields, findings) => {
    expect(read(file(`${fields}\ndescription: Reads.`), folder).findings).toEqual(findings);
  });

  it.each<readonly [string, string, readonly string[]]>([
    [
      'all fields of the format',
      'license: MIT\ncompatibility: Needs git\nmetadata:\n  version: "1.0"\nallowed-tools: Bash(git:*) Read',
      [],
    ],
    ['tools as a list', 'allowed-tools: [Bash, Read]', []],
    ['a description of 1,024 characters', `description: ${'a'.repeat(1_024)}`, []],
    [
      'a description of 1,025 characters',
      `description: ${'a'.repeat(1_025)}`,
      ['fault: its description has more than 1024 characters'],
    ],
    [
      'a long compatibility',
      `compatibility: ${'a'.repeat(501)}`,
      ['fault: its compatibility is not a string of at most 500 characters'],
    ],
    [
      'a number as compatibility',
      'compatibility: 3',
      ['fault: its compatibility is not a string of at most 500 characters'],
    ],
    ['a list as license', 'license: [MIT]', ['fault: its license is not a string']],
    [
      'numbers in the metadata',
      'metadata:\n  version: 1.0',
      ['fault: its metadata is not a mapping of strings to strings; put quotes around numbers'],
    ],
    [
      'a text as metadata',
      'metadata: x',
      ['fault: its metadata is not a mapping of strings to strings; put quotes around numbers'],
    ],
    [
      'a mapping as tools',
      'allowed-tools: {a: b}',
      ['fault: its allowed-tools is neither a string nor a list of strings'],
    ],
    ['a field of another agent', 'model: opus', ['fault: the format has no field model']],
  ])('are read: %s', (_name, fields, findings) => {
    const description = fields.startsWith('description') ? '' : '\ndescription: Reads.';
    expect(read(file(`name: pdf\n${fields}${description}`)).findings).toEqual(findings);
  });

  // A field of Claude Code and Cursor. agentskills/agentskills#236, anomalyco/opencode#34498, rikkahub/rikkahub#1763.
  it.each([
    ['true', true],
    ['"True"', true],
    ['false', false],
    ['null', false],
  ])('say with disable-model-invocation: %s whether only the user chooses the skill', (written, isOnly) => {
    const { isForUser, findings } = read(file(`name: pdf\ndescription: Reads.\ndisable-model-invocation: ${written}`));
    expect(isForUser).toBe(isOnly);
    expect(findings).toEqual(['fault: the format has no field disable-model-invocation']);
  });

  it('are listed with the allowed tools, and with a note about a text that is too long or missing', () => {
    expect(read(file('name: pdf\ndescription: x\nallowed-tools: [Bash, Read]')).allowedTools).toBe('Bash, Read');
    expect(read(file('name: pdf\ndescription: x', '')).findings).toEqual(['note: it has no text']);
    expect(read(file('name: pdf\ndescription: x', 'line\n'.repeat(501))).findings).toEqual([
      'note: its text has more than 500 lines',
    ]);
    expect(read(file('name: pdf\ndescription: x', 'word '.repeat(4_000))).findings).toEqual([
      expect.stringMatching(/^note: its text has about \d+ tokens; at most 5000 are recommended$/),
    ]);
  });
});
