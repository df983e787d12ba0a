import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHECKS, type CheckName } from '../../../../mock-llm-server/scenario/format/checks.ts';
import { SCENARIO_FILE } from '../../../../mock-llm-server/scenario/format/scenario-file.data.ts';
import { parseScenarioFile } from '../../../../mock-llm-server/scenario/loading/parse.ts';
import {
  checkContent,
  fittingFile,
  readScenarioFile,
  readYamlScenarioFile,
} from '../../../../mock-llm-server/scenario/loading/read-file.ts';
import { conforms } from '../../../../src/schema/conforms.ts';
import { mutatedJson } from '../../../support/random/mutated-json.ts';
import { propertySettings } from '../../../support/random/property.ts';

const root = path.join(import.meta.dirname, '../../../..');
const textOf = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const stories = globSync('scenarios/*/scenario.json', { cwd: root }).sort().map(textOf);
const examples = globSync('{README.md,docs/**/*.md,scenarios/README.md}', { cwd: root }).sort().flatMap(examplesIn);

/** The JSON examples of a page that are scenario files, right or wrong. */
function examplesIn(page: string): readonly string[] {
  const texts = [...textOf(page).matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);
  return texts.filter((text) => text.includes('"scenarios"'));
}

const STEP = { response: { content: 'x' } };
/** A file with one scenario, which has other fields, beside other fields. */
const fileWith = (scenario: object, more: object = {}): string =>
  JSON.stringify({ scenarios: [{ name: 'a', trigger: 'a', steps: [STEP], ...scenario }], ...more });
const stepFile = (step: object): string => fileWith({ steps: [step] });
const withStep = (fields: object): string => stepFile({ ...STEP, ...fields });
const withTrigger = (trigger: object): string => fileWith({ trigger });
const withStory = (story: object): string => fileWith({}, { story: { prompts: ['a'], ...story } });

/** For each check, a file that only this check refuses. */
const REFUSED: Readonly<Record<CheckName, string>> = {
  templates: stepFile({ response: { content: '{{user}}' } }),
  default_templates: fileWith({}, { default_response: { content: '{{match.a}}' } }),
  regex: withTrigger({ model: { regex: '(' } }),
  result_condition: withTrigger({ tool_result: {} }),
  trigger: withTrigger({ text: 'a', regex: 'a' }),
  expected_result: withStep({ expect: { tool_result: {} } }),
  message_range: withStep({ expect: { messages: { min: 2, max: 1 } } }),
  expect: withStep({ expect: {} }),
  point: withStep({ fault: { reset: true, at: {} } }),
  fault: withStep({ fault: { times: 1 } }),
  list_files: stepFile({ intent: 'list_files' }),
  file: JSON.stringify({ scenarios: [] }),
  intents: fileWith({}, { intents: { write_file: 'fs_put(path)' } }),
  usage: stepFile({ response: { content: 'x', usage: { input_tokens: 1, cached_tokens: 2 } } }),
  response: stepFile({ response: {} }),
  native: stepFile({ response: { content: 'x', native: { protocol: 'openai-chat' } } }),
  timing: withStep({ timing: { speed: 2 } }),
  scenario: fileWith({ steps: [STEP, STEP] }),
  relative_path: withStory({ workspace: '/a' }),
  limits: withStory({ limits: {} }),
  forbid: withStory({ forbid: {} }),
};

/** The content as zod returns it; undefined for a file with a problem. */
function slowly(text: string): unknown {
  try {
    return parseScenarioFile(text, 'f.json');
  } catch {
    return undefined;
  }
}

function expectSame(text: string): void {
  expect(fittingFile(text)).toEqual(slowly(text));
}

