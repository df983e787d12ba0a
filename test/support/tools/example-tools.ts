import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import * as z from 'zod';
import { temporaryDirectory } from '../processes/temporary-directory.ts';

/** The directory of the example tools. */
export const TOOLS = path.resolve('examples/tools');
const answerSchema = z.looseObject({
  success: z.boolean(),
  result: z.string().default(''),
  error: z.string().default(''),
  results: z.array(z.unknown()).default([]),
  output: z.string().default(''),
});

/** Runs a tool like ybs, and returns its answer. */
export async function callTool(
  tool: string,
  args: object,
  options: { cwd?: string; environment?: Record<string, string> } = {},
) {
  const child = spawn(path.join(TOOLS, tool), [], {
    cwd: options.cwd ?? temporaryDirectory(),
    env: { PATH: process.env['PATH'], ...options.environment },
    stdio: ['pipe', 'pipe', 'inherit'],
    // Longer than any tool may take.
    timeout: 30_000,
  });
  // A tool need not read its input.
  child.stdin.on('error', () => {});
  child.stdin.end(JSON.stringify(args));
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  const [code] = await once(child, 'close');
  return { code: Number(code), ...answerSchema.parse(JSON.parse(stdout)) };
}

/** Starts a server and returns its address: `127.0.0.1:PORT`. */
export async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  return `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

/** Answers every request with this body. */
export const page =
  (
    body: string | Buffer,
    headers: Record<string, string> = { 'content-type': 'text/html' },
    status = 200,
  ): RequestListener =>
  (_request, response) => {
    response.writeHead(status, headers).end(body);
  };
