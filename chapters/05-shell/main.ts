// Chapter 5: a shell. Output appears while the command runs, and a stop reaches every process of it.
import os from 'node:os';
import { createAgent, type ShellExit, type Tool, ToolError } from '../../src/agent/index.ts';
import { createNodeShell } from '../../src/node/shell/node-shell.ts';
import { argument, clock, definition, digest, scriptedModel, show } from '../support.ts';

/** The adapter of the port Shell on this machine. Nothing of the process group of a command survives it. */
const shell = createNodeShell({ program: { program: '/bin/sh', args: ['-c'], name: 'sh' } });
const environment = { PATH: process.env['PATH'] ?? '' };

const runShell: Tool = {
  definition: definition('run_shell', 'execute', 'command'),
  async plan(args, { signal }) {
    const command = argument(args, 'command');
    const workingDirectory = os.tmpdir();
    return {
      effect: { summary: `run ${command}`, paths: [], command, workingDirectory },
      async *run() {
        let output = '';
        let exit: ShellExit | undefined;
        for await (const event of shell.run({ command, workingDirectory, environment, timeoutMs: 20_000 }, signal)) {
          if (event.type === 'exit') {
            exit = event;
          } else {
            output += event.text;
            yield { stream: event.stream, text: event.text };
          }
        }
        if (exit === undefined) throw new ToolError('io_error', 'The command did not end.');
        const end = exit.cause === 'exited' ? `exit code ${exit.exitCode}` : exit.cause;
        // A command that fails is not a failed call: its exit code is information for the model.
        return { content: `${output}${end}`, isError: false, summary: end, exit };
      },
    };
  },
};

const agent = createAgent({
  model: scriptedModel(
    [['run_shell', { command: 'echo "2 tests passed"; echo "1 test failed" >&2; exit 3' }]],
    [
      ['run_shell', { command: 'echo waiting; sleep 60; echo never' }],
      ['run_shell', { command: 'echo later' }],
    ],
    'I go on.',
  ),
  tools: [runShell],
  system: 'You run commands.',
  decide: () => ({ type: 'allow', rule: 'everything' }),
  clock,
  digest,
});

const stop = new AbortController();
for await (const event of agent.run('Run the tests, then wait.', stop.signal)) {
  show(event);
  if (event.type === 'tool_output' && event.text.includes('waiting')) stop.abort();
}

console.log('\nThe conversation goes on after a stop:');
for await (const event of agent.run('Go on.')) show(event);
