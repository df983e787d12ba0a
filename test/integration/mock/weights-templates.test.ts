import path from 'node:path';
import { Template } from '@huggingface/jinja';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadScenarioFiles, nodeScenarioFiles } from '../../../mock-llm-server/scenario/loading/load.ts';
import { type MockLlm, startMockLlm } from '../../../mock-llm-server/testing.ts';
import { MARKUPS } from '../../../mock-llm-server/weights/markups/markups.ts';
import { readScript } from '../../../mock-llm-server/weights/script/read-script.ts';
import { writeJinjaTemplate } from '../../../mock-llm-server/weights/templates/jinja-template.ts';
import { marksOf } from '../../../mock-llm-server/weights/templates/marks.ts';
import { askForAnswer, describeAnswer } from '../../support/weights/ask-for-answer.ts';
import { HISTORIES, TOOL } from '../../support/weights/histories.ts';

const SCENARIOS = path.join(import.meta.dirname, '../../real/scenarios/templates.json');

let mock: MockLlm;
/** The model of each markup: its chat template, and the answer that belongs to each mark at the end of a prompt. */
let models: readonly {
  readonly name: string;
  readonly template: Template;
  readonly answers: ReturnType<typeof marksOf>;
}[];

beforeAll(async () => {
  mock = await startMockLlm({ scenarios: SCENARIOS });
  const files = await loadScenarioFiles([SCENARIOS], nodeScenarioFiles);
  models = Object.entries(MARKUPS).map(([name, markup]) => {
    const { script } = readScript(files, { dialect: 'ybs', markup, partial: false });
    const template = new Template(writeJinjaTemplate(script, markup, 'Scenarios.'));
    return { name, template, answers: marksOf(script) };
  });
});
afterAll(() => mock.close());

// The engine of Hugging Face, which differs from that of llama.cpp: npm run test:real checks the same with the servers.
describe('the Jinja templates of a model, one for each markup', () => {
  it.each([...HISTORIES])('choose the answer of the mock for %s', async (_name, messages) => {
    const expected = await askForAnswer(
      { wire: 'openai-chat', endpoint: `${mock.url}/v1`, model: 'mock-model' },
      messages,
    );
    const found = models.map(({ name, template, answers }) => {
      const prompt = template.render({ messages, tools: [TOOL], add_generation_prompt: true });
      const chosen = answers.find(({ mark }) => prompt.endsWith(mark))?.answer;
      return [
        name,
        chosen &&
          describeAnswer(
            chosen.content,
            chosen.calls.map((call) => call.arguments),
          ),
      ];
    });
    expect(found).toEqual(models.map(({ name }) => [name, expected]));
  });
});
