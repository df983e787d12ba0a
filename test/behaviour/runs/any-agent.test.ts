import { globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startMockLlm } from '../../../mock-llm-server/testing.ts';
import { findNetworkNamespace } from '../../../src/node/network-namespace.ts';
import { isProcessRunning, waitUntil } from '../../support/processes/process-state.ts';
import { runBin, startBin } from '../../support/processes/run-bin.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';
import { COMMAND, removeKept, writeAgentStory } from '../../support/stories/agent-story.ts';

describe('ybs test --agent', () => {
  // > README.md: The server tests other agents, too: test your own agent.
  // > README.md: It turns intents into calls of the tools that a client offers, so that one story drives any agent, it injects faults, and it judges what a client did after them.
  it('passes stories that another agent plays well, and reports faults of the agent, its requests, results or files', async () => {
    const directory = temporaryDirectory();
    const cases: readonly (readonly [name: string, story: object, expected: string, message: RegExp])[] = [
      ['silent', { prompts: ['Copy "it" --silent'] }, 'written\n', /^ {2}the agent sent no request to the model$/m],
      ['early', { prompts: ['Copy "it" --early'] }, 'written\n', /^ {2}the agent ended after step 0 of .*"early"/m],
      [
        'crash',
        { prompts: ['Copy "it" --crash'] },
        'written\n',
        /got failed: the exit code is 7\n[\s\S]*stderr:\n {2}the agent broke\n/,
      ],
      ['files', {}, 'other\n', /out\.txt differs \(- expected, \+ found\):\n/],
      [
        'results',
        { expected_result_contains: ['something else'] },
        'written\n',
        /no tool result contains "something else"/,
      ],
      [
        'unknown',
        { prompts: ['Do something else.'] },
        'written\n',
        /POST \/v1\/chat\/completions was answered 400: No scenario matches .*"copy \\"it\\""/,
      ],
      ['outside', { prompts: ['Copy "it" --outside'], expected_outcome: 'failed' }, 'other\n', /out\.txt differs/],
    ];
    for (const [name, story, expected] of cases) writeAgentStory(directory, name, story, expected);
    writeAgentStory(directory, 'one', { expected_result_contains: ['a secret of the file'] });
    writeAgentStory(directory, 'two', { expected_outcome: 'failed', prompts: ['Copy "it" --crash'] });
    const [result, namespace] = await Promise.all([
      runBin(['test', '--agent', COMMAND, 'one', 'two', ...cases.map(([name]) => name)], { directory }),
      findNetworkNamespace(process.platform),
    ]);
    const reports = removeKept(result)
      .stdout.split(/(?=^FAILED )/m)
      .filter((part) => part.startsWith('FAILED'));
    for (const [index, [name, , , message]] of cases.entries()) {
      expect(reports[index], name).toMatch(new RegExp(`^FAILED ${name} `));
      expect(reports[index], name).toMatch(message);
    }
    expect(result.stdout).toMatch(
      /^(! the agent can reach other hosts: .*\n)?passed one \(\d+\.\d s\)\npassed two .*\nFAILED silent /,
    );
    // The agent cannot reach other hosts, or the report gives the reason why it can.
    if (namespace.type === 'namespace') expect(reports.at(-1)).toContain('ENETUNREACH');
    else expect(result.stdout).toContain('! the agent can reach other hosts: ');
    expect(result.stdout).toMatch(/\n2 passed, 7 failed\n$/);
    expect([result.code, result.stderr]).toEqual([1, '']);
  });

  it('lets an agent in the network namespace reach the server of --endpoint', async () => {
    const directory = temporaryDirectory();
    writeAgentStory(directory, 'one');
    const server = await startMockLlm({ scenarios: path.join(directory, 'one') });
    onTestFinished(() => server.close());
    const environment = { TMPDIR: temporaryDirectory() };
    const [result, namespace] = await Promise.all([
      runBin(['test', '--agent', COMMAND, 'one', '--endpoint', server.url], { directory, environment }),
      findNetworkNamespace(process.platform),
    ]);
    const note = namespace.type === 'namespace' ? '' : '! the agent can reach other hosts: .*\\n';
    expect(result.stdout).toMatch(new RegExp(`^${note}passed one .*\\n1 passed, 0 failed\\n$`));
    expect(server.requests.map(({ step }) => step)).toEqual([0, 1, 2]);
    expect(readdirSync(environment.TMPDIR)).toEqual([]);
  });

  it('ends with 130 when it is stopped, and stops the agent', async () => {
    const directory = temporaryDirectory();
    writeAgentStory(directory, 'one', { prompts: ['Copy "it" --sleep'] });
    const environment = { TMPDIR: temporaryDirectory() };
    const running = startBin(['test', '--agent', COMMAND, 'one'], { directory, environment });
    const readPid = () => {
      const [file] = globSync('ybs-story-*/sleeping', { cwd: environment.TMPDIR });
      return file === undefined ? 0 : Number(readFileSync(path.join(environment.TMPDIR, file), 'utf8'));
    };
    await waitUntil(() => readPid() > 0, 'the agent runs');
    const pid = readPid();
    running.signal('SIGTERM');
    expect((await running.ended).code).toBe(130);
    await waitUntil(() => !isProcessRunning(pid), 'the agent ends');
    expect(readdirSync(environment.TMPDIR)).toEqual([]);
  });
});
