import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { MARKUPS } from '../../../mock-llm-server/weights/markups/markups.ts';
import { runMockMain } from '../../support/processes/run-main.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';

const STORIES = path.join(import.meta.dirname, '../../../scenarios');
const FILES = [
  'Modelfile',
  'chat_template.jinja',
  'config.json',
  'generation_config.json',
  'model.gguf',
  'model.safetensors',
  'tokenizer.json',
  'tokenizer_config.json',
];

/** The first reason why each of these stories cannot be compiled. */
const NOT_COMPILED: Readonly<Record<string, string>> = {
  'answer-without-tools': 'a chat template cannot test the condition "tool_result"',
  'calls-in-text-of-xnl': 'a chat template counts tool results, not results in texts',
  'context-overflow-compacts': 'weights cannot break an answer',
  'edit-and-run-tests': 'a chat template cannot test the condition "tool_result"',
  'long-conversation-compacts': 'the server counts tokens itself',
  'missing-call-id': 'weights cannot break an answer',
  'rate-limit-retry-after': 'weights cannot break an answer',
  'refused-system-message': 'weights cannot break an answer',
  'stream-cut-then-retry': 'weights cannot break an answer',
  'tasks-over-two-prompts': String.raw`/Tasks on your list are open:\s+\[x\] Set the version\s+\[ \] Write the notes\s+1/2\s/ is not a literal`,
  'tool-call-as-text': 'weights cannot break an answer',
  'write-hello': String.raw`/\bsay hello in (?<file>[\w./-]+\w)/ is not a literal`,
};

function sizeOf(directory: string): number {
  return readdirSync(directory).reduce((sum, name) => sum + statSync(path.join(directory, name)).size, 0);
}

describe('mock-llm-server weights', () => {
  it('names the file that cannot be written', async () => {
    const directory = temporaryDirectory();
    writeFiles(directory, { 'model/model.safetensors/a': '' });
    const story = path.join(STORIES, 'read-then-answer');
    const result = await runMockMain(['weights', story, '--out', 'model'], { directory });
    expect(result.stderr).toMatch(
      /^mock-llm-server: model\/model\.safetensors cannot be written: EISDIR.*\. The model is incomplete; choose another --out\.\n$/,
    );
    expect(result.code).toBe(1);
  });

  it('compiles 29 of the 41 bundled stories, each to less than 1 MB, and gives the reasons for the others', async () => {
    const directory = temporaryDirectory();
    const stories = readdirSync(STORIES).filter((name) => existsSync(path.join(STORIES, name, 'scenario.json')));
    const refused: Record<string, string> = {};
    for (const name of stories) {
      const out = path.join(directory, name);
      const { code, stderr } = await runMockMain(['weights', path.join(STORIES, name), '--out', out]);
      if (code === 0) {
        expect(readdirSync(out).toSorted(), name).toEqual(FILES);
        expect(sizeOf(out), name).toBeLessThan(1_000_000);
        continue;
      }
      expect(code, name).toBe(2);
      expect(existsSync(out), name).toBe(false);
      const [, reason = stderr] = /^mock-llm-server: .*?scenario\.json: \$\S+: (.*)$/m.exec(stderr) ?? [];
      refused[name] = reason;
    }
    expect(refused).toEqual(NOT_COMPILED);
    expect(stories.length - Object.keys(refused).length).toBe(29);
  });

  it.each(Object.keys(MARKUPS))('writes the same bytes each time, for several stories in %s', async (markup) => {
    const directory = temporaryDirectory();
    const stories = ['denied-twice', 'hello-world'].map((name) => path.join(STORIES, name));
    const write = (out: string) =>
      runMockMain(['weights', ...stories, '--out', out, '--markup', markup, '--context', '8192', '--partial'], {
        directory,
      });
    const first = await write('one');
    expect([first.code, first.stderr]).toEqual([0, '']);
    expect(first.stdout).toMatch(/^(left out: .*\n {2}fix: .*\n)*\d scenarios? in one\n$/);
    expect((await write('two')).code).toBe(0);
    for (const name of FILES) {
      const read = (out: string) => readFileSync(path.join(directory, out, name));
      expect(read('one').equals(read('two')), name).toBe(true);
    }
    const config = JSON.parse(readFileSync(path.join(directory, 'one/config.json'), 'utf8'));
    expect(config).toMatchObject({ architectures: ['LlamaForCausalLM'], max_position_embeddings: 8192 });
  });

  it('reports wrong usage, and a directory that cannot be written', async () => {
    const directory = temporaryDirectory();
    writeFiles(directory, { taken: 'a file' });
    const story = path.join(STORIES, 'hello-world');
    const run = async (...args: readonly string[]) => {
      const { code, stderr } = await runMockMain(['weights', ...args], { directory });
      return [code, stderr.split('\n')[0]];
    };
    expect(await run(story)).toEqual([2, 'mock-llm-server: weights needs the directory of the model: --out model']);
    expect(await run('--out', 'm')).toEqual([
      2,
      'mock-llm-server: weights needs at least one scenario file or story directory',
    ]);
    expect(await run(story, '--out', 'm', '--markup', 'x')).toEqual([
      2,
      'mock-llm-server: --markup must be hermes, llama3, qwen3-coder, mistral, deepseek or gpt-oss, not "x"',
    ]);
    expect(await run(story, '--out', 'm', '--context', '0')).toEqual([
      2,
      'mock-llm-server: --context must be an integer from 256 to 1048576, not "0"',
    ]);
    const unplayable = path.join(STORIES, 'write-hello');
    expect((await run(unplayable, '--out', 'm', '--partial'))[0]).toBe(2);
    expect((await run('missing', '--out', 'm'))[0]).toBe(2);
    expect(await run(story, '--out', 'taken/m')).toEqual([
      1,
      "mock-llm-server: No model can be written to taken/m (ENOTDIR: not a directory, mkdir 'taken/m'). Choose another --out.",
    ]);
    expect(await run(story, '--out', 'taken')).toEqual([1, expect.stringMatching(/taken \(EEXIST.*another --out\.$/)]);
  });
});
