import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runBin } from '../support/run-bin.ts';
import { temporaryDirectory, writeFiles } from '../support/temporary-directory.ts';

describe('ybs record', () => {
  it('writes nothing if a file of the workspace holds a secret', async () => {
    const directory = temporaryDirectory();
    writeFiles(directory, { 'config/.env': 'TOKEN=ghp_abcdefghijklmnopqrstuvwxyz0123456789\n' });
    const { code, stderr } = await runBin(['record', 'hello', 'hello world', '--provider', 'mock'], { directory });
    expect(code).toBe(1);
    expect(stderr).toContain('it still holds a GitHub token (workspace/config/.env)');
    expect(existsSync(path.join(directory, 'scenarios'))).toBe(false);
  });
});
