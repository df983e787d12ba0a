import { describe, expect, it } from 'vitest';
import { parseYaml } from '../../../../mock-llm-server/scenario/loading/parse-yaml.ts';

const text = `scenarios:
  - name: greeting
    trigger: &words hello
    steps:
      - response:
          content: |
            Two
            lines
default_response: { content: *words }
`;

describe('parseYaml', () => {
  it('reads block strings, flow maps and aliases', () => {
    expect(parseYaml(text, 'a.yaml').value).toEqual({
      scenarios: [{ name: 'greeting', trigger: 'hello', steps: [{ response: { content: 'Two\nlines\n' } }] }],
      default_response: { content: 'hello' },
    });
  });

  it.each([
    [['scenarios', 0, 'name'], 2],
    [['scenarios', 0, 'steps', 0, 'response', 'content'], 6],
    [['scenarios', 0, 'steps', 0, 'nothing', 'here'], 5],
    [['default_response'], 9],
    [['nowhere'], 1],
    [[], 1],
  ])('locates the value at %j in line %i', (path, line) => {
    expect(parseYaml(text, 'a.yaml').lineOf(path)).toBe(line);
  });

  it.each([
    ['a key used twice', 'a: 1\na: 2\n', 'a.yaml: line 2, column 1: not valid YAML: Map keys must be unique'],
    ['a tag nobody knows', 'a: !secret b\n', 'a.yaml: line 1, column 4: not valid YAML: Unresolved tag: !secret'],
    [
      'two documents',
      'a: 1\n---\nb: 2\n',
      'a.yaml: line 2, column 1: not valid YAML: Source contains multiple documents',
    ],
    ['an unknown alias', 'a: *b\n', 'a.yaml: not valid YAML: Unresolved alias'],
    ['a flow map without end', 'a: {\n', 'a.yaml: line 2, column 1: not valid YAML: Flow map'],
  ])('refuses %s', (_name, source, message) => {
    expect(() => parseYaml(source, 'a.yaml')).toThrow(message);
  });

  it('refuses aliases that multiply a small file into a huge value', () => {
    const levels = Array.from({ length: 9 }, (_, level) => {
      const item = level === 0 ? 'x' : `*a${level - 1}`;
      return `- &a${level} [${Array(10).fill(item).join(', ')}]`;
    });
    expect(() => parseYaml(levels.join('\n'), 'bomb.yaml')).toThrow(/bomb\.yaml: .*not valid YAML: Excessive alias/);
  });
});
