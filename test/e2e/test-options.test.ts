import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startBin } from '../support/processes/run-bin.ts';
import { writeFiles } from '../support/processes/temporary-directory.ts';
import { writeWritingStory, writingScenario } from '../support/stories/writing-story.ts';

describe('ybs test --watch', () => {
  it('plays again after a change, reports an invalid file, and ends with 130 after Ctrl-C', async () => {
    const directory = writeWritingStory('new\n', { 'one/expected/a.txt': 'old\n' });
    const running = startBin(['test', '--watch', 'one'], { directory });
    await running.waitFor('waiting for a change');
    expect(running.stdout()).toMatch(/0 passed, 1 failed\n/);
    writeFiles(directory, { 'one/expected/a.txt': 'new\n' });
    await running.waitFor('waiting for a change', 2);
    expect(running.stdout()).toMatch(/1 passed, 0 failed\nwaiting .*\n$/);
    writeFiles(directory, { 'one/scenario.json': '{' });
    await running.waitFor('waiting for a change', 3);
    expect(running.stdout()).toMatch(/scenario\.json: .*\nwaiting .*\n$/s);
    writeFiles(directory, { 'one/scenario.json': writingScenario('new\n') });
    // A file may be seen while it is empty, so that its mistake is reported twice.
    await running.waitFor('1 passed, 0 failed', 2);
    running.signal('SIGINT');
    expect((await running.ended).code).toBe(130);
  });

  it('watches the script of another agent', async () => {
    const directory = writeWritingStory('new\n', { 'one/expected/a.txt': 'new\n', 'agent.mjs': 'process.exit(3);\n' });
    const running = startBin(['test', '--watch', '--agent', `"${process.execPath}" agent.mjs {prompt}`, 'one'], {
      directory,
    });
    await running.waitFor('waiting for a change');
    expect(running.stdout()).toContain('the exit code is 3');
    const sample = path.join(import.meta.dirname, '../support/stories/sample-agent.mjs');
    writeFiles(directory, { 'agent.mjs': `await import(${JSON.stringify(sample)});\n` });
    await running.waitFor('waiting for a change', 2);
    expect(running.stdout()).toMatch(/1 passed, 0 failed\nwaiting .*\n$/);
    running.signal('SIGINT');
    expect((await running.ended).code).toBe(130);
  });
});
