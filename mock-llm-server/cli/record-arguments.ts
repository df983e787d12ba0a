import type { RecordOptions } from '../record/record-session.ts';
import { MAX_PORT, parseNumber, parseOptions, scenarioPaths } from './parse-options.ts';

export interface RecordCommand extends Omit<RecordOptions, 'key' | 'log'> {
  readonly type: 'record';
  /** Variable with the API key for the upstream; undefined to pass on that of the client. */
  readonly upstreamKeyEnv: string | undefined;
}

/** The part of the help about `record`. */
export const RECORD_HELP = `record forwards every request to a provider and writes what it answers as a
story: scenario.json and recording.jsonl, without keys and other secrets.
Options besides --port:
  --upstream URL       the provider: https, or http on this machine
  --upstream-key-env NAME
                       variable with the API key for it; by default the key of
                       the client is passed on
  --out DIRECTORY      directory of the story
  --force              replace a story that exists
  --from-drift         answer as the story does until its prompt differs from
                       prompt.lock.json, and re-record the rest
  --fallback-only      forward only the requests that no scenario answers, and
                       add them to the story
  --scenarios PATH…    with --fallback-only, scenarios besides those of the
                       story
Exit codes: 0 stopped by a signal, 1 the server could not start or the story not
be written, 2 wrong usage or an invalid scenario file.
`;

const OPTIONS = {
  port: { type: 'string', default: '8000' },
  upstream: { type: 'string' },
  'upstream-key-env': { type: 'string' },
  out: { type: 'string' },
  scenarios: { type: 'string', multiple: true },
  'fallback-only': { type: 'boolean' },
  'from-drift': { type: 'boolean' },
  force: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Parses the arguments of `record`. Rejects with an error for the user. */
export async function parseRecord(args: readonly string[]): Promise<RecordCommand | { readonly type: 'help' }> {
  const { values, tokens } = await parseOptions(args, OPTIONS);
  if (values.help) return { type: 'help' };
  const { paths: scenarios, bare } = scenarioPaths(tokens);
  if (bare.length > 0) throw new Error(`unexpected argument "${bare[0]}"; scenario files follow --scenarios`);
  const { upstream, out, 'upstream-key-env': keyEnv } = values;
  const { force = false, 'fallback-only': fallbackOnly = false, 'from-drift': fromDrift = false } = values;
  if (!upstream) throw new Error('record needs the provider: --upstream https://api.openai.com');
  if (!out) throw new Error('record needs the directory of the story: --out scenarios/my-story');
  if (scenarios.includes('') || keyEnv === '') throw new Error('--scenarios and --upstream-key-env need a value');
  if (scenarios.length > 0 && !fallbackOnly) throw new Error('--scenarios needs --fallback-only');
  if ([force, fallbackOnly, fromDrift].filter(Boolean).length > 1) {
    throw new Error('--force, --fallback-only and --from-drift exclude each other');
  }
  // Loads Node's HTTP client, which --help does not need.
  (await import('../record/upstream.ts')).parseUpstream(upstream);
  const port = parseNumber('--port', values.port, MAX_PORT);
  return { type: 'record', port, upstream, upstreamKeyEnv: keyEnv, out, scenarios, fallbackOnly, fromDrift, force };
}
