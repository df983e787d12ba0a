// Runs one command of the sources and prints the lines that it reached: `npm run coverage:command -- ybs --help`.
import path from 'node:path';
import { execa } from 'execa';

const root = path.join(import.meta.dirname, '../..');
const ENTRIES: Readonly<Record<string, string>> = {
  ybs: 'src/cli/bin.ts',
  'mock-llm-server': 'mock-llm-server/bin.ts',
};

const [name = '', ...args] = process.argv.slice(2);
const entry = ENTRIES[name];
if (entry === undefined) {
  console.error(`coverage:command: expected one of these commands after --: ${Object.keys(ENTRIES).join(', ')}`);
  process.exitCode = 2;
} else {
  const files = ['src', 'mock-llm-server'].flatMap((room) => ['--include', `${room}/**/*.ts`]);
  const report = ['--reporter', 'text', '--temp-directory', path.join(root, 'coverage/command')];
  const { exitCode } = await execa('c8', [...files, '--exclude', '', ...report, 'node', entry, ...args], {
    cwd: root,
    preferLocal: true,
    stdio: 'inherit',
    reject: false,
  });
  process.exitCode = exitCode ?? 1;
}
