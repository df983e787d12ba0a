// Measures what the sandbox costs a command: `npm run bench:sandbox -- [rounds] [directory]`. Each round runs `true` as
// run_shell does, in turns without and in the sandbox, in a small repository and in `directory` (this project), and tries
// the sandbox anew. The processor time is that of this process and of all that it starts. The page sandbox.md has figures.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type { Shell } from '../../src/agent/ports/shell.ts';
import { createNodeFileSystem } from '../../src/node/files/node-file-system.ts';
import { gatherPlaces } from '../../src/node/sandbox/gather-places.ts';
import { newReopened } from '../../src/node/sandbox/real-files.ts';
import { createSandbox } from '../../src/node/sandbox/sandbox.ts';
import { createScan } from '../../src/node/sandbox/scan-workspace.ts';
import { createSecretSearch } from '../../src/node/sandbox/secret-search.ts';
import { createNodeShell } from '../../src/node/shell/node-shell.ts';
import { computeDigest } from '../../src/node/system.ts';
import { planMounts } from '../../src/policy/sandbox/mounts.ts';
import { buildSandboxRules, type SandboxRules } from '../../src/policy/sandbox/rules.ts';
import { shellEnvironment } from '../../src/tools/shell/shell-environment.ts';
import { type Cost, columns, cpuTime, interleave } from './measure.ts';

const [rounds = 9, directory = path.join(import.meta.dirname, '../..')] = [
  Number(process.argv[2] ?? 9),
  process.argv[3],
];

/** Commands of each kind in a round. */
const COMMANDS = 20;
const BASH = { program: '/bin/bash', args: ['--noprofile', '--norc', '-c'], name: 'bash' } as const;
const home = os.homedir();
const searchPath = process.env['PATH'] ?? '';

async function rulesOf(workspace: string, hosts: readonly string[] = []): Promise<SandboxRules> {
  return buildSandboxRules(
    {
      ...{ workspace, home, searchPath, platform: 'posix', homeMode: 'hidden', localSockets: false },
      digest: computeDigest,
      ...{ allowedPaths: ['.'], blockedPaths: ['~/.ssh', '~/.config'], ownDirectories: ['~/.config/ybs'] },
      ...{ guardedPaths: [], secretVariables: [], hosts },
    },
    async (file) => (existsSync(file) ? realpathSync(file) : file),
    createNodeFileSystem(),
  );
}

/** Milliseconds of processor and of wall time of a command, in the mean of a block. */
async function runBlock(shell: Shell, workspace: string): Promise<Cost> {
  const environment = shellEnvironment(process.env, [], [], workspace);
  const [cpu, wall] = [cpuTime(), performance.now()];
  for (let index = 0; index < COMMANDS; index += 1) {
    const command = { command: 'true', workingDirectory: workspace, environment, timeoutMs: 60_000 };
    for await (const event of shell.run(command, new AbortController().signal)) {
      if (event.type === 'exit' && event.exitCode !== 0) throw new Error(event.reason ?? 'the command failed');
    }
  }
  return { cpu: (cpuTime() - cpu) / COMMANDS, wall: (performance.now() - wall) / COMMANDS };
}

/** Milliseconds of a first try of the sandbox. */
async function runProbe(): Promise<Cost> {
  const [cpu, wall] = [cpuTime(), performance.now()];
  for (let index = 0; index < COMMANDS; index += 1) {
    const state = await createSandbox(BASH, searchPath).probe();
    if (state.type === 'off') throw new Error(`There is no sandbox: ${state.reason}`);
  }
  return { cpu: (cpuTime() - cpu) / COMMANDS, wall: (performance.now() - wall) / COMMANDS };
}

const scratch = realpathSync(mkdtempSync(path.join(os.homedir(), '.ybs-bench-')));
try {
  const small = path.join(scratch, 'small');
  mkdirSync(small);
  execFileSync('git', ['init', '-q'], { cwd: small });
  for (const file of ['package.json', '.env', 'main.js', 'README.md']) writeFileSync(path.join(small, file), '{}\n');
  const places = [
    ['a small repository', small, []],
    ['the same with a granted host', small, ['registry.example.com']],
    [path.basename(realpathSync(directory)), realpathSync(directory), []],
  ] as const;
  console.log(`Node ${process.versions.node}, ${execFileSync('bwrap', ['--version'], { encoding: 'utf8' }).trim()},`);
  console.log(`${rounds} rounds of ${COMMANDS} commands, load ${os.loadavg()[0]?.toFixed(1)}; medians (range), ms\n`);
  console.log(
    '| `true` in | mounts | without: processor | wall | sandboxed: processor | wall | more: processor | wall |',
  );
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
  for (const [name, workspace, hosts] of places) {
    const rules = await rulesOf(workspace, hosts);
    const sandbox = createSandbox(BASH, searchPath);
    await sandbox.probe();
    const plain = createNodeShell({ program: BASH });
    const confined = createNodeShell({ program: BASH, confine: (command) => sandbox.confine(command, rules) });
    const mounts = planMounts(
      await gatherPlaces(
        rules,
        { program: BASH.program, readOnly: false },
        { scan: createScan(), search: createSecretSearch(), reopened: newReopened() },
      ),
    ).length;
    const costs = await interleave(rounds, {
      without: () => runBlock(plain, workspace),
      within: () => runBlock(confined, workspace),
    });
    const [without, within] = [costs('without'), costs('within')];
    const more = within.map(({ cpu, wall }, index) => ({
      cpu: cpu - (without[index]?.cpu ?? Number.NaN),
      wall: wall - (without[index]?.wall ?? Number.NaN),
    }));
    const figures = [without, within, more].flatMap((list) => columns(list, ['cpu', 'wall'], 1));
    console.log(`| ${[name, mounts, ...figures].join(' | ')} |`);
  }
  const probes = await interleave(rounds, { probe: () => runProbe() });
  const [cpu, wall] = columns(probes('probe'), ['cpu', 'wall'], 1);
  console.log(`\nThe first try of the sandbox: processor ${cpu} ms, wall ${wall} ms.`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
