import { describe, expect, it } from 'vitest';
import { readAgent } from '../../../../src/app/extensions/agent-file.ts';
import { expandCommand, readCommand } from '../../../../src/app/extensions/command-file.ts';
import { isUsableName } from '../../../../src/app/extensions/frontmatter.ts';
import { SHIPPED_COMMANDS } from '../../../../src/app/extensions/shipped-commands.ts';

const agent = (text: string) => readAgent('reviewer', 'a.md', text);

describe('the file of an agent', () => {
  it.each<readonly [string, string, object]>([
    ['has only a text', 'Be strict.\n', { name: 'reviewer', prompt: 'Be strict.' }],
    [
      'has all fields, and others',
      '---\nname: strict\ndescription: Looks at changes\ntools: [read_file, Grep]\nmodel: small\ncolor: red\n---\n\nBe strict.\n',
      {
        name: 'strict',
        description: 'Looks at changes',
        tools: ['read_file', 'Grep'],
        model: 'small',
        prompt: 'Be strict.',
      },
    ],
    ['names tools with commas', '---\ntools: Read, Grep,, Bash\n---\nx', { tools: ['Read', 'Grep', 'Bash'] }],
    ['names no tool', '---\ntools: []\n---\nx', { tools: [] }],
    ['leaves fields empty', '---\ntools:\nmodel:\ndescription:\n---\nx', { prompt: 'x' }],
    ['inherits the model', '---\nmodel: inherit\n---\nx', { prompt: 'x' }],
    ['has empty fields', '---\n---\nx', { prompt: 'x' }],
    [
      'has Windows line ends and a byte order mark',
      '\ufeff---\r\nname: a\r\n---\r\nx\r\ny',
      { name: 'a', prompt: 'x\ny' },
    ],
    ['begins with a horizontal rule', '----\nname: a\n', { prompt: '----\nname: a' }],
    ['has a description of several lines', '---\ndescription: |\n  one\n  two\n---\nx', { description: 'one two' }],
    [
      'has hidden characters',
      '---\ndescription: "a\\e[2Jb"\n---\nx\u200by\u202e',
      {
        description: 'a\\u{1b}[2Jb',
        prompt: 'x\\u{200b}y\\u{202e}',
      },
    ],
    [
      'has fields named like properties of every object',
      '---\n__proto__: {name: evil}\nconstructor: x\n---\nx',
      { name: 'reviewer' },
    ],
  ])('%s', (_name, text, expected) => {
    expect(agent(text)).toMatchObject({ path: 'a.md', ...expected });
  });

  it.each<readonly [string, string, string]>([
    ['no text', '---\nname: a\n---\n', 'it has no text for the model'],
    [
      'a name with an escape',
      '---\nname: "a\\e[2J"\n---\nx',
      'its name may have letters, digits, ".", "_" and "-" only',
    ],
    ['a name with a path', '---\nname: ../a\n---\nx', 'its name may have'],
    ['a name that is a list', '---\nname: [a]\n---\nx', 'its name may have'],
    ['tools that are a mapping', '---\ntools: {a: b}\n---\nx', 'its tools are neither a list nor names'],
    ['tools that are numbers', '---\ntools: [1]\n---\nx', 'its tools are neither a list nor names'],
    ['fields that are a list', '---\n- a\n---\nx', 'its fields are not a list of "name: value"'],
    ['broken YAML', '---\na: [\n---\nx', 'its fields are not valid YAML: '],
    ['an alias', '---\na: &a [x]\nb: *a\n---\nx', 'its fields are not valid YAML: '],
  ])('is rejected with %s', (_name, text, problem) => {
    expect(() => agent(text)).toThrow(problem);
  });
});

describe('the name of an extension', () => {
  it.each(['a', 'A1', 'größe', 'a.b-c_d', 'x'.repeat(64)])('may be %j', (name) =>
    expect(isUsableName(name)).toBe(true),
  );
  it.each(['', '.a', '-a', 'a b', 'a/b', 'a:b', 'a\n', 'a\u200b', 'x'.repeat(65), '$x'])('may not be %j', (name) => {
    expect(isUsableName(name)).toBe(false);
  });
});

describe('the file of a command', () => {
  it('gives a command its name, and its fields', () => {
    const text = '---\ndescription: Plan it\nargument-hint: <topic>\nallowed-tools: Bash\n---\nPlan $1.';
    expect(readCommand('dev/plan.md', 'p', text)).toEqual({
      ...{ name: 'dev:plan', description: 'Plan it', argument: '<topic>', body: 'Plan $1.', path: 'p' },
    });
  });

  it.each([
    ['a b.md', 'x', 'its path may have letters'],
    ['.a/b.md', 'x', 'its path may have letters'],
    ['dev:plan.md', 'x', 'its path may have letters'],
    ['a.md', ' ', 'it has no text for the model'],
  ])('%j is rejected', (relative, text, problem) => {
    expect(() => readCommand(relative, 'p', text)).toThrow(problem);
  });

  it.each([
    ['Plan it.', '', 'Plan it.'],
    ['Plan it.', 'soon', 'Plan it.\n\nsoon'],
    ['Plan $ARGUMENTS now.', 'a  "b c"', 'Plan a  "b c" now.'],
    ['$1 and $2 and $3.', 'a "b c"', 'a and b c and .'],
    ['$2$1 $10', "a 'b c'", 'b ca '],
    ['$ARGUMENTS', '', ''],
    ['$1 costs $0, $ and $x', '$ARGUMENTS', '$ARGUMENTS costs $0, $ and $x'],
    ['$ARGUMENTSX', 'a', '$ARGUMENTSX\n\na'],
    ['$1', '$&', '$&'],
  ])('%j with the arguments %j becomes %j', (body, argument, expected) => {
    expect(expandCommand({ body }, argument)).toBe(expected);
  });
});

it('ybs has a command that drafts AGENTS.md', () => {
  expect(SHIPPED_COMMANDS.map(({ name }) => name)).toEqual(['init', 'review']);
  expect(SHIPPED_COMMANDS[0]?.body).toMatch(/^Write AGENTS\.md/);
});