describe('a scenario file that is read without zod', () => {
  it.each(stories.map((text, index) => [index, text] as const))(
    'has the value that zod returns: story %i',
    (_, text) => {
      expect(fittingFile(text)).toEqual(parseScenarioFile(text, 'f.json'));
    },
  );

  it.each(examples.map((text, index) => [index, text] as const))('has the verdict of zod: example %i', (_, text) => {
    expectSame(text);
  });

  it('is an example of the documentation', () => {
    expect(examples.filter((text) => fittingFile(text) !== undefined).length).toBeGreaterThan(15);
  });

  it.each(Object.entries(REFUSED))('is refused by the check %s, and without it only by zod', (name, text) => {
    expect(fittingFile(text)).toBeUndefined();
    expect(slowly(text)).toBeUndefined();
    const others = Object.entries(CHECKS).map(([each, { problems }]) => [
      each,
      { accepts: (value: unknown) => each === name || problems(value).length === 0 },
    ]);
    expect(conforms(JSON.parse(text), SCENARIO_FILE, Object.fromEntries(others))).toBe(true);
  });

  it.each([
    ['a repeated field', fileWith({}).replace('{"name"', '{"name":"a","name"')],
    [
      'a repeated field with an escape',
      stepFile({ intent: 'shell', command: 'a' }).replace('{"intent"', '{"\\u0069ntent":"shell","intent"'),
    ],
    [
      'a field named __proto__',
      withStep({ expect: { header: { a: 'b' } } }).replace('"a":"b"', '"a":"b","__proto__":"c"'),
    ],
    [
      'arguments with a field named __proto__',
      stepFile({ response: { tool_calls: [{ name: 'a', arguments: {} }] } }).replace(
        '"arguments":{}',
        '"arguments":{"__proto__":1}',
      ),
    ],
    ['text that is no JSON', '{"scenarios": ['],
    ['a list', '[]'],
    ['no object', '"a"'],
    [
      'too much nesting',
      stepFile({
        response: { tool_calls: [{ name: 'a', arguments: { a: JSON.parse(`${'['.repeat(99)}${']'.repeat(99)}`) } }] },
      }),
    ],
  ])('never has %s', (_name, text) => {
    expect(fittingFile(text)).toBeUndefined();
  });

  it.each([
    ['a byte order mark', `\uFEFF${withStep({})}`],
    ['quotation marks and colons in texts', stepFile({ response: { content: '"a": "b\\": \\' } })],
    ['spaces before colons', withStep({}).replaceAll('":', '" \n:')],
  ])('may have %s', (_name, text) => {
    expect(fittingFile(text)).toEqual(parseScenarioFile(text, 'f.json'));
    expect(fittingFile(text)).toBeDefined();
  });
});

const FIELDS = [
  'name intent response content tool_calls id arguments path pattern command text regex flags header is_error results',
  'expect waits_for fault timing finish usage status cut at stall reset times min max messages tool_result story limits',
  'forbid unknown',
].flatMap((names) => names.split(' '));

const sources = [...stories, ...examples.filter((text) => fittingFile(text) !== undefined), ...Object.values(REFUSED)];
const broken = mutatedJson(sources, FIELDS);

describe('changed scenario files', () => {
  it('have the verdict and the value of zod', () => {
    fc.assert(fc.property(broken, expectSame), propertySettings(120));
  });

  it('have another verdict without the named checks, and many of either verdict', () => {
    const texts = fc.sample(broken, propertySettings(400));
    const accepting = Object.fromEntries(Object.keys(CHECKS).map((name) => [name, { accepts: () => true }]));
    const verdicts = texts.map((text) => fittingFile(text) !== undefined);
    const unchecked = texts.map((text) => conforms(JSON.parse(text), SCENARIO_FILE, accepting));
    const accepted = verdicts.filter((verdict) => verdict).length;
    expect(accepted).toBeGreaterThan(texts.length / 20);
    expect(texts.length - accepted).toBeGreaterThan(texts.length / 20);
    expect(verdicts).not.toEqual(unchecked);
  });
});

describe('content of another origin', () => {
  it('of YAML has the value of the same JSON', async () => {
    const yaml = 'scenarios: [{ name: a, trigger: a, steps: [{ response: { content: x } }] }]\n';
    expect(await readYamlScenarioFile(yaml, 'f.yaml')).toEqual(fittingFile(withStep({})));
  });

  it('of YAML that is not JSON is refused', async () => {
    const yaml = 'scenarios: [{ name: a, trigger: { chance: .nan }, steps: [{ response: { content: x } }] }]\n';
    await expect(readYamlScenarioFile(yaml, 'f.yaml')).rejects.toThrow('$.scenarios[0].trigger.chance');
  });

  it('of a program is copied', async () => {
    const content = JSON.parse(withStep({}));
    const checked = await checkContent(content, 'scenarios[0]');
    content.scenarios[0].name = 'changed';
    expect(checked).toEqual(fittingFile(withStep({})));
  });

  it.each([
    ['a function', { content: () => 'x' }],
    ['a date', { content: new Date(0) }],
    ['a list with a hole', { tool_calls: new Array(1) }],
  ])('of a program is refused with %s', async (_name, response) => {
    await expect(checkContent(JSON.parse(withStep({})), 'f')).resolves.toBeDefined();
    const content = { scenarios: [{ name: 'a', trigger: 'a', steps: [{ response }] }] };
    await expect(checkContent(content, 'f')).rejects.toThrow('$.scenarios[0].steps[0]');
  });

  it('of a program may have fields that are undefined', async () => {
    const content = { scenarios: [{ name: 'a', trigger: 'a', cwd: undefined, steps: [STEP] }] };
    expect(await checkContent(content, 'f')).toEqual(fittingFile(withStep({})));
  });

  it('with a problem is explained', async () => {
    await expect(readScenarioFile('{"scenarios": 1}', 'f.json')).rejects.toThrow('f.json: $.scenarios: must be a list');
  });
});
