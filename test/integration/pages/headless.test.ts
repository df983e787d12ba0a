import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { StreamJsonLineSchema } from '../../support/hosts/stream-json-schema.ts';
import { runMain } from '../../support/processes/run-main.ts';

const page = readFileSync(path.join(import.meta.dirname, '../../../docs/headless.md'), 'utf8');
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, text = '']) => text.trim());

const [one = '', conversation = ''] = blocks('sh');
const [oneOutput = '', conversationOutput = ''] = blocks('text');
const [messages = ''] = blocks('json');

async function run(command: string, input = ''): Promise<readonly unknown[]> {
  const words = command.replace(/ < \S+$/, '').match(/"[^"]*"|\S+/g) ?? [];
  const args = words.slice(1).map((word) => word.replaceAll('"', ''));
  const { stdout } = await runMain(args, { input });
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => StreamJsonLineSchema.parse(JSON.parse(line)));
}

const linesOf = (text: string): readonly unknown[] => text.split('\n').map((line): unknown => JSON.parse(line));

describe('docs/headless.md', () => {
  it('shows what one message prints', async () => {
    expect(await run(one)).toMatchObject(linesOf(oneOutput));
  });

  it('shows what a conversation prints', async () => {
    expect(conversation).toMatch(/ < messages\.jsonl$/);
    const lines = await run(conversation, `${messages}\n`);
    // Answers to control requests come at once, whatever the run does.
    const isControl = (line: unknown) => JSON.stringify(line).startsWith('{"type":"control_');
    const sorted = [...lines.filter(isControl), ...lines.filter((line) => !isControl(line))];
    expect(sorted).toMatchObject(linesOf(conversationOutput));
  });
});
