import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { client } from '@agentclientprotocol/sdk';
import { describe, expect, it } from 'vitest';
import { newSession, prompt, startAcpBin } from '../../support/hosts/acp-bin.ts';
import { binEnvironment, runBin } from '../../support/processes/run-bin.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';
import { missingSandbox } from '../../support/sandbox/require-sandbox.ts';
import { writingScenario } from '../../support/stories/writing-story.ts';
import { startRecordingServer } from '../../support/wires/recording-server.ts';

const noSandbox = await missingSandbox();

/** Programs that ybs itself starts for the calls below. */
const PROGRAMS = ['bwrap', 'git', 'rg', 'true', 'unshare'];
const CALLS = [
  { name: 'search_files', arguments: { pattern: 'needle', path: '.' } },
  { name: 'run_shell', arguments: { command: 'ls', description: 'list' } },
];
const SCENARIOS = [
  { name: 'calls', trigger: 'go', steps: [{ response: { tool_calls: CALLS } }, { response: { content: 'Done.' } }] },
];

/** A home with a project and programs in one of its directories, which leave a file when they run. */
function newPlace(programs: string) {
  const home = temporaryDirectory();
  const project = path.join(home, 'project');
  execFileSync('git', ['init', '-q', project]);
  const files = PROGRAMS.map((name) => [
    `${programs}/${name}`,
    `#!/bin/sh\ntouch ${home}/ran-${name}\nPATH=/usr/bin:/bin exec ${name} "$@"\n`,
  ]);
  writeFiles(home, { 'project/a.txt': 'needle\n', 'other/b.txt': '', ...Object.fromEntries(files) });
  for (const [file = ''] of files) chmodSync(path.join(home, file), 0o755);
  symlinkSync(project, path.join(home, 'link'));
  const search = [path.join(home, programs), path.join(home, programs.replace('project', 'link'))];
  const environment = { ...binEnvironment({ HOME: home, XDG_CONFIG_HOME: path.join(home, '.config') }) };
  environment['PATH'] = [...search, process.env['PATH']].join(':');
  const ran = () => PROGRAMS.filter((name) => existsSync(path.join(home, `ran-${name}`)));
  return { home, project, environment, other: path.join(home, 'other'), ran };
}

type Place = ReturnType<typeof newPlace>;

/** Runs of the built program that starts in another directory than the one in which it works. */
const HOSTS: Readonly<Record<string, (place: Place, url: string) => Promise<unknown>>> = {
  async 'a prompt with --cwd'({ other, environment }, url) {
    const options = ['-p', 'mock', '--endpoint', url, '--permission-mode', 'full-access', '--cwd', '../link', 'go'];
    return runBin(options, { directory: other, environment });
  },
  // The agent that it plays with is the user's own program, with the user's own search path.
  async 'ybs test --agent'({ project, environment }) {
    writeFiles(project, { 'one/scenario.json': writingScenario('new') });
    return runBin(['test', '--agent', '/bin/true', 'one'], { directory: project, environment });
  },
  async 'an editor over ACP'({ project, other, environment }, url) {
    const place = { cwd: other, environment, sessions: '' };
    const { stream, child } = startAcpBin(place, url);
    const app = client().onRequest('session/request_permission', () => ({
      outcome: { outcome: 'selected', optionId: 'once' },
    }));
    await app.connectWith(stream, async (agent) => prompt(agent, await newSession(agent, project), 'go'));
    child.stdin.end();
  },
};

// > docs/security.md: ybs starts no program of a project | of `PATH`, it uses no directory in which it works or that commands may write, whichever session is open; most get no other variable that names one | own-programs.test.ts
describe.skipIf(process.platform !== 'linux' || noSandbox !== undefined)('ybs starts no program of a project', () => {
  for (const [name, play] of Object.entries(HOSTS)) {
    const started = {
      'a prompt with --cwd': ['bwrap', 'git', 'rg'],
      'ybs test --agent': ['true', 'unshare'],
      'an editor over ACP': ['git', 'rg'],
    }[name];
    it.each([
      ['none of the project', 'project/.venv/bin', []],
      ['those of the user (control)', 'tools', started],
    ])(`${name}: %s`, async (_title, programs, expected) => {
      const place = newPlace(programs);
      const server = await startRecordingServer({ scenarios: SCENARIOS });
      const { other: directory, environment } = place;
      await runBin(['trust', '../project'], { directory, environment, input: 'y\n' });
      await play(place, server.url);
      expect(place.ran()).toEqual(expected);
      if (name === 'ybs test --agent') return;
      // All calls worked, with the programs of the system.
      expect(server.resultsInLastRequest().join('\n')).toMatch(/needle(?:.|\n)*exit_code: 0/);
    });
  }
});
