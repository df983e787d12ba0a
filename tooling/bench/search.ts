// Measures search_files and list_files of the built ybs beside ripgrep: `npm run bench:search -- [rounds]`. Writes a
// tree of 39,000 files (620 MB) once. Each round runs rg, and ybs in a run that calls the tool: with rg on its PATH,
// without it, and for one file, which is the start that the figures leave out. Needs a build, ripgrep and Linux. The
// page search.md has figures.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { execa } from 'execa';
import { columns, conditions, interleave, median, requireBuild } from './measure.ts';
import { startMockProcess } from './mock-process.ts';
import { NEEDLE, writeSearchTree } from './search-tree.ts';
import { runTimed, type TimedProcess } from './timed-process.ts';

const rounds = Number(process.argv[2] ?? 9);
const tree = path.join(os.tmpdir(), 'ybs-bench-search');
writeSearchTree(tree);
const scratch = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'ybs-bench-')));
const [rg, bash] = [await find('rg'), await find('bash')];

/** The real path of a program. */
async function find(program: string): Promise<string> {
  return realpathSync((await execa('bash', ['-c', `command -v ${program}`])).stdout);
}

/** The value of `PATH` with a directory of links to programs, and no other. */
function searchPath(name: string, programs: readonly string[]): string {
  const directory = path.join(scratch, name);
  mkdirSync(directory);
  for (const program of programs) symlinkSync(program, path.join(directory, path.basename(program)));
  return directory;
}

const withRipgrep = searchPath('with', [rg, bash]);
const withoutRipgrep = searchPath('without', [bash]);

/** A file with a scenario that calls a tool when the prompt is its name. */
function scenario(name: string, tool: string, args: object): string {
  const file = path.join(scratch, `${name}.json`);
  const steps = [{ response: { tool_calls: [{ name: tool, arguments: args }] } }, { response: { content: 'Done.' } }];
  writeFileSync(file, JSON.stringify({ scenarios: [{ name, trigger: name, steps }] }));
  return file;
}

const lines = { pattern: NEEDLE, max_results: 200, context_lines: 0 };
const mock = await startMockProcess([
  scenario('search the tree', 'search_files', lines),
  scenario('search one file', 'search_files', { ...lines, path: '.complete' }),
  scenario('list the tree', 'list_files', { pattern: '**/*.ts' }),
  scenario('list one file', 'list_files', { pattern: '.complete' }),
]);

function ripgrep(...args: readonly string[]): () => Promise<TimedProcess> {
  return () => run([rg, ...args], withRipgrep, (text) => `${text.split('\n').length} lines`);
}

/** A run that calls a tool. The mock server is a process of its own and takes no part in the figures. */
function ybs(prompt: string, PATH: string): () => Promise<TimedProcess> {
  const bin = path.join(requireBuild(), 'ybs.js');
  const model = ['--provider', 'openai-compatible', '--endpoint', `${mock.url}/v1`, '--model', 'mock-model'];
  const command = [process.execPath, bin, ...model, '--output-format', 'json', prompt];
  return () => run(command, PATH, (text) => /\d+ match[a-z ]*[0-9a-z ]*/.exec(text)?.[0] ?? text);
}

async function run(
  command: readonly string[],
  PATH: string,
  result: (stdout: string) => string,
): Promise<TimedProcess> {
  const timed = await runTimed(command, { cwd: tree, env: { PATH, HOME: scratch } });
  if (timed.exitCode !== 0) throw new Error(`${command.join(' ')}: ${timed.stdout}${timed.stderr}`);
  return { ...timed, stdout: result(timed.stdout) };
}

try {
  const results = await interleave(rounds, {
    rg: ripgrep('-n', NEEDLE, '.'),
    'search_files with rg': ybs('search the tree', withRipgrep),
    'search_files without rg': ybs('search the tree', withoutRipgrep),
    'search_files in one file': ybs('search one file', withRipgrep),
    'rg --files': ripgrep('--files', '.'),
    list_files: ybs('list the tree', withRipgrep),
    'list_files of one file': ybs('list one file', withRipgrep),
  });
  console.log(conditions(`${rounds} rounds`));
  for (const [name, reference, start] of [
    ['rg', 'rg', undefined],
    ['search_files with rg', 'rg', 'search_files in one file'],
    ['search_files without rg', 'rg', 'search_files in one file'],
    ['rg --files', 'rg --files', undefined],
    ['list_files', 'rg --files', 'list_files of one file'],
  ] as const) {
    const begun = start === undefined ? [] : results(start);
    const more = results(name).map(({ cpu, wall }, index) => ({
      cpu: cpu - (begun[index]?.cpu ?? 0),
      wall: wall - (begun[index]?.wall ?? 0),
    }));
    const [cpu = '', wall = ''] = columns(more, ['cpu', 'wall'], 0);
    const times = (key: 'cpu' | 'wall') =>
      (median(more.map((one) => one[key])) / median(results(reference).map((one) => one[key]))).toFixed(2);
    const found = [...new Set(results(name).map(({ stdout }) => stdout))].join(' / ');
    console.log(`${name}: processor ${cpu} (${times('cpu')} times), wall ${wall} (${times('wall')} times), ${found}`);
  }
} finally {
  await mock.stop();
  rmSync(scratch, { recursive: true, force: true });
}
