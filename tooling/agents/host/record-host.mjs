// Stands between a host and ybs, whose path is in YBS_RECORDED: passes on their lines, and writes the arguments and each
// line as it passes to the file YBS_TRANSCRIPT.
import { spawn } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const { YBS_RECORDED: command = '', YBS_TRANSCRIPT: file = '', ...env } = process.env;
const args = process.argv.slice(2);
const write = (entry) => appendFileSync(file, `${JSON.stringify(entry)}\n`);
writeFileSync(file, `${JSON.stringify({ args })}\n`);

const child = spawn(process.execPath, [command, ...args], { env, stdio: ['pipe', 'pipe', 'inherit'] });
createInterface({ input: process.stdin })
  .on('line', (line) => {
    write({ in: JSON.parse(line) });
    child.stdin.write(`${line}\n`);
  })
  .on('close', () => {
    write({ end: true });
    child.stdin.end();
  });
createInterface({ input: child.stdout }).on('line', (line) => {
  write({ out: JSON.parse(line) });
  process.stdout.write(`${line}\n`);
});
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.on('close', (code) => {
  process.exitCode = code ?? 1;
  process.stdin.destroy();
});
