import { PROTOCOL_VERSION } from '@agentclientprotocol/sdk';
import { updateProblems } from '../agent/published-schema.ts';
import type { PrintedLine } from '../processes/printed-lines.ts';
import { type HostBin, type HostBinOptions, startHostBin } from './host-bin.ts';
import { LINE_PROBLEMS } from './host-lines.ts';

/** A session that another process has continued. */
export interface Resumed {
  /** The faults of that process and of its lines. */
  readonly problems: readonly string[];
  /** The answer to the prompt "say hello". */
  readonly next: unknown;
}

/** The lines of a host and of `ybs` in one format. */
export interface HostLanguage {
  /** Starts ybs for many messages; with `partial`, it prints the pieces of answers, as it always does over ACP. */
  start(options: HostBinOptions, partial: boolean): Promise<HostBin>;
  /** A message of the user. */
  user(content: string): object;
  /** True for the first line of a run. */
  isStart(line: PrintedLine): boolean;
  /** True for the last line of the answer to a message. */
  isResult(line: PrintedLine): boolean;
  /** True for a line with the result of a tool call. */
  isCallResult(line: PrintedLine): boolean;
  /** Continues the session of these lines in another process, with the prompt "say hello". */
  resume(lines: readonly PrintedLine[], options: HostBinOptions): Promise<Resumed>;
}

/** The formats of hosts. */
export type HostFormatName = 'stream-json' | 'yume-json' | 'acp';

/** The lines of hosts with this format. `url` is the address of the model. */
export function hostLanguage(format: HostFormatName, url: string): HostLanguage {
  return format === 'acp' ? acp(url) : lineFormat(format, url);
}

function lineFormat(format: 'stream-json' | 'yume-json', url: string): HostLanguage {
  const isYume = format === 'yume-json';
  const model = ['--provider', 'mock', isYume ? '--api-base' : '--endpoint', url];
  const output = ['--output-format', format, '--verbose'];
  const persistent = isYume
    ? ['start', ...model, '--permission-mode', 'auto']
    : [...model, ...output, '--input-format', 'stream-json', '--dangerously-skip-permissions'];
  const isStart = ({ subtype }: PrintedLine): boolean => subtype === 'init';
  return {
    start: async (options, partial) =>
      startHostBin([...persistent, ...(partial ? ['--include-partial-messages'] : [])], options),
    user: (content) => ({ type: 'user', ...(isYume ? { content } : { message: { role: 'user', content } }) }),
    isStart,
    isResult: ({ type }) => type === (isYume ? 'message_stop' : 'result'),
    isCallResult: (line) => JSON.stringify(line).includes('"tool_use_id"'),
    async resume(lines, options) {
      const id = String(lines.find(isStart)?.['session_id']);
      const bin = startHostBin([...model, ...output, '--resume', id, 'say hello'], options);
      const { code, stderr } = await bin.ended;
      return {
        problems: [...endProblems(code, stderr), ...LINE_PROBLEMS[format](bin.lines)],
        next: bin.lines.findLast(({ type }) => type === 'result')?.['result'],
      };
    },
  };
}

/** The id of the request that opens a session. Those of prompts follow. */
const OPEN = 1;

function acp(url: string): HostLanguage {
  const args = ['--provider', 'mock', '--endpoint', url, '--permission-mode', 'full-access', '--no-sandbox', 'acp'];
  const user = (content: string): object => ({ prompt: [{ type: 'text', text: content }] });
  const isResult = ({ id }: PrintedLine): boolean => typeof id === 'number' && id > OPEN;
  return {
    start: (options) => startAcp(args, options, 'session/new', {}),
    user,
    isStart: ({ method }) => method === 'session/update',
    isResult,
    isCallResult: (line) => /"status":"(?:completed|failed)"/.test(JSON.stringify(line)),
    async resume(lines, options) {
      const bin = await startAcp(args, options, 'session/resume', { sessionId: sessionOf(lines) });
      bin.send(user('say hello'));
      const { error } = await bin.waitFor(isResult);
      bin.end();
      const { code, stderr } = await bin.ended;
      const updates = bin.lines.flatMap(({ params }) => (isObject(params) ? [params['update']] : []));
      return {
        problems: [
          ...endProblems(code, stderr),
          ...(error === undefined ? [] : [JSON.stringify(error)]),
          ...updates.flatMap(updateProblems),
        ],
        next: updates.map(textOf).join(''),
      };
    },
  };
}

/** Starts `ybs acp` with an open session, in which the messages are prompts. */
async function startAcp(
  args: readonly string[],
  options: HostBinOptions,
  method: 'session/new' | 'session/resume',
  more: object,
): Promise<HostBin> {
  const bin = startHostBin(args, options);
  let id = 0;
  const request = (name: string, params: object): object => ({ jsonrpc: '2.0', id: id++, method: name, params });
  bin.send(request('initialize', { protocolVersion: PROTOCOL_VERSION }));
  await bin.waitFor((line) => line['id'] === 0);
  bin.send(request(method, { cwd: options.directory, mcpServers: [], ...more }));
  const { error } = await bin.waitFor((line) => line['id'] === OPEN);
  if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
  const session = { sessionId: sessionOf(bin.lines), ...more };
  return {
    ...bin,
    send(...messages) {
      for (const message of messages) {
        bin.send(typeof message === 'string' ? message : request('session/prompt', { ...session, ...message }));
      }
    },
  };
}

/** The id of the session that was opened in these lines. */
function sessionOf(lines: readonly PrintedLine[]): string | undefined {
  const result = lines.find(({ id }) => id === OPEN)?.['result'];
  return isObject(result) && typeof result['sessionId'] === 'string' ? result['sessionId'] : undefined;
}

/** The text of an update with a piece of the answer. */
function textOf(update: unknown): string {
  if (!isObject(update) || update['sessionUpdate'] !== 'agent_message_chunk') return '';
  return isObject(update['content']) ? String(update['content']['text']) : '';
}

function endProblems(code: number | null, stderr: string): readonly string[] {
  return code === 0 ? [] : [`resumed with exit code ${code}: ${stderr}`];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
