import type { Story } from '../../mock-llm-server/scenario/format.ts';
import type { OpenSession } from '../app/wiring.ts';
import { messageOf } from '../core/errors.ts';
import type { ApprovalDecision, Approver } from '../ports/approver.ts';
import type { RunOutcome } from '../ports/events.ts';
import { compareTrees, type FileTree } from './compare-trees.ts';

/** A story, ready to play. Directories are absolute. */
export interface PlayableStory {
  readonly name: string;
  readonly story: Story;
  readonly workspace: string | undefined;
  /** The expected files; without this directory the workspace must stay unchanged. */
  readonly expected: string | undefined;
}

/** Result of one story. `problems` is empty when it passed; `kept` is the directory of a story that failed. */
export interface StoryResult {
  readonly name: string;
  readonly problems: readonly string[];
  readonly kept?: string;
  readonly durationMs: number;
}

/** The directories of stories on the disk. */
export interface StoryDisk {
  /** Creates a directory with a copy of `source`, or an empty one; returns its real path. */
  createWorkspace(source: string | undefined): Promise<string>;
  /** Reads every file below the directory; ignores empty directories. */
  readTree(directory: string): Promise<FileTree>;
  remove(directory: string): Promise<void>;
}

/** Ports of `playStory`. */
export interface StoryPorts {
  readonly disk: StoryDisk;
  /** Opens the agent of the story, in its workspace. */
  readonly openAgent: (workspace: string, approver: Approver) => Promise<OpenSession>;
  /** Milliseconds, for durations. */
  readonly now: () => number;
}

/**
 * Plays one story in a copy of its workspace: every prompt in one session, with the approvals of the story. The copy
 * is removed when the story passed and kept when it failed.
 */
export async function playStory(playable: PlayableStory, ports: StoryPorts, signal: AbortSignal): Promise<StoryResult> {
  const started = ports.now();
  const { disk } = ports;
  const directory = await disk.createWorkspace(playable.workspace);
  const problems = await play(playable, directory, ports, signal).then(
    (found) => [...found],
    (error: unknown) => [`could not be played: ${messageOf(error)}`],
  );
  const before = playable.expected ?? playable.workspace;
  const expected = before === undefined ? new Map<string, Uint8Array>() : await disk.readTree(before);
  problems.push(...compareTrees(expected, await disk.readTree(directory)));
  const result = { name: playable.name, problems, durationMs: ports.now() - started };
  if (problems.length > 0) return { ...result, kept: directory };
  await disk.remove(directory);
  return result;
}

async function play(
  playable: PlayableStory,
  directory: string,
  ports: StoryPorts,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { story } = playable;
  const answers = createStoryApprover(story);
  const { agent, close } = await ports.openAgent(directory, answers.approver);
  const results: string[] = [];
  let ended: { readonly outcome: RunOutcome; readonly message: string } | undefined;
  try {
    for (const prompt of story.prompts) {
      for await (const event of agent.run(prompt, signal)) {
        if (event.type === 'tool_result') results.push(event.content);
        if (event.type === 'run_end') ended = event;
      }
    }
  } finally {
    await close();
  }
  const expected = story.expected_outcome ?? 'done';
  const outcome =
    ended?.outcome === expected ? [] : [`expected the outcome ${expected}, got ${ended?.outcome}: ${ended?.message}`];
  const missing = (story.expected_result_contains ?? []).filter(
    (text) => !results.some((result) => result.includes(text)),
  );
  return [
    ...outcome,
    ...answers.problems(),
    ...missing.map((text) => `no tool result contains ${JSON.stringify(text)}; the results were:\n${list(results)}`),
  ];
}

function list(results: readonly string[]): string {
  return results.length === 0 ? '(none)' : results.map((result, index) => `[${index + 1}] ${result}`).join('\n');
}

/** An approver with the answers of a story. */
export interface StoryApprover {
  readonly approver: Approver;
  /** Questions without an answer, and unused answers. */
  problems(): readonly string[];
}

/**
 * Creates an approver that returns the story's answers in order; a question without an answer is denied. A story that
 * has no answers and expects the outcome `denied` is played as if there were no terminal.
 */
export function createStoryApprover(story: Story): StoryApprover {
  const withoutTerminal = story.approvals === undefined && story.expected_outcome === 'denied';
  const remaining = [...(story.approvals ?? [])];
  const unanswered: string[] = [];
  return {
    approver: {
      async decide(request, signal): Promise<ApprovalDecision> {
        signal.throwIfAborted();
        if (withoutTerminal) return { type: 'unavailable' };
        const answer = remaining.shift();
        if (answer === undefined) {
          unanswered.push(`story.approvals has no answer for ${request.toolName}: ${request.effect.summary}`);
          return { type: 'deny' };
        }
        return typeof answer === 'string' ? { type: answer } : { type: 'deny', feedback: answer.deny };
      },
    },
    problems: () => [
      ...unanswered,
      ...remaining.map((answer) => `story.approvals has an unused answer: ${JSON.stringify(answer)}`),
    ],
  };
}
