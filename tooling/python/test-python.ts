import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { execa } from 'execa';

// Runs the Python clients in test/python against the built server: each folder in an environment of its own, because
// they pin different versions of the same packages. Environments stay in the cache, outside of the project.

const ROOT = path.resolve(import.meta.dirname, '../..');
const SUITE = path.join(ROOT, 'test/python');
/** The file of an environment that is written last. */
const COMPLETE = 'complete';

/** The folders of the suite, each with its pinned packages. */
function folders(): readonly string[] {
  return readdirSync(SUITE).filter((name) => existsSync(path.join(SUITE, name, 'requirements.txt')));
}

/** Creates the environment of a folder, unless it is there. Resolves to its Python. */
async function install(folder: string, python: string): Promise<string> {
  const requirements = path.join(SUITE, folder, 'requirements.txt');
  const digest = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const cache = process.env['XDG_CACHE_HOME'] || path.join(os.homedir(), '.cache');
  const directory = path.join(cache, 'ybs/python', `${folder}-${digest}`);
  const program = path.join(directory, 'bin/python');
  if (existsSync(path.join(directory, COMPLETE))) return program;
  console.log(`${folder}: installing ${path.relative(ROOT, requirements)}`);
  await rm(directory, { recursive: true, force: true });
  await mkdir(path.dirname(directory), { recursive: true });
  await execa(python, ['-m', 'venv', directory]);
  await execa(program, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements], {
    stdio: 'inherit',
  });
  await writeFile(path.join(directory, COMPLETE), '');
  return program;
}

/** Runs the tests of a folder. Resolves to true if all passed. */
async function run(folder: string, program: string, args: readonly string[]): Promise<boolean> {
  const server = [
    process.execPath,
    path.join(ROOT, 'dist/mock-llm-server.js'),
    ...['--port', '0', '--no-watch', '--scenarios', path.join(SUITE, 'scenarios.json')],
  ];
  const options = ['-c', path.join(SUITE, 'pytest.ini'), '--rootdir', SUITE, path.join(SUITE, folder), ...args];
  const { exitCode } = await execa(program, ['-m', 'pytest', ...options], {
    cwd: SUITE,
    stdio: 'inherit',
    reject: false,
    env: { MOCK_LLM_SERVER: JSON.stringify(server), PYTHONDONTWRITEBYTECODE: '1' },
  });
  return exitCode === 0;
}

/** Arguments before `--` name folders, the others go to pytest. */
async function main(args: readonly string[]): Promise<void> {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const names = args.slice(0, end);
  const known = folders();
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`Unknown folder ${unknown.join(', ')}. The folders are ${known.join(', ')}.`);
  const python = process.env['PYTHON'] || 'python3';
  let passed = true;
  for (const folder of names.length > 0 ? names : known) {
    console.log(`\n${folder}`);
    passed = (await run(folder, await install(folder, python), args.slice(end + 1))) && passed;
  }
  process.exitCode = passed ? 0 : 1;
}

await main(process.argv.slice(2));
