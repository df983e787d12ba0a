import { access, mkdir, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import type { AgentPackage } from './agent-run.ts';

/** Some agents have a few hundred megabytes, and some connections are slow. */
const INSTALL_MS = 15 * 60_000;

/** Package that installs a ripgrep binary for the current platform. */
const RIPGREP = '@vscode/ripgrep@1.18.0';

/** Directory of installed agents, outside of the project. */
export function agentCache(environment: NodeJS.ProcessEnv): string {
  const cache = environment['XDG_CACHE_HOME'] || path.join(os.homedir(), '.cache');
  return path.join(cache, 'mock-llm-server/agents');
}

/**
 * Installs an agent from npm if necessary and returns the path of its command. Rejects with the error messages of npm.
 */
export async function installAgent(cache: string, agent: AgentPackage): Promise<string> {
  const directory = path.join(cache, `${agent.bin}-${agent.version}`);
  const command = path.join(directory, 'node_modules/.bin', agent.bin);
  const done = path.join(directory, 'installed');
  if (await exists(done)) return command;
  await mkdir(directory, { recursive: true });
  // Newer versions of npm run install scripts only of packages that the manifest allows.
  const manifest = { private: true, allowScripts: agent.needsInstallScript ? { [agent.name]: true } : {} };
  await writeFile(path.join(directory, 'package.json'), JSON.stringify(manifest));
  const scripts = agent.needsInstallScript ? [] : ['--ignore-scripts'];
  const args = ['install', '--no-audit', '--no-fund', ...scripts, `${agent.name}@${agent.version}`];
  if (agent.omitsOptional === true) args.push('--omit=optional');
  if (agent.needsRipgrep === true) args.push(RIPGREP);
  const npm = { cwd: directory, stdin: 'ignore', timeout: INSTALL_MS, reject: false } as const;
  const { failed, stderr, shortMessage } = await execa('npm', args, npm);
  if (failed) throw new Error(npmErrors(stderr) || shortMessage);
  await writeFile(done, '');
  return command;
}

/** Directory of the `rg` that was installed beside an agent, by the path of the agent's command. */
export function ripgrepDirectory(command: string): string {
  return path.join(path.dirname(command), `../@vscode/ripgrep-${process.platform}-${process.arch}/bin`);
}

/** The first error messages of npm in one line, without the path of its log. */
export function npmErrors(stderr: string): string {
  const errors = [...stderr.matchAll(/^npm (?:error|ERR!) (.+)$/gm)].map(([, text = '']) => text);
  return errors
    .filter((text) => !text.startsWith('A complete log'))
    .slice(0, 4)
    .join(' ');
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
