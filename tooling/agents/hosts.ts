import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import type { AgentPackage } from './agent-run.ts';
import { writeFiles, YBS } from './in-namespace.ts';

/** A program that starts the built `ybs` as its agent, and plays one story of ybs with it. */
export interface HostRun {
  readonly name: string;
  readonly protocol: 'acp' | 'stream-json';
  /** The program that npm installs, and the client that drives it, if it is none itself. */
  readonly agent: AgentPackage;
  readonly client?: AgentPackage;
  /** The command line of the client, by the paths of the commands of both packages. */
  readonly args: (host: string) => readonly string[];
  readonly expected: { readonly exitCode: number; readonly fixed: boolean; readonly output: readonly string[] };
}

const ACPX: AgentPackage = {
  title: 'acpx',
  name: 'acpx',
  version: '0.19.1',
  bin: 'acpx',
  needsInstallScript: false,
  omitsOptional: true,
};
const CLAUDE_AGENT_ACP: AgentPackage = {
  title: 'Claude Agent for ACP',
  name: '@agentclientprotocol/claude-agent-acp',
  version: '0.100.0',
  bin: 'claude-agent-acp',
  needsInstallScript: false,
  omitsOptional: true,
};

/** `acpx` with an agent: prints the messages of the protocol, and answers every question alike. */
function acpx(agent: string, answer: 'approve' | 'deny'): readonly string[] {
  const options = ['--format', 'json', '--timeout', '60', `--${answer}-all`];
  return ['--agent', agent, ...options, 'exec', 'fix the failing test'];
}

const YBS_ACP = `${process.execPath} ${YBS} --no-sandbox acp`;
const FIXED = { exitCode: 0, fixed: true, output: ['"stopReason":"end_turn"', '"session/request_permission"'] };
const DENIED = { exitCode: 5, fixed: false, output: ['"stopReason":"end_turn"', '"session/request_permission"'] };

/** Every run of a host. */
export const HOST_RUNS: readonly HostRun[] = [
  {
    name: 'acpx, approving',
    protocol: 'acp',
    agent: ACPX,
    args: () => acpx(YBS_ACP, 'approve'),
    expected: { ...FIXED, output: [...FIXED.output, '"type":"diff"', '"fs/write_text_file"'] },
  },
  { name: 'acpx, denying', protocol: 'acp', agent: ACPX, args: () => acpx(YBS_ACP, 'deny'), expected: DENIED },
  ...(['approve', 'deny'] as const).map(
    (answer): HostRun => ({
      name: `claude-agent-acp, ${answer === 'approve' ? 'approving' : 'denying'}`,
      protocol: 'stream-json',
      agent: CLAUDE_AGENT_ACP,
      client: ACPX,
      args: (host) => acpx(`${process.execPath} ${host}`, answer),
      expected: answer === 'approve' ? FIXED : DENIED,
    }),
  ),
];

/** Plays a run in a copy of the playground, on the embedded mock model. Returns what differs from what is expected. */
export async function playHost(
  { args, expected }: HostRun,
  commands: { readonly host: string; readonly client: string },
  [file, ...prefix]: readonly [string, ...string[]],
): Promise<{ readonly seconds: number; readonly problems: readonly string[]; readonly details: string }> {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'ybs-host-'));
  try {
    const [home, workspace] = [path.join(directory, 'home'), path.join(directory, 'workspace')];
    cpSync(path.join(import.meta.dirname, '../../examples/playground'), workspace, { recursive: true });
    await writeFiles(home, { '.config/ybs/config.json': '{ "llm": { "provider": "mock" } }' });
    const started = performance.now();
    const command = [...prefix, process.execPath, commands.client, ...args(commands.host)];
    const { exitCode, stdout, stderr } = await execa(file, command, {
      cwd: workspace,
      env: {
        PATH: [path.dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
        HOME: home,
        CLAUDE_CODE_EXECUTABLE: YBS,
      },
      extendEnv: false,
      stdin: 'ignore',
      reject: false,
      timeout: 90_000,
      killDescendants: true,
    });
    const seconds = (performance.now() - started) / 1000;
    const isFixed = readFileSync(path.join(workspace, 'src/cart.js'), 'utf8').includes('amount >= FREE_SHIPPING_FROM');
    const problems = [
      ...(exitCode === expected.exitCode ? [] : [`exit code ${exitCode} instead of ${expected.exitCode}`]),
      ...(isFixed === expected.fixed ? [] : [isFixed ? 'the file has changed' : 'the file has not changed']),
      ...expected.output.filter((text) => !stdout.includes(text)).map((text) => `no ${text} in the output`),
    ];
    return { seconds, problems, details: `${stdout}\n${stderr}` };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
