import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { WIRE_NAMES } from '../../../src/providers/wires.ts';
import { parseEvents } from '../../support/agent/published-schema.ts';
import { runMain } from '../../support/processes/run-main.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';
import { serveScenarios } from '../../support/wires/serve-scenarios.ts';

const SECRET = 'hunter2-hunter2-hunter2';
const content = `${Array.from({ length: 40 }, (_, row) => `row ${row} – 漢字 🙂 "x"`).join('\n')}\n${SECRET}\n`;
const write = { name: 'write_file', arguments: { path: 'src/a.ts', content } };
const text = `<tool_call>${JSON.stringify(write)}</tool_call>`;
const done = { response: { content: 'Done.' } };

const served = serveScenarios([
  { name: 'a', trigger: 'as a call', steps: [{ response: { content: 'I write', tool_calls: [write] } }, done] },
  {
    name: 'b',
    trigger: 'as text',
    steps: [{ response: { content: `I write\n${text}` }, results: 1 }, done],
  },
]);

/** The calls of a run as they were written, and the run of the built-in tool. */
async function run(prompt: string, llm: object) {
  const directory = temporaryDirectory();
  const config = path.join(temporaryDirectory(), 'config.json');
  writeFileSync(config, JSON.stringify({ llm: { provider: 'mock', endpoint: served.url, ...llm } }));
  const args = [
    '--config',
    config,
    '--permission-mode',
    'full-access',
    '--no-sandbox',
    '--output-format',
    'json',
    prompt,
  ];
  const { stdout } = await runMain(args, { directory, environment: { OPENAI_API_KEY: SECRET } });
  const events = parseEvents(stdout);
  return {
    stdout,
    types: events.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1]),
    pieces: events.flatMap((event) => (event.type === 'tool_call_delta' ? [event] : [])),
    file: readFileSync(path.join(directory, 'src/a.ts'), 'utf8'),
  };
}

describe('a call that the model is writing', () => {
  it.each(WIRE_NAMES)('is reported over %s, without secrets, between the text and the whole answer', async (wire) => {
    const { stdout, types, pieces, file } = await run('as a call', { api_kind: wire });
    expect(file).toBe(content);
    expect(stdout).not.toContain(SECRET);
    const order = types.slice(types.indexOf('text_delta'), types.indexOf('tool_call') + 1);
    expect(order).toEqual(['text_delta', 'tool_call_delta', 'usage', 'assistant_message', 'tool_call']);
    // Two wires have whole calls only.
    const isWhole = wire === 'gemini' || wire === 'ollama-chat';
    expect(pieces.length).toBeGreaterThan(isWhole ? 0 : 50);
    const last = pieces.at(-1)?.written;
    expect(last).toMatchObject({
      name: 'write_file',
      effect: 'write',
      path: 'src/a.ts',
      tail: expect.stringMatching(/\[redacted:[^\]]+\]\n$/),
    });
    const sizes = pieces.map(({ written }) => written?.size ?? 0);
    expect(sizes).toEqual([...sizes].sort((one, other) => one - other));
  });

  it.each(WIRE_NAMES)('as text is reported over %s before it is recovered as a call', async (wire) => {
    const { pieces, file } = await run('as text', { api_kind: wire });
    expect(file).toBe(content);
    const held = pieces.filter(({ callId }) => callId === undefined);
    expect(held.length).toBeGreaterThan(50);
    expect(held.at(-1)?.written).toMatchObject({ name: 'write_file', effect: 'write', path: 'src/a.ts' });
    expect(pieces.at(-1)).toMatchObject({ callId: expect.any(String), name: 'write_file' });
  });
});
