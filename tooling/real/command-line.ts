import { parseArgs } from 'node:util';
import { messageOf } from '../../src/agent/errors.ts';
import type { RealServer } from './real-server.ts';

/** A parsed command line of `npm run test:real`. */
export interface RealCommandLine {
  readonly servers: readonly RealServer[];
  readonly install: boolean;
  readonly writeTable: boolean;
  /** Runs only the checks whose name matches. */
  readonly only: RegExp | undefined;
}

/** Parses the arguments: the names of servers, or none for all. Throws an error for the user. */
export function parseCommandLine(args: readonly string[], known: readonly RealServer[]): RealCommandLine {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { install: { type: 'boolean' }, 'write-table': { type: 'boolean' }, only: { type: 'string' } },
  });
  const { install = false, 'write-table': writeTable = false, only } = values;
  if (only !== undefined && (writeTable || install)) throw new Error('--only is for a run that writes no table');
  const names = known.map(({ name }) => name);
  const unknown = positionals.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`unknown server ${unknown.join(', ')}; the servers are ${names.join(', ')}`);
  const servers = known.filter(({ name, onlyByName }) =>
    positionals.length > 0 ? positionals.includes(name) : !(install && onlyByName === true),
  );
  return { servers, install, writeTable, only: only === undefined ? undefined : expressionOf(only) };
}

function expressionOf(source: string): RegExp {
  try {
    return new RegExp(source);
  } catch (error) {
    throw new Error(`--only must be a regular expression: ${messageOf(error)}`);
  }
}
