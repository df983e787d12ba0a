import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { convertForeignFiles } from '../../../../../mock-llm-server/record/convert/convert-file.ts';
import { checkContent } from '../../../../../mock-llm-server/scenario/loading/read-file.ts';

const FIXTURES = path.join(import.meta.dirname, 'fixtures');

/** Files as other tools wrote them: the trigger of the scenario, the first words and calls of each step, and notes. */
const FILES: Readonly<Record<string, readonly [trigger: string, steps: readonly string[], notes?: readonly string[]]>> =
  {
    'vcrpy-tool-use.yaml': ['What is 1231', ['multiply', 'The result o']],
    'vcrpy-parsed-body.yaml': ['What is the capital of France?', ['The capital']],
    'vcrpy-python-names.yaml': ["What's the powerhouse of the cell?", ['Mitochondria']],
    'vcrpy-event-stream.yaml': ['What is the most popular song on WZPZ?', ['top_song']],
    'ruby-vcr-binary.yml': ['Tell me about the weather.', ['The weather']],
    'vcr-unpaired.yml': [
      "What's the weather in NYC and what's 5 plus 3?",
      ['get_weather calculate', 'The current'],
      ['Request 2 has results that do not fit its calls, so only --lint warn accepts it.'],
    ],
    'reqllm.json': ['Use the add tool to compute 2 + 3.', ['add']],
    'go-vcr-vertex.yaml': ['Generate information about a person', ['Person']],
    'langchain-tests.yaml.gz': ['What is the weather in San Francisco', ['get_weather', 'The weather']],
    'polly.har': ['Tell me a joke about OpenTelemetry', ["Sure, here's"]],
    'nock-json.txt': ["What's the weather like in San Francisco", ['<thinking> T get_weather']],
    'nock-binary.txt': ['What is the capital of France?', ['The capital']],
    'mitmproxy.flow': [
      'What is the weather in Rome?',
      ['I look. get_weather'],
      ['flow 3: GET /v1/models is not a request for an answer of a model.', 'Request 2 is in no scenario: it equals'],
    ],
    'litellm.jsonl': ['What is the weather in Rome?', ['I look. get_weather', 'It is sunny']],
  };

it.each(Object.entries(FILES))('converts %s', async (file, [trigger, steps, notes = []]) => {
  const converted = await convertForeignFiles([path.join(FIXTURES, file)]);
  expect(JSON.stringify(converted.scenarios[0]?.trigger)).toContain(trigger);
  expect(converted.scenarios).toHaveLength(1);
  expect(converted.prompts?.at(-1)).toContain(trigger);
  const written = converted.scenarios[0]?.steps.map((step) => {
    if (!('response' in step)) return 'intent';
    const { content, tool_calls: calls = [] } = step.response;
    const names = calls.map((call) => ('name' in call ? String(call.name) : '?'));
    return [
      String(content ?? '')
        .slice(0, 12)
        .trim(),
      ...names,
    ]
      .filter((part) => part !== '')
      .join(' ');
  });
  expect(written).toEqual(steps);
  expect(converted.notes).toEqual(notes.map((note) => expect.stringContaining(note)));
  await checkContent({ scenarios: converted.scenarios }, file);
});

it('converts each file of the folder', async () => {
  const files = await readdir(FIXTURES);
  expect(Object.keys(FILES).toSorted()).toEqual(files.filter((file) => file !== 'README.md').toSorted());
});
