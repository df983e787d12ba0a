import { readdirSync, readFileSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { mergeScriptCovs } from '@bcoe/v8-coverage';
import * as z from 'zod';

const ScriptSchema = z.object({
  scriptId: z.string(),
  url: z.string(),
  functions: z.array(
    z.object({
      functionName: z.string(),
      isBlockCoverage: z.boolean(),
      ranges: z.array(z.object({ startOffset: z.number(), endOffset: z.number(), count: z.number() })),
    }),
  ),
});
const DumpSchema = z.object({ result: z.array(z.looseObject({ url: z.string() })) });

/**
 * Reads and merges V8's coverage dumps of all processes of a run (`NODE_V8_COVERAGE`): the functions of each file that
 * `isCounted` accepts, by absolute path. Throws when the directory contains no dump.
 */
export function readDumps(
  directory: string,
  isCounted: (file: string) => boolean,
): ReadonlyMap<string, Profiler.ScriptCoverage> {
  const scripts = new Map<string, Profiler.ScriptCoverage[]>();
  const dumps = readdirSync(directory).filter((name) => name.endsWith('.json'));
  if (dumps.length === 0) throw new Error(`no coverage dumps in ${directory}`);
  for (const dump of dumps) {
    const { result } = DumpSchema.parse(JSON.parse(readFileSync(path.join(directory, dump), 'utf8')));
    for (const script of result) {
      if (!script.url.startsWith('file:')) continue;
      const file = fileURLToPath(script.url);
      if (isCounted(file)) scripts.set(file, [...(scripts.get(file) ?? []), ScriptSchema.parse(script)]);
    }
  }
  const merged = new Map<string, Profiler.ScriptCoverage>();
  for (const [file, parts] of scripts) {
    const sum = mergeScriptCovs(parts);
    if (sum !== undefined) merged.set(file, sum);
  }
  return merged;
}
