import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import { type ClientContext, ndJsonStream, PROTOCOL_VERSION } from '@agentclientprotocol/sdk';
import { pathWithQuickNpm } from '../processes/quick-npm.ts';
import { binEnvironment } from '../processes/run-bin.ts';
import { temporaryDirectory } from '../processes/temporary-directory.ts';
import { hostedEntry } from './host-bin.ts';

/** A home and a copy of the playground, which several agents may use. */
export function newAcpPlace() {
  const cwd = temporaryDirectory();
  cpSync(path.join(import.meta.dirname, '../../../examples/playground'), cwd, { recursive: true });
  const environment = binEnvironment({ PATH: pathWithQuickNpm() });
  return { cwd, environment, sessions: path.join(environment['HOME'] ?? '', '.config/ybs/sessions') };
}

/**
 * Starts the built `ybs acp` for the official client, or a process that starts it and talks to it for this client. Each
 * piece of its output is read after `beforeRead`.
 */
export function startAcpBin(
  { cwd, environment }: ReturnType<typeof newAcpPlace>,
  url: string,
  { relayed = false, beforeRead = async (_piece: Uint8Array): Promise<void> => {} } = {},
) {
  const args = [...hostedEntry(relayed), '--provider', 'mock', '--endpoint', url, '--no-sandbox', 'acp'];
  const child = spawn(process.execPath, args, { cwd, env: environment, stdio: ['pipe', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = once(child, 'close').then(([code, signal]: unknown[]) => ({ code, signal, stderr }));
  const reader = new TransformStream<Uint8Array, Uint8Array>({
    async transform(piece, controller) {
      await beforeRead(piece);
      controller.enqueue(piece);
    },
  });
  const output = Readable.toWeb(child.stdout).pipeThrough(reader);
  return { child, stream: ndJsonStream(Writable.toWeb(child.stdin), output), ended };
}

/** Opens a session in a directory, and returns its id. */
export async function newSession(agent: ClientContext, cwd: string): Promise<string> {
  await agent.request('initialize', { protocolVersion: PROTOCOL_VERSION });
  return (await agent.request('session/new', { cwd, mcpServers: [] })).sessionId;
}

/** Sends a prompt, and returns why the turn ended. */
export const prompt = (agent: ClientContext, sessionId: string, text: string) =>
  agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
