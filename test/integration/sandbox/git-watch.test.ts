import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { putBackGitFiles, readGitFiles } from '../../../src/node/sandbox/git-watch.ts';
import { createNodeShell } from '../../../src/node/shell/node-shell.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';
import { missingSandbox } from '../../support/sandbox/require-sandbox.ts';
import { BASH, confine, plainEnvironment } from '../../support/sandbox/sandboxed-run.ts';

const noSandbox = await missingSandbox();

const EVIL = '[core]\n\tfsmonitor = evil\n';

/** A repository in a workspace whose settings a command has replaced, and a repository of the user outside it. */
function changed() {
  const home = temporaryDirectory();
  const at = (name: string): string => path.join(home, name);
  const [ws, other, removed] = [at('ws'), at('other'), at('removed')];
  const config = path.join(ws, 'lib/.git/config');
  mkdirSync(path.dirname(config), { recursive: true });
  writeFileSync(config, '[user]\n\tname = a\n');
  mkdirSync(other);
  writeFileSync(path.join(other, 'config'), EVIL);
  const repositories = [path.dirname(config)];
  const before = readGitFiles(repositories, [ws]);
  rmSync(config);
  writeFileSync(config, EVIL);
  const read = () => readGitFiles(repositories, [ws], { before });
  return {
    ws,
    other,
    config,
    read,
    putBack: (after = read()) => putBackGitFiles(before, after, { roots: [ws], removed }),
  };
}

// Only Linux opens files below a descriptor of a directory.
describe.skipIf(process.platform !== 'linux')('the settings of git that a command has changed', () => {
  it('are restored', () => {
    const { config, putBack } = changed();
    expect(putBack()).toEqual([{ file: config, reason: 'git would use its setting core.fsmonitor' }]);
    expect(readFileSync(config, 'utf8')).toBe('[user]\n\tname = a\n');
  });

  it('are not restored if another program meanwhile replaces their directory by a link', () => {
    const { ws, other, config, read, putBack } = changed();
    const after = read();
    renameSync(path.dirname(config), path.join(ws, 'moved'));
    symlinkSync(other, path.dirname(config));
    expect(putBack(after)).toEqual([
      { file: config, reason: expect.stringContaining('it could not be put back: Error: its directory was replaced') },
    ]);
    expect(readFileSync(path.join(other, 'config'), 'utf8')).toBe(EVIL);
    expect(readdirSync(other)).toEqual(['config']);
  });

  it('are not read through a link', () => {
    const { other, config, read } = changed();
    rmSync(config);
    symlinkSync(path.join(other, 'config'), config);
    expect(read().get(config)).toEqual({ kind: 'settings', directory: path.dirname(config) });
  });
});

describe.skipIf(noSandbox !== undefined)('a command whose caller leaves before its end', () => {
  it('has its settings of git reverted', async () => {
    const home = realpathSync(temporaryDirectory());
    const workspace = path.join(home, 'ws');
    execFileSync('git', ['init', '-q', workspace]);
    const places = { home, workspace };
    const shell = createNodeShell({ program: BASH, confine: (each) => confine(each, places) });
    const command = {
      command: 'cp -r .git evil; echo ../evil > .git/commondir; echo planted; sleep 60',
      ...{ workingDirectory: workspace, environment: plainEnvironment(home), timeoutMs: 60_000 },
    };
    for await (const event of shell.run(command, new AbortController().signal)) {
      expect(event).toMatchObject({ type: 'output', text: 'planted\n' });
      expect(existsSync(path.join(workspace, '.git/commondir'))).toBe(true);
      break;
    }
    expect(existsSync(path.join(workspace, '.git/commondir'))).toBe(false);
  });
});
