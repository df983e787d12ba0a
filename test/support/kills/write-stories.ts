import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { replaceStory, writeStory } from '../../../mock-llm-server/record/story-directory.ts';

// Writes longer and longer versions of a story until the process is killed: `node write-stories.ts MODE DIRECTORY`.
const [mode, directory = ''] = process.argv.slice(2);

/** Writes the files one after the other in place, which a recorder must not do. The kill test must detect it. */
async function writeInPlace(target: string, files: ReadonlyMap<string, string>): Promise<void> {
  await mkdir(target, { recursive: true });
  for (const [name, text] of files) await writeFile(path.join(target, name), text);
}

const write = mode === 'extend' ? writeStory : mode === 'replace' ? replaceStory : writeInPlace;
process.stdout.write('ready\n');
for (let version = 1; ; version++) {
  const step = { response: { content: `${version} ${'x'.repeat(50_000)}` } };
  const steps = Array.from({ length: version }, () => ({ scenario: 'a', step: 0, parts: [] }));
  const lines = Array.from({ length: version }, (_, index) => JSON.stringify({ request: index, text: step }));
  await write(
    directory,
    new Map([
      ['scenario.json', JSON.stringify({ scenarios: [{ name: 'a', trigger: 'a', version, steps: [step] }] })],
      ['prompt.lock.json', JSON.stringify({ version: 1, agent: 'any', volatile: [], steps })],
      ['recording.jsonl', `${lines.join('\n')}\n`],
    ]),
  );
}
