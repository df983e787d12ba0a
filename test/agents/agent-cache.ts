import { access, mkdir, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import type { AgentPackage } from './agent-run.ts';

/** A few hundred megabytes come over slow lines too. */
const INSTALL_MS = 15 * 60_000;

/** Brings a binary of ripgrep for the platform at hand, in a package of that platform's. */
const RIPGREP = '@vscode/ripgrep@1.18.0';

/** Where agents are kept between runs, outside of the project. */
export function agentCache(environment: NodeJS.ProcessEnv): string {
  const cache = environment['XDG_CACHE_HOME'] || path.join(os.homedir(), '.cache');
  return path.join(cache, 'mock-llm-server/agents');
}

/**
 * Installs an agent from npm, unless it is there, and returns the path of its command. Rejects with what npm complained
 * of.
 */
export async function installAgent(cache: string, agent: AgentPackage): Promise<string> {
  const directory = path.join(cache, `${agent.bin}-${agent.version}`);
  const command = path.join(directory, 'node_modules/.bin', agent.bin);
  const done = path.join(directory, 'installed');
  if (await isThere(done)) return command;
  await mkdir(directory, { recursive: true });
  // Versions of npm that ask before they run install scripts find the yes here.
  const manifest = { private: true, allowScripts: agent.needsInstallScript ? { [agent.name]: true } : {} };
  await writeFile(path.join(directory, 'package.json'), JSON.stringify(manifest));
  const scripts = agent.needsInstallScript ? [] : ['--ignore-scripts'];
  const args = ['install', '--no-audit', '--no-fund', ...scripts, `${agent.name}@${agent.version}`];
  if (agent.needsRipgrep === true) args.push(RIPGREP);
  const npm = { cwd: directory, stdin: 'ignore', timeout: INSTALL_MS, reject: false } as const;
  const { failed, stderr, shortMessage } = await execa('npm', args, npm);
  if (failed) throw new Error(complaintOf(stderr) || shortMessage);
  await writeFile(done, '');
  return command;
}

/** Where the `rg` is that was installed beside an agent, by the path of the agent's command. */
export function ripgrepDirectory(command: string): string {
  return path.join(path.dirname(command), `../@vscode/ripgrep-${process.platform}-${process.arch}/bin`);
}

/** The first lines of what npm complained of, as one, without the place of its logs. */
export function complaintOf(stderr: string): string {
  const errors = [...stderr.matchAll(/^npm (?:error|ERR!) (.+)$/gm)].map(([, text = '']) => text);
  return errors
    .filter((text) => !text.startsWith('A complete log'))
    .slice(0, 4)
    .join(' ');
}

async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
