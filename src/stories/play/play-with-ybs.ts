import type { Story } from '../../../mock-llm-server/scenario/format.ts';
import type { ObservedPrompt } from '../../../mock-llm-server/scenario/lock/prompt-lock.ts';
import type { ApprovalDecision, ApprovalRequest, Approver } from '../../agent/ports/approver.ts';
import type { AgentEvent, RunOutcome } from '../../agent/ports/events.ts';
import { answersTo } from '../../app/driver/answers.ts';
import type { OpenSession } from '../../app/settings.ts';
import { restoredNotes } from '../../session/log/restored-notes.ts';
import type { MockRequest } from '../check-requests.ts';
import { addToMeasure, NOTHING_DONE } from './measure-play.ts';
import type { PlayableStory, StoryPlayer } from './play-story.ts';
import { typeText } from './typed-texts.ts';

/** An agent in the workspace of a story, and the requests to its model so far. */
export interface OpenStory extends OpenSession {
  /** Absent for a model that the scenarios of the story do not play. */
  readonly requests?: () => readonly MockRequest[];
  /** The prompts of these requests, if they were kept. */
  readonly prompts?: () => readonly ObservedPrompt[];
  /** Gets each event of a run. */
  readonly onEvent?: (event: AgentEvent) => void;
}

export type OpenStoryAgent = (playable: PlayableStory, workspace: string, approver: Approver) => Promise<OpenStory>;

/**
 * Plays stories with ybs itself: every prompt in one session, with the approvals of the story. `missingSandbox` is the
 * reason why there is no sandbox, without which a story that requires it is skipped.
 */
export function createYbsPlayer(
  openAgent: OpenStoryAgent,
  missingSandbox: () => Promise<string | undefined> = async () => undefined,
): StoryPlayer {
  return {
    async skipReason({ sandbox }) {
      const missing = sandbox === 'required' ? await missingSandbox() : undefined;
      return missing === undefined ? undefined : `it requires the sandbox, which is off: ${missing}`;
    },
    async play(playable, workspace, signal) {
      const answers = createStoryApprover(playable.story);
      const { agent, close, requests, prompts, onEvent } = await openAgent(playable, workspace, answers.approver);
      const { prompts: texts, interrupt } = playable.story;
      const results: string[] = [];
      const warnings = [...restoredNotes(agent)];
      const details: string[] = [];
      let measure = NOTHING_DONE;
      let answer: string | undefined;
      let ended: { readonly outcome: RunOutcome; readonly message: string } | undefined;
      try {
        for (const text of texts) {
          const stop = new AbortController();
          const { prompt, notes } = await typeText(text, agent, signal);
          details.push(...notes.map((note) => `after ${text}: ${note}`));
          if (prompt === undefined) continue;
          for await (const event of agent.run(prompt, AbortSignal.any([signal, stop.signal]))) {
            onEvent?.(event);
            measure = addToMeasure(measure, event);
            const isFirst = ended === undefined;
            if (isFirst && event.type === INTERRUPTED_AT[interrupt ?? 'never']) stop.abort();
            if (event.type === 'tool_result') results.push(event.content);
            if (event.type === 'assistant_message') answer = event.message.content;
            if (event.type === 'warning') warnings.push(event.message);
            if (event.type === 'run_end') ended = event;
          }
        }
      } finally {
        await close();
      }
      return {
        outcome: ended?.outcome,
        message: ended?.message ?? '',
        results,
        warnings,
        ...(answer !== undefined && { answer }),
        ...(requests !== undefined && { requests: requests().map(withoutImplied) }),
        prompts: prompts?.() ?? [],
        measure,
        problems: answers.problems(),
        details,
      };
    },
  };
}

/** A request without the expectation that ybs offers the tools of its answer: it takes calls under other names, too. */
function withoutImplied(request: MockRequest): MockRequest {
  const { unmet } = request;
  return unmet === undefined ? request : { ...request, unmet: unmet.filter(({ implied }) => implied !== true) };
}

/** The event at which the user of a story presses Ctrl-C. */
const INTERRUPTED_AT = { answer: 'text_delta', tool_call: 'tool_call', never: undefined } as const;

type StoryAnswer = NonNullable<Story['approvals']>[number];

/** An approver that takes the answers out of a list, in order; when it is empty, `other` answers. */
export function approveInOrder(remaining: StoryAnswer[], other: Approver): Approver {
  return {
    async decide(request, signal) {
      signal.throwIfAborted();
      const answer = remaining.shift();
      return answer === undefined ? other.decide(request, signal) : decisionOf(answer, request);
    },
  };
}

function decisionOf(answer: StoryAnswer, request: ApprovalRequest): ApprovalDecision {
  if (answer === 'timeout') return { type: 'unavailable', afterSeconds: 300 };
  if (typeof answer === 'string') {
    if (answer === 'all') return { type: 'once', all: true };
    // Also the plain answer to a plan, which has answers of its own.
    if (answer === 'once' || answer === 'session' || answer === 'deny') return { type: answer };
    return answersTo(request, undefined).find(({ name }) => name === answer)?.decision ?? { type: 'deny' };
  }
  return 'edit' in answer ? { type: 'edit', command: answer.edit } : { type: 'deny', feedback: answer.deny };
}

/**
 * Creates an approver that returns the story's answers in order; a question without an answer is denied. A story that
 * has no answers and expects the outcome `denied` is played as if there were no terminal.
 */
export function createStoryApprover(story: Story) {
  const withoutTerminal = story.approvals === undefined && story.expected_outcome === 'denied';
  const remaining = [...(story.approvals ?? [])];
  const unanswered: string[] = [];
  return {
    approver: approveInOrder(remaining, {
      async decide({ toolName, effect }) {
        if (withoutTerminal) return { type: 'unavailable' };
        unanswered.push(`story.approvals has no answer for ${toolName}: ${effect.summary}`);
        return { type: 'deny' };
      },
    }),
    /** Questions without an answer, and unused answers. */
    problems: () => [
      ...unanswered,
      ...remaining.map((answer) => `story.approvals has an unused answer: ${JSON.stringify(answer)}`),
    ],
  };
}
