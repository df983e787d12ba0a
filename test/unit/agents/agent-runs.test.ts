import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseScenarioFile } from '../../../mock-llm-server/parse-scenario-file.ts';
import { AGENT_RUNS, type AgentRun, fillRun, PROMPT, shellCommand } from '../../agents/agent-runs.ts';
import { expectedOf } from '../../agents/judge-run.ts';

const read = (name: string) => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');
const page = read('docs/agents.md');
const runs = AGENT_RUNS.map((run) => [run.name, run] as const);
const sample: AgentRun = {
  name: 'sample',
  agent: { name: 'sample-agent', version: '1.0.0', bin: 'sample', needsInstallScript: false },
  protocol: 'openai-chat',
  files: { '.sample/config.json': '{"url":"$BASE/v1"}\n' },
  environment: { KEY: 'unused', URL: '$BASE' },
  args: ['run', '$PROMPT'],
};

it('a run is typed into a shell with its environment before it', () => {
  expect(shellCommand(sample)).toBe('KEY=unused \\\n  URL="$BASE" \\\n  sample run "$PROMPT"');
});

it('a run gets address and prompt everywhere', () => {
  const filled = fillRun(sample, { base: 'http://127.0.0.1:1', prompt: 'say $BASE' });
  expect(filled).toMatchObject({
    files: { '.sample/config.json': '{"url":"http://127.0.0.1:1/v1"}\n' },
    environment: { KEY: 'unused', URL: 'http://127.0.0.1:1' },
    args: ['run', 'say $BASE'],
  });
});

describe('docs/agents.md', () => {
  it.each(runs)('has the command of %s', (_name, run) => {
    expect(page).toContain(`\`\`\`sh\n${shellCommand(run)}\n\`\`\``);
  });

  it.each(runs)('has the files of %s', (_name, run) => {
    for (const [file, content] of Object.entries(run.files)) {
      expect(page).toContain(`\`~/${file}\`:\n\n\`\`\`${file.endsWith('.toml') ? 'toml' : 'json'}\n${content}\`\`\``);
    }
  });

  it.each(runs)('has package, version and protocol of %s', (_name, { agent, protocol }) => {
    expect(page).toContain(`| \`${agent.name}\` | ${agent.version} | \`${protocol}\` |`);
  });

  it('has as many runs as the suite', () => {
    const table = page.slice(page.indexOf('## Run by us'), page.indexOf('## Commands'));
    expect(table.match(/^\| `/gm)).toHaveLength(AGENT_RUNS.length);
  });

  it('shows the story and the prompt', () => {
    expect(page).toContain(`\`\`\`json\n${read('test/agents/hello.json')}\`\`\``);
    expect(page).toContain(`PROMPT="${PROMPT}"`);
  });
});

it('the story loads, and says what agents must have done', () => {
  const story = read('test/agents/hello.json');
  expect(parseScenarioFile(story, 'hello.json').scenarios).toMatchObject([{ name: 'hello' }]);
  expect(expectedOf(story)).toEqual({
    written: 'Hello – 漢字 🙂\n"quoted" and C:\\back\\slash\n',
    said: 'hello.txt is written.',
  });
});
