import type { ScenarioFile } from '../../../mock-llm-server/scenario/format.ts';
import { ModelError, UsageError } from '../../agent/errors.ts';
import type { SessionOptions } from '../../app/settings.ts';
import type { Wiring } from '../../app/wiring.ts';
import { GENERIC_PROVIDER } from '../../providers/target/presets.ts';
import type { PlayableStory, StoryPlayer } from './play-story.ts';

/** A server that `--endpoint` names, with the provider that speaks to it and the model to ask for, if these are given. */
export type NamedServer = SessionOptions & { readonly endpoint: string };

/** Rejects, with the reason for the user, if no server runs at the address. */
async function reachServer(
  server: NamedServer,
  wiring: Pick<Wiring, 'listModels'>,
  signal: AbortSignal,
): Promise<void> {
  await wiring.listModels(server, signal).catch((error: unknown) => {
    // Not every server has a list of models.
    if (error instanceof ModelError && error.code === 'unreachable') throw error;
  });
}

/** The options of a session on a server that has the model of a story loaded: `mock-llm-server weights` writes it. */
export async function chooseServerModel(
  options: NamedServer,
  wiring: Pick<Wiring, 'listModels'>,
  signal: AbortSignal,
): Promise<NamedServer> {
  const { endpoint, provider = GENERIC_PROVIDER, model } = options;
  const server = { ...options, provider };
  if (model !== undefined) {
    await reachServer(server, wiring, signal);
    return server;
  }
  const { models } = await wiring.listModels(server, signal);
  const [only, ...others] = models;
  if (only !== undefined && others.length === 0) return { ...server, model: only.name };
  const offered = models.length === 0 ? 'no model' : models.map(({ name }) => name).join(', ');
  throw new UsageError(`The server at ${endpoint} offers ${offered}. Choose one: --model <name>.`);
}

/** A player that starts nothing, and rejects with the reason for the user, while the server does not run. */
export function whileServerRuns(
  player: StoryPlayer,
  server: NamedServer,
  wiring: Pick<Wiring, 'listModels'>,
): StoryPlayer {
  return {
    ...player,
    async play(playable, workspace, signal) {
      await reachServer(server, wiring, signal);
      return player.play(playable, workspace, signal);
    },
  };
}

/** A player that also checks the last answer of a story, because a server does not report which step has answered. */
export function withAnswerCheck(player: StoryPlayer): StoryPlayer {
  return {
    ...player,
    async play(playable, workspace, signal) {
      const played = await player.play(playable, workspace, signal);
      const { answer, outcome, problems } = played;
      if (answer === undefined || outcome !== 'done') return played;
      return { ...played, problems: [...problems, ...checkAnswer(answer, playable)] };
    },
  };
}

function checkAnswer(answer: string, { source }: Pick<PlayableStory, 'source'>): readonly string[] {
  const endings = endingsOf(source.content);
  if (endings === undefined || endings.includes(visibleText(answer))) return [];
  return [`the last answer is not the last step of a scenario: ${JSON.stringify(answer)}`];
}

/** The texts with which scenarios end; undefined if one of them depends on the request. */
function endingsOf({ scenarios, default_response: other }: ScenarioFile): readonly string[] | undefined {
  const steps = scenarios.flatMap((scenario) => scenario.steps.slice(-1));
  const texts = [
    ...steps.flatMap((step) => ('response' in step ? textIn(step.response.content) : [])),
    ...(other === undefined ? [] : [other.content]),
  ];
  return texts.some((text) => text.includes('{{')) ? undefined : texts.map(visibleText);
}

/** The text of a content, which may be a list of blocks. */
function textIn(content: string | null | undefined | readonly object[]): string {
  if (typeof content === 'string') return content;
  return (content ?? []).flatMap((block) => ('text' in block ? [String(block.text)] : [])).join('');
}

/** A text without reasoning in it, as ybs shows it. */
function visibleText(text: string): string {
  return text.replace(/^\s*<think>[\s\S]*?<\/think>/, '').trim();
}
