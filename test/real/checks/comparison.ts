import assert from 'node:assert/strict';
import { cp, readFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { Address } from '../../../tooling/real/real-server.ts';
import { type Check, NotRun } from '../check.ts';
import { createDesk, runPrompt } from '../run-ybs.ts';
import { serverFact } from '../server-facts.ts';
import { type WhatHappened, whatHappened } from '../what-happened.ts';

/** Characters of a part that a report shows. */
const SHOWN = 400;

const STORIES = path.join(import.meta.dirname, '../../../scenarios');

const StorySchema = z.looseObject({
  prompts: z.array(z.string()),
  workspace: z.string().optional(),
  session: z.string().optional(),
  interrupt: z.string().optional(),
  dry_run: z.boolean().optional(),
  approvals: z.array(z.unknown()).optional(),
  tool_protocol: z.string().optional(),
});
const ScenarioSchema = z.looseObject({ story: StorySchema.optional() });

/** A run without the contents of results, which contain times. */
type Played = Omit<WhatHappened, 'calls'> & { readonly calls: readonly unknown[] };

/** What the mock did with a story, by wire and story: the same for every server. */
const played = new Map<string, ReturnType<typeof play>>();

/** The name of the check. */
export const STORIES_CHECK = 'the stories of this project, as the mock plays them';

/** The checks that a server plays our stories as the mock does. */
export const COMPARISON_CHECKS: readonly Check[] = [
  {
    name: STORIES_CHECK,
    async run({ server, address, mock, stories, temporary }) {
      if (address.behind !== undefined) throw new NotRun('what is behind the gateway is compared itself');
      const differences: string[] = [];
      let compared = 0;
      for (const story of stories) {
        if (serverFact(server, address.wire, story) !== undefined) continue;
        const key = `${address.wire} ${story}`;
        const inMock = played.get(key) ?? play(story, mock, temporary);
        played.set(key, inMock);
        const expected = await inMock;
        if (expected === undefined) continue;
        compared += 1;
        const difference = differenceOf(expected, await play(story, address, temporary));
        if (difference !== undefined) differences.push(`${story}: ${difference}`);
      }
      assert.ok(compared > 0, 'no story was compared');
      assert.equal(
        differences.length,
        0,
        `${differences.length} of ${compared} stories differ:\n${differences.join('\n')}`,
      );
    },
  },
];

/** Plays the prompts of a story one after the other; undefined for a story that needs more than prompts and full access. */
async function play(name: string, address: Address, temporary: string): Promise<readonly Played[] | undefined> {
  const directory = path.join(STORIES, name);
  const { prompts, workspace = 'workspace', session, interrupt, ...rest } = await readStory(directory);
  const { dry_run: dryRun, tool_protocol: protocol, approvals = [] } = rest;
  const isDenied = approvals.some((each) => typeof each !== 'string' || each === 'deny' || each === 'timeout');
  const needsMore = [session, interrupt, dryRun, protocol].some((value) => value !== undefined);
  if (isDenied || needsMore || prompts.some((prompt) => /^[/!]|@agent:/.test(prompt))) return undefined;
  const desk = await createDesk(temporary);
  await cp(path.join(directory, workspace), desk.workspace, { recursive: true }).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  });
  const runs: Played[] = [];
  for (const [turn, prompt] of prompts.entries()) {
    const ended = await runPrompt(prompt, { address, desk }, ...(turn === 0 ? [] : ['--continue']));
    const { texts, reasoning, finishes, calls, outcome, message, code } = whatHappened(ended);
    runs.push({
      texts,
      reasoning: reasoning.replace(/\s/g, ''),
      finishes,
      calls: calls.map(({ content: _content, ...call }) => call),
      outcome,
      message: message.replaceAll(new URL(address.endpoint).host, 'HOST'),
      code,
    });
  }
  return runs;
}

/** The first part in which a server differs from the mock, with both; undefined if there is none. */
function differenceOf(expected: readonly Played[], found: readonly Played[] = []): string | undefined {
  for (const [index, run] of expected.entries()) {
    for (const [part, value] of Object.entries(run)) {
      const other = Object.entries(found[index] ?? {}).find(([name]) => name === part)?.[1];
      if (isDeepStrictEqual(value, other)) continue;
      return `${part}: ${JSON.stringify(other)?.slice(0, SHOWN)} – the mock: ${JSON.stringify(value).slice(0, SHOWN)}`;
    }
  }
  return undefined;
}

/** The story of a directory: a field of its scenario file, or a file of its own. */
async function readStory(directory: string): Promise<z.infer<typeof StorySchema>> {
  const read = async (name: string): Promise<unknown> => JSON.parse(await readFile(path.join(directory, name), 'utf8'));
  const { story } = ScenarioSchema.parse(await read('scenario.json'));
  return story ?? StorySchema.parse(await read('story.json'));
}
