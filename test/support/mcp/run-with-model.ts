import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { startBin } from '../processes/run-bin.ts';
import { temporaryDirectory, writeFiles } from '../processes/temporary-directory.ts';
import { startHttp } from './http-servers.ts';

/** A call of a tool by its name, with its arguments; `undefined` ends a turn. */
export type Call = readonly [string, object?] | undefined;

/** The directories of runs that follow each other, with servers by name. */
export function homeWith(servers: Readonly<Record<string, object>>, files: Readonly<Record<string, string>> = {}) {
  const home = temporaryDirectory();
  const directory = temporaryDirectory();
  writeFiles(home, { '.config/ybs/config.json': JSON.stringify({ mcp: { servers } }), ...files });
  const environment = { HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: path.join(home, '.config') };
  const configure = (entries: Readonly<Record<string, object>>, more: object = {}): void =>
    writeFileSync(path.join(home, '.config/ybs/config.json'), JSON.stringify({ mcp: { servers: entries }, ...more }));
  return { home, directory, environment, configure };
}

/**
 * Runs the built command with a model that makes these calls, one in each answer, and then says "Done."; the user gives
 * one more prompt for each turn that has ended. Resolves to the output for
 * the user, the requests as bytes, and the results that the model read.
 */
export async function runWithModel(
  { directory, environment }: Pick<ReturnType<typeof homeWith>, 'directory' | 'environment'>,
  calls: readonly Call[],
  options: readonly string[] = [],
  more: Readonly<Record<string, string>> = {},
) {
  let answered = 0;
  const { seen, port } = await startHttp(({ path: at }, response) => {
    if (!at.endsWith('/chat/completions')) return void response.writeHead(404).end();
    const call = calls[answered];
    answered += 1;
    const [name, args = {}] = call ?? [];
    const tool = { id: `call_${answered}`, type: 'function', function: { name, arguments: JSON.stringify(args) } };
    const message = call === undefined ? { content: 'Done.' } : { content: null, tool_calls: [tool] };
    const choice = {
      index: 0,
      message: { role: 'assistant', ...message },
      finish_reason: call ? 'tool_calls' : 'stop',
    };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id: `c${answered}`, object: 'chat.completion', model: 'm', choices: [choice] }));
  });
  const connection = ['--provider', 'openai-compatible', '--endpoint', `http://127.0.0.1:${port}/v1`, '--model', 'm'];
  const mode = ['--permission-mode', 'full-access', '--no-sandbox'];
  const turns = calls.filter((call) => call === undefined).length;
  const line = JSON.stringify({ type: 'user', message: { role: 'user', content: 'go' } });
  const host = ['--input-format', 'stream-json', '--output-format', 'stream-json'];
  const started = startBin([...connection, ...mode, ...options, ...(turns > 0 ? host : ['go'])], {
    ...{ directory, environment: { ...environment, ...more } },
    ...(turns > 0 && { input: `${line}\n`.repeat(turns) }),
  });
  const { code, stdout, stderr } = await started.ended;
  const requests = seen.flatMap(({ path: at, text }) => (at.endsWith('/chat/completions') ? [text] : []));
  const { messages = [] }: { messages?: readonly { role: string; content: unknown }[] } = JSON.parse(
    requests.at(-1) ?? '{}',
  );
  const results = messages.flatMap(({ role, content }) => (role === 'tool' ? [String(content)] : []));
  return { code, user: stdout + stderr, requests, results };
}
