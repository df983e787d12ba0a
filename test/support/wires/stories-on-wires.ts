import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Wire } from '../../../src/providers/wires.ts';
import { type BinResult, runBin } from '../processes/run-bin.ts';
import { temporaryDirectory, writeFiles } from '../processes/temporary-directory.ts';

const ROOT = path.join(import.meta.dirname, '../../..');

/** The stories that a wire cannot express, by name, with the reason for each wire. */
const EXCLUSIONS: Readonly<Record<string, Partial<Record<Wire, string>>>> = {
  'arguments-cut-by-length': {
    gemini: 'Gemini sends a call as a whole and leaves out one that was cut',
    'ollama-chat': 'Ollama sends a call as a whole and writes one that was cut into the text',
  },
};

/** The reason why a story cannot be played over a wire, or `undefined`. */
export function wireExclusion(story: string, wire: Wire): string | undefined {
  return EXCLUSIONS[story]?.[wire];
}

/** The names of the bundled stories, sorted. */
export function shippedStoryNames(): readonly string[] {
  const entries = readdirSync(path.join(ROOT, 'scenarios'), { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
}

/** Plays bundled stories with the built command over a wire. Retries hardly wait; durations are `N s`. */
export async function playBuilt(
  names: readonly string[],
  wire: Wire,
  environment: Readonly<Record<string, string>> = {},
): Promise<BinResult> {
  const directory = temporaryDirectory();
  const config = { llm: { provider: 'mock', api_kind: wire }, agent: { retry_backoff_base_ms: 1 } };
  writeFiles(directory, { 'config.json': JSON.stringify(config) });
  const stories = names.map((name) => `scenarios/${name}`);
  const args = ['--config', path.join(directory, 'config.json'), 'test', ...stories];
  return withoutDurations(await runBin(args, { directory: ROOT, environment }));
}

/** Plays the directory of bundled stories with the built command and no configuration, as `playBuilt`. */
export async function playAllShipped(): Promise<BinResult> {
  return withoutDurations(await runBin(['test', 'scenarios'], { directory: ROOT }));
}

function withoutDurations(result: BinResult): BinResult {
  return { ...result, stdout: result.stdout.replaceAll(/\(\d+\.\d s\)/g, '(N s)') };
}

/** The result when every story passes without a warning. */
export function allPassed(names: readonly string[]): BinResult {
  const lines = names.map((name) => `passed ${name} (N s)\n`);
  return { code: 0, stdout: `${lines.join('')}${names.length} passed, 0 failed\n`, stderr: '' };
}
