import path from 'node:path';
import process from 'node:process';
import { KNOWN_AGENTS } from '../../src/stories/agents/known-agents.ts';
import type { AgentPackage, AgentRun } from './agent-run.ts';

/** The npm package of every known agent. */
const AGENT_PACKAGES: readonly AgentPackage[] = [
  {
    title: 'pi',
    name: '@earendil-works/pi-coding-agent',
    version: '1.6.0',
    bin: 'pi',
    needsInstallScript: false,
  },
  {
    title: 'Claude Code',
    name: '@anthropic-ai/claude-code',
    version: '2.1.329',
    bin: 'claude',
    needsInstallScript: true,
  },
  { title: 'Codex', name: '@openai/codex', version: '0.169.0', bin: 'codex', needsInstallScript: false },
  {
    title: 'Gemini CLI',
    name: '@google/gemini-cli',
    version: '0.61.0',
    bin: 'gemini',
    needsInstallScript: false,
  },
  {
    title: 'opencode',
    name: 'opencode-ai',
    version: '1.18.33',
    bin: 'opencode',
    needsInstallScript: true,
    needsRipgrep: true,
  },
  {
    title: 'Kilo',
    name: '@kilocode/cli',
    version: '7.7.7',
    bin: 'kilo',
    needsInstallScript: true,
    needsRipgrep: true,
  },
  {
    title: 'Qwen Code',
    name: '@qwen-code/qwen-code',
    version: '0.24.4',
    bin: 'qwen',
    needsInstallScript: false,
  },
  {
    title: 'Copilot CLI',
    name: '@github/copilot',
    version: '1.0.102',
    bin: 'copilot',
    needsInstallScript: false,
  },
  {
    title: 'Continue',
    name: '@continuedev/cli',
    version: '1.5.47',
    bin: 'cn',
    needsInstallScript: false,
  },
  { title: 'Cline', name: 'cline', version: '3.0.65', bin: 'cline', needsInstallScript: false },
  { title: 'Droid', name: 'droid', version: '0.215.0', bin: 'droid', needsInstallScript: true },
];

/** Every known agent with its package. */
export const AGENT_RUNS: readonly AgentRun[] = KNOWN_AGENTS.map((known) => {
  const agent = AGENT_PACKAGES.find(({ bin }) => bin === known.bin);
  if (agent === undefined) throw new Error(`AGENT_PACKAGES has no package of ${known.bin}`);
  return { ...known, agent };
});

const SERVER = path.join(import.meta.dirname, '../../test/support/mcp/notes-server.mjs');

/**
 * The first run of an agent, with the server `notes` of the Model Context Protocol; `undefined` for the others, and for an
 * agent that is not known to have servers.
 */
export function withServer(run: AgentRun): AgentRun | undefined {
  if (AGENT_RUNS.find(({ bin }) => bin === run.bin)?.name !== run.name) return undefined;
  const started = { command: process.execPath, args: [SERVER] };
  const add = (file: string, more: object): AgentRun => {
    const whole: unknown = { ...JSON.parse(run.files[file] ?? '{}'), ...more };
    return { ...run, files: { ...run.files, [file]: JSON.stringify(whole) } };
  };
  switch (run.bin) {
    case 'claude': {
      const args = [...run.args, '--allowedTools', 'mcp__notes'];
      return { ...add('.claude.json', { mcpServers: { notes: { type: 'stdio', ...started } } }), args };
    }
    case 'codex': {
      const file = '.codex/config.toml';
      const lines = Object.entries(started).map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`);
      return { ...run, files: { [file]: `${run.files[file]}\n[mcp_servers.notes]\n${lines.join('')}` } };
    }
    case 'gemini':
      return add('.gemini/settings.json', { mcpServers: { notes: { ...started, trust: true } } });
    case 'opencode': {
      const command = [started.command, ...started.args];
      return add('.config/opencode/opencode.json', { mcp: { notes: { type: 'local', command } } });
    }
    case 'pi':
      return add('.pi/agent/mcp.json', { mcpServers: { notes: { ...started, exposure: 'direct' } } });
    default:
      return undefined;
  }
}
