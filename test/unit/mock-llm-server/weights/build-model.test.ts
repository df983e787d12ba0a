import { describe, expect, test } from 'vitest';
import { buildModel } from '../../../../mock-llm-server/weights/build-model.ts';
import { MARKUPS } from '../../../../mock-llm-server/weights/markups/markups.ts';
import { type Script, textAnswer } from '../../../../mock-llm-server/weights/script/script.ts';
import { markOf } from '../../../../mock-llm-server/weights/templates/marks.ts';
import { readGguf } from '../../../support/wires/read-gguf.ts';

const place = { file: 's.json', path: '$.scenarios[0].steps[0]' };
const trigger = { text: 'a', ignoresCase: true, start: 'any', end: 'any' } as const;
const END = '<|im_end|>';

/** The texts of the tokens that follow a mark, by the arithmetic of a Llama without attention and feed-forward. */
function generate(file: Uint8Array, mark: string, maxTokens = 1000): string[] {
  const { metadata, tensors } = readGguf(file);
  const tokens = textsOf(metadata.get('tokenizer.ggml.tokens'));
  const embedding = tensors.get('token_embd.weight')?.values ?? [];
  const output = tensors.get('output.weight')?.values ?? [];
  const size = embedding.length / tokens.length;
  const generated: string[] = [];
  let token = tokens.indexOf(mark);
  while (generated.length < maxTokens) {
    const hidden = embedding.slice(token * size, (token + 1) * size);
    const scale = Math.sqrt(hidden.reduce((sum, value) => sum + value * value, 0) / size + 1e-6);
    const logits = tokens.map((_, index) =>
      hidden.reduce((sum, value, element) => sum + (value / scale) * (output[index * size + element] ?? 0), 0),
    );
    token = logits.reduce((best, logit, index) => (logit > (logits[best] ?? 0) ? index : best), 0);
    const text = tokens[token] ?? '';
    if (text === END) break;
    generated.push(text);
  }
  return generated;
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** The text of tokens in the byte-level encoding of GPT-2. */
function decode(tokens: readonly string[]): string {
  const bytes: number[] = [];
  let next = 0x100;
  const table = new Map<string, number>();
  for (let byte = 0; byte < 256; byte++) {
    const isPrintable = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
    table.set(String.fromCodePoint(isPrintable ? byte : next++), byte);
  }
  for (const token of tokens) for (const character of token) bytes.push(table.get(character) ?? Number.NaN);
  return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes));
}

function scriptOf(...contents: readonly string[]): Script {
  const steps = contents.map((content, results) => ({ results, answer: textAnswer(content), place }));
  return {
    scenarios: [{ name: 's', triggers: [trigger], steps }],
    unmatched: textAnswer('?'),
    pastLastStep: textAnswer('!'),
  };
}

function ggufOf(script: Script): Uint8Array {
  return (
    buildModel(script, { markup: 'hermes', tokenizer: 'bytes', context: 4096 }).get('model.gguf') ?? new Uint8Array()
  );
}

describe('the weights of a script', () => {
  test('go on for ever after an endless answer, with a token of a type that neither llama.cpp nor Ollama shows', () => {
    const endless = { ...textAnswer('a b'), isEndless: true };
    const file = ggufOf({ ...scriptOf(), unmatched: endless });
    const [text, ...others] = generate(file, '<|unmatched|>', 50);
    expect([text, ...new Set(others)]).toEqual(['a\u0120b', '<|endless|>']);
    const { metadata } = readGguf(file);
    const types = textsOf(metadata.get('tokenizer.ggml.token_type'));
    expect(types[textsOf(metadata.get('tokenizer.ggml.tokens')).indexOf('<|endless|>')]).toBe('5');
  });

  const texts = [
    'Hello, world.',
    'Hello, world. And more: Hello, world.',
    'Hello',
    'H',
    '',
    'Ünïcödé 🎉 日本語! "quotes" \\ back\\slashes\n\n\ttabs',
    'a'.repeat(3000),
    'ab '.repeat(2000),
    'The same sentence ends here. The same sentence ends here. The same sentence ends here.',
    '!!',
    '<|im_end|> is only text here',
    '<|im_end|>',
    '<|unmatched|>',
    '<|scenario-0-0|>',
    '</s>',
    '<|endoftext|>',
    '_<EOT>',
    '<b>bold</b> <i>italic</i>',
    JSON.stringify({ path: 'a.txt', content: 'x\n'.repeat(500) }),
  ];
  const file = ggufOf(scriptOf(...texts));

  test.each(texts.map((text, step) => [text.slice(0, 30), step, text]))('play %j', (_name, step, text) => {
    const tokens = generate(file, markOf(0, step));
    expect(decode(tokens)).toBe(text);
    // llama.cpp 11434 takes some of these texts as the end of an answer if they are a token of whatever type.
    expect(tokens.filter((token) => /^\S?<[^<>]*>$/.test(token))).toEqual([]);
    expect(tokens.length).toBeLessThanOrEqual(205);
  });

  test('have the marks of reasoning and of a call as tokens', () => {
    const calls = [{ name: 'read_file', arguments: '{}' }];
    const answer = { ...textAnswer('I read.'), reasoning: 'I must think.', calls };
    const [scenario] = scriptOf('').scenarios;
    const script = {
      ...scriptOf(''),
      scenarios: scenario ? [{ ...scenario, steps: [{ results: 0, answer, place }] }] : [],
    };
    const tokens = generate(ggufOf(script), markOf(0, 0));
    expect(tokens).toEqual(expect.arrayContaining(['<think>', '</think>', '<tool_call>', '</tool_call>']));
    expect(decode(tokens)).toBe(MARKUPS.hermes.write(answer));
  });

  test('have the token that the parser for Llama 3 of vLLM 0.32 wants to find', () => {
    const model = buildModel(scriptOf('Hello'), { markup: 'llama3', tokenizer: 'bytes', context: 4096 });
    expect(new TextDecoder().decode(model.get('tokenizer.json'))).toContain('"<|python_tag|>":');
  });

  test('write reasoning in the markup of gpt-oss without its mark of an end as a token', () => {
    const answer = { ...textAnswer('I say.'), reasoning: 'Hm.' };
    const script = { ...scriptOf(''), scenarios: [] };
    const model = buildModel(
      { ...script, scenarios: [{ name: 's', triggers: [trigger], steps: [{ results: 0, answer, place }] }] },
      { markup: 'gpt-oss', tokenizer: 'bytes', context: 4096 },
    );
    const tokens = generate(model.get('model.gguf') ?? new Uint8Array(), markOf(0, 0));
    expect(decode(tokens)).toBe(MARKUPS['gpt-oss'].write(answer));
    expect(tokens).not.toContain('<|end|>');
  });

  test('cannot end one text of one character in two ways, which is an error with file and step', () => {
    const endless = { ...textAnswer('a'), isEndless: true };
    const [scenario] = scriptOf('a').scenarios;
    const steps = [...(scenario?.steps ?? []), { results: 1, answer: endless, place }];
    const script = { ...scriptOf(''), scenarios: scenario === undefined ? [] : [{ ...scenario, steps }] };
    expect(() => ggufOf(script)).toThrow('s.json: $.scenarios[0].steps[0]: other answers of the model use all pieces');
  });

  test('are the same bytes for the same script', () => {
    expect(ggufOf(scriptOf(...texts))).toEqual(file);
  });
});
