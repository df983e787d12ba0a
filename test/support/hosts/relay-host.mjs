// A host as a process of its own: it starts the command of its arguments, writes what it reads to it, and prints what
// that prints. Its standard error is also that of the command, so it stays open until the command has ended, too.
import { spawn } from 'node:child_process';

const [command = '', ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
process.stdin.pipe(child.stdin);
child.stdout.pipe(process.stdout);
