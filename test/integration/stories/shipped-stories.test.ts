import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadScenarioFiles, nodeScenarioFiles } from '../../../mock-llm-server/scenario/loading/load.ts';
import { parseYaml } from '../../../mock-llm-server/scenario/loading/parse-yaml.ts';
import { createScenarioSet } from '../../../mock-llm-server/scenario/prepare.ts';
import { nodeStoryDisk } from '../../../src/node/files/node-story-disk.ts';
import { storyListing } from '../../../src/node/files/story-listing.ts';
import { readStory } from '../../../src/stories/load-story.ts';
import { listStoryPrompts } from '../../../src/stories/play/story-prompts.ts';

const STORIES = path.join(import.meta.dirname, '../../../scenarios');
const PLAYGROUND = path.join(STORIES, '../examples/playground');
const listing = {
  ...storyListing,
  parseYaml: async (text: string) => parseYaml(text, 'story').value,
};

async function load() {
  const files = await loadScenarioFiles([STORIES], nodeScenarioFiles);
  const stories = await Promise.all(files.map((source) => readStory(source, nodeStoryDisk)));
  return { set: createScenarioSet(files), files, stories };
}

describe('the bundled stories', () => {
  it('are started by their own prompts and by no other', async () => {
    const { set, files, stories } = await load();
    for (const [index, { name, story }] of stories.entries()) {
      const own = files[index]?.content.scenarios.flatMap(({ name: scenario, trigger }) => {
        return typeof trigger !== 'string' && trigger.tool_result !== undefined ? [] : [scenario];
      });
      const [first = ''] = story.prompts;
      const started = set.scenarios.filter(
        ({ trigger }) => trigger.toolResult === undefined && trigger.find(first, first.toLowerCase()) !== undefined,
      );
      expect(
        started.map((scenario) => scenario.name),
        name,
      ).toEqual(own?.slice(0, 1));
    }
  });

  it('include one for every prompt in the answer to an unknown prompt, which works in the playground', async () => {
    const { set, stories } = await load();
    const offered = await listStoryPrompts(STORIES, PLAYGROUND, listing);
    const prompts = [...(set.defaultResponse ?? '').matchAll(/^- (.*)$/gm)].map(([, prompt = '']) => prompt);
    expect(prompts.length).toBeGreaterThan(5);
    const unknown = prompts.filter(
      (prompt) =>
        set.scenarios.every(({ trigger }) => trigger.find(prompt, prompt.toLowerCase()) === undefined) ||
        !offered.some((one) => one.toLowerCase().includes(prompt)),
    );
    expect(unknown).toEqual([]);
    expect(stories.length).toBeGreaterThanOrEqual(11);
  });

  it('are listed in the banner in the playground, unless it lacks their files or they need more than files', async () => {
    const others = [
      ...['agent-for-a-review', 'calls-in-text-of-xnl', 'denied-twice', 'denied-with-feedback'],
      ...['interrupted-call-has-a-result', 'named-file', 'plan-then-edit', 'refused-system-message'],
      ...['reminded-of-its-task', 'resumed-session', 'tasks-over-two-prompts', 'torn-log-is-repaired'],
    ];
    const { stories } = await load();
    const prompts = stories.flatMap(({ name, story }) => (others.includes(name) ? [] : story.prompts.slice(0, 1)));
    expect(await listStoryPrompts(STORIES, PLAYGROUND, listing)).toEqual(prompts);
  });
});
