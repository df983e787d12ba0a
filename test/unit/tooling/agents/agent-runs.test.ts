import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { parseScenarioFile } from '../../../../mock-llm-server/scenario/loading/parse.ts';
import { type AgentRun, shellCommand } from '../../../../tooling/agents/agent-run.ts';
import { AGENT_RUNS } from '../../../../tooling/agents/agent-runs.ts';
import { RESULTS_FILE, RESULTS_LINE, STORIES } from '../../../../tooling/agents/stories.ts';
import { describeRuns } from '../../../../tooling/docs/agents.ts';

const IntentsSchema = z.object({
  scenarios: z.tuple([
    z.object({
      steps: z.array(
        z.discriminatedUnion('intent', [
          z.object({ intent: z.literal('write_file'), path: z.string(), content: z.string() }),
          z.object({ intent: z.literal('edit_file'), path: z.string(), old_text: z.string(), new_text: z.string() }),
          z.object({ intent: z.literal('shell'), command: z.string() }),
          z.object({ intent: z.enum(['list_files', 'search_files', 'read_file']).optional() }),
        ]),
      ),
    }),
  ]),
});

const read = (name: string) => readFileSync(new URL(`../../../../${name}`, import.meta.url), 'utf8');
const page = read('docs/agents.md');
const sample: AgentRun = {
  name: 'sample',
  agent: { title: 'Sample', name: 'sample-agent', version: '1.0.0', bin: 'sample', needsInstallScript: false },
  bin: 'sample',
  protocol: 'openai-chat',
  files: { '.sample/config.json': '{"url":"$BASE/v1"}\n' },
  environment: { KEY: 'unused', URL: '$BASE' },
  args: ['run', '$PROMPT'],
};

it('the shell command of a run starts with its environment', () => {
  expect(shellCommand(sample)).toBe('KEY=unused \\\n  URL="$BASE" \\\n  sample run "$PROMPT"');
});

it('a run with preparation has two shell commands', () => {
  const run = { ...sample, environment: { KEY: 'unused' }, before: ['auth', '-b', '$BASE'] };
  expect(shellCommand(run)).toBe('KEY=unused \\\n  sample auth -b "$BASE"\nKEY=unused \\\n  sample run "$PROMPT"');
});

it('every run has a unique name', () => {
  expect(new Set(AGENT_RUNS.map(({ name }) => name)).size).toBe(AGENT_RUNS.length);
});

describe('docs/agents.md', () => {
  it('shows the first story and its prompt, and the prompt of the second', () => {
    const [hello, repair] = STORIES;
    // The path of the schema exists in the clone only.
    const shown = read('tooling/agents/hello.json').replace(/^ {2}"\$schema".*\n/m, '');
    expect(page).toContain(`\`\`\`json\n${shown}\`\`\``);
    expect(page).toContain(`PROMPT="${hello?.prompt}"`);
    expect(page.replaceAll(/\s+/g, ' ')).toContain(repair?.prompt);
  });

  it('shows the first run of an agent in full and the differences of the others', () => {
    const environment = { KEY: 'unused', URL: '$BASE/v1' };
    const other: AgentRun = { ...sample, protocol: 'gemini', environment, note: 'It is slow.' };
    expect(describeRuns([sample, other])).toBe(
      [
        'Over `openai-chat`:',
        '`~/.sample/config.json`:',
        '```json\n{"url":"$BASE/v1"}\n```',
        '```sh\nKEY=unused \\\n  URL="$BASE" \\\n  sample run "$PROMPT"\n```',
        'It is slow.',
        'Over `gemini`, changed:',
        '```diff\n-   URL="$BASE" \\\n+   URL="$BASE/v1" \\\n```',
      ].join('\n\n'),
    );
  });
});

describe.each(STORIES)('the story $name', ({ name, prompt, workspace, expected }) => {
  const [scenario] = parseScenarioFile(read(`tooling/agents/${name}.json`), `${name}.json`).scenarios;
  const steps = scenario?.steps ?? [];

  it('starts with its prompt and ends with the expected text', () => {
    expect(scenario).toMatchObject({ name });
    expect(prompt.toLowerCase()).toContain(scenario?.trigger);
    expect(steps).toHaveLength(expected.steps);
    expect(steps.at(-1)).toEqual({ response: { content: expected.text } });
  });

  it('produces the expected files', () => {
    const text = read(`tooling/agents/${name}.json`);
    const files = new Map(Object.entries(workspace));
    for (const intent of IntentsSchema.parse(JSON.parse(text)).scenarios[0].steps) {
      if (intent.intent === 'write_file') files.set(intent.path, intent.content);
      if (intent.intent === 'edit_file') {
        files.set(intent.path, files.get(intent.path)?.replace(intent.old_text, () => intent.new_text) ?? '');
      }
      if (intent.intent === 'shell') {
        const [, from = '', to = ''] = /^cp (\S+) (\S+)/.exec(intent.command) ?? [];
        files.set(to, files.get(from) ?? '');
      }
    }
    const seen = files.get(RESULTS_FILE)?.split(RESULTS_LINE) ?? [];
    expect(seen).toHaveLength(expected.results.length);
    for (const [file, content] of Object.entries(expected.files)) expect(files.get(file)).toBe(content);
  });
});
