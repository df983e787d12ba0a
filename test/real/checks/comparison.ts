import assert from 'node:assert/strict';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { Exchange } from '../../../mock-llm-server/record/exchange.ts';
import { createRecordingProxy } from '../../../mock-llm-server/record/proxy.ts';
import { createRecorder } from '../../../mock-llm-server/record/recorder.ts';
import { findWorkingDirectory } from '../../../mock-llm-server/reply/intents/working-directory.ts';
import { listen } from '../../../mock-llm-server/server/listen.ts';
import type { Wire } from '../../../src/providers/wires.ts';
import type { Address } from '../../../tooling/real/real-server.ts';
import type { Check } from '../check.ts';
import { createDesk, runYbs } from '../run-ybs.ts';
import { readArguments } from '../what-happened.ts';

/** Characters of a part that a report shows. */
const SHOWN = 400;

const STORIES = path.join(import.meta.dirname, '../../../scenarios');

/** A provider of ybs with this wire, which takes any endpoint. */
const PROVIDERS: Readonly<Record<Wire, string>> = {
  'openai-chat': 'openai-compatible',
  'openai-responses': 'codex',
  'anthropic-messages': 'anthropic',
  gemini: 'gemini',
  'ollama-chat': 'ollama',
};

const ReportSchema = z.object({
  stories: z.array(z.looseObject({ type: z.string(), problems: z.array(z.string()).optional() })),
});

/** The outcome of a story: the verdict of `ybs test`, and each answer of the server as it went over the wire. */
interface Played {
  readonly verdict: unknown;
  readonly answers: readonly unknown[];
}

/** The outcomes of the stories in the mock, by wire: the same for every server. */
const played = new Map<Wire, Promise<ReadonlyMap<string, Played>>>();

/** The name of the check. */
export const STORIES_CHECK = 'the stories of this project, as the mock plays them';

/** The checks that a server plays our stories as the mock does. */
export const COMPARISON_CHECKS: readonly Check[] = [
  {
    name: STORIES_CHECK,
    async run({ address, mock, stories, temporary, isFact }) {
      assert.ok(stories.length > 0, 'no story was compiled');
      const inMock = played.get(address.wire) ?? play(stories, mock, temporary);
      played.set(address.wire, inMock);
      const [expected, found] = await Promise.all([inMock, play(stories, address, temporary)]);
      const differences = stories.flatMap((story) => {
        const difference = differenceOf(expected.get(story), found.get(story));
        return difference === undefined || isFact(story, difference) ? [] : [`${story}: ${difference}`];
      });
      const title = `${differences.length} of ${stories.length} stories differ:`;
      assert.equal(differences.length, 0, [title, ...differences].join('\n'));
    },
  },
];

const PASSED = { type: 'passed', problems: undefined };

/** Stories that are played at the same time: most of them wait, for a timeout or before they send a request again. */
const LANES = 3;

/** Plays stories, in several lanes. */
async function play(
  stories: readonly string[],
  address: Address,
  temporary: string,
): Promise<ReadonlyMap<string, Played>> {
  const lanes = Array.from({ length: LANES }, (_, lane) => stories.filter((_story, index) => index % LANES === lane));
  const outcomes = await Promise.all(lanes.map((each) => playInOrder(each, address, temporary)));
  return new Map(outcomes.flatMap((each) => [...each]));
}

/** Plays stories with the approvals, commands, sessions and interruptions that they have, through a recorder. */
async function playInOrder(
  stories: readonly string[],
  address: Address,
  temporary: string,
): Promise<ReadonlyMap<string, Played>> {
  const recorder = createRecorder({ secrets: [] });
  const upstream = { url: new URL(address.endpoint.replace(/\/v1$/, '')) };
  const proxy = await listen(createRecordingProxy({ upstream, recorder }), {});
  try {
    const desk = await createDesk(temporary);
    const words = ['test', ...stories.map((story) => path.join(STORIES, story)), '--permission-mode', 'ask'];
    const model = ['--endpoint', proxy.url, '--provider', PROVIDERS[address.wire], '--model', address.model];
    const { stdout, stderr } = await runYbs([...words, ...model, '--reporter', 'json'], { address, desk });
    await recorder.settle();
    assert.notEqual(stdout, '', stderr);
    const { stories: verdicts } = ReportSchema.parse(JSON.parse(stdout));
    // Each story has a workspace of its own, which is in its prompt.
    const exchanges = new Map<string | undefined, Exchange[]>();
    for (const { exchange } of recorder.requests) {
      if (exchange === undefined) continue;
      const directory = findWorkingDirectory(exchange.conversation);
      exchanges.set(directory, [...(exchanges.get(directory) ?? []), exchange]);
    }
    assert.equal(exchanges.size, stories.length, 'not every story has sent a request');
    const byStory = [...exchanges.values()];
    return new Map(
      verdicts.map(({ type, problems }, index) => {
        const verdict = { type, problems: problems?.map(withoutAddress) };
        const own = byStory[index] ?? [];
        const answers = own.filter((each, at) => !isSentAgain(each, own[at + 1])).map(answerIn);
        return [stories[index] ?? '', { verdict, answers }];
      }),
    );
  } finally {
    await proxy.close();
  }
}

/** True if the server refused or failed a request, which ybs then sent again, perhaps in another form. */
function isSentAgain({ status = 0, conversation }: Exchange, next: Exchange | undefined): boolean {
  return status >= 400 && isDeepStrictEqual(next?.conversation.messages, conversation.messages);
}

/** The answer to a request: its texts, calls and end, or its error. Ids, pieces and token counts are left out. */
function answerIn({ status, answer, error }: Exchange): unknown {
  if (answer === undefined) return { status, error: error?.message };
  const { content = '', reasoning = '', toolCalls, finish } = answer;
  const calls = toolCalls.map((call) => ({ name: call.name, arguments: readArguments(call.arguments) }));
  // Servers remove white space around texts and reasoning.
  const texts = { content: content.trim(), reasoning: reasoning.replace(/\s/g, '') };
  return { ...texts, calls, finish, error: answer.error?.message };
}

function withoutAddress(problem: string): string {
  return problem.replaceAll(/127\.0\.0\.1:\d+/g, 'HOST');
}

/** The first part in which a server differs from the mock, with both; undefined if there is none. */
function differenceOf(expected: Played | undefined, found: Played | undefined): string | undefined {
  if (!isDeepStrictEqual(expected?.verdict, PASSED)) return `it fails in the mock: ${show(expected?.verdict)}`;
  const [answers, others] = [expected?.answers ?? [], found?.answers ?? []];
  // The answers come first, because they are the cause of another verdict.
  const length = Math.max(answers.length, others.length);
  const parts = Array.from({ length }, (_, index) => [`answer ${index + 1}`, others[index], answers[index]] as const);
  const different = [...parts, ['the end', found?.verdict, PASSED] as const].find(
    ([, other, value]) => !isDeepStrictEqual(other, value),
  );
  if (different === undefined) return undefined;
  const [part, other, value] = different;
  return `${part}: ${show(other)} – the mock: ${show(value)}`;
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? 'none').slice(0, SHOWN);
}
