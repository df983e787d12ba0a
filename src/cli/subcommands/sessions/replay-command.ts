import type { Story } from '../../../../mock-llm-server/scenario/format.ts';
import { UsageError } from '../../../agent/errors.ts';
import type { Approver } from '../../../agent/ports/approver.ts';
import type { AgentEvent } from '../../../agent/ports/events.ts';
import { createApprover } from '../../../app/driver/questions.ts';
import { EXIT_CODES } from '../../../app/exit.ts';
import type { Agent } from '../../../app/session.ts';
import type { OpenSession, Settings } from '../../../app/settings.ts';
import type { Terminal } from '../../../app/terminal.ts';
import { createWiring } from '../../../app/wiring.ts';
import { secretsOf } from '../../../policy/redaction/redact.ts';
import { describeDrift } from '../../../stories/check-requests.ts';
import { compareAnswers } from '../../../stories/drift/compare-answers.ts';
import { answerAt, checkReplayable, renewStory, replaceRecording } from '../../../stories/drift/replay-story.ts';
import { readStory } from '../../../stories/load-story.ts';
import type { PlayableStory } from '../../../stories/play/play-story.ts';
import { approveInOrder } from '../../../stories/play/play-with-ybs.ts';
import { typeText } from '../../../stories/play/typed-texts.ts';
import { createRunNotes } from '../../../stories/record-story.ts';
import { showAsText } from '../../../terminal/chat/follow-run.ts';
import { renderSettings } from '../../../terminal/chat/render.ts';
import { askAtTerminal } from '../../../terminal/question/ask-at-terminal.ts';
import { NO_EXTERNAL_TOOLS } from '../../../tools/external-tools.ts';
import type { ModelRecorder } from '../../recording.ts';
import type { StoryAdapters, SubcommandPorts, SubcommandRequest } from '../subcommand.ts';

/** Answers of a story that no run reaches. */
const ALL = Number.MAX_SAFE_INTEGER;

/**
 * `ybs record --from-drift STORY`: re-records a story from the first step whose prompt differs from its lock.
 * `ybs record --step N STORY`: shows what the model answers in place of the story's answer number N. Returns the exit
 * code.
 */
export async function replayCommand(request: SubcommandRequest, ports: SubcommandPorts): Promise<number> {
  const { args, ownOptions } = request;
  const [path = '', ...others] = args;
  const misplaced = ['out', 'force'].find((name) => ownOptions.has(name));
  if (others.length > 0 || misplaced !== undefined) {
    throw new UsageError('ybs record --from-drift and --step take the path of one story and nothing else.');
  }
  const step = ownOptions.get('step')?.at(-1);
  if (step !== undefined && ownOptions.has('from-drift')) {
    throw new UsageError('--step asks for one answer, --from-drift for all from the first drift on. Use one of them.');
  }
  const { mockModel, disk } = await ports.loadStories();
  await disk.recover(ports.machine.resolvePath(path));
  const [source, ...more] = await mockModel.load([path]);
  if (source === undefined || more.length > 0) {
    throw new UsageError(`${path} has ${more.length + 1} stories. Name one of them.`);
  }
  const playable = await readStory(source, disk);
  if (playable.session !== undefined) {
    throw new UsageError(`${playable.name} continues a session, and only ybs test plays such stories.`);
  }
  const run = { request, ports, disk, playable };
  if (step === undefined) return recordFromDrift(run);
  if (!/^\d{1,6}$/.test(step)) throw new UsageError(`--step must be a number from 0, not "${step}".`);
  return compareStep(run, Number(step));
}

interface Run {
  readonly request: SubcommandRequest;
  readonly ports: SubcommandPorts;
  readonly disk: StoryAdapters['disk'];
  readonly playable: PlayableStory;
}

async function recordFromDrift(run: Run): Promise<number> {
  const { request, ports, disk, playable } = run;
  const { user } = ports;
  checkReplayable(playable);
  const notes = createRunNotes();
  const played = await play(run, undefined, async ({ recorder, settings, open, workspace, stop }) => {
    const { agent, close } = notes.session(await open((approver) => notes.approver(approver)));
    const show = showAsText(user, renderSettings(settings, user));
    try {
      for await (const events of runsOf(playable.story, agent, stop.signal))
        for await (const event of events) if (!(await show(event))) stop.abort();
    } finally {
      await close();
    }
    const outcome = notes.outcome() ?? 'aborted';
    const live = recorder.live();
    if (live === undefined && outcome !== 'aborted') {
      await user.warn('No prompt differs from prompt.lock.json, so the recording stays as it is.');
      return { outcome: 'done', isNew: false } as const;
    }
    if (outcome === 'aborted' || outcome === 'failed') {
      await user.warn('The run did not finish, so the recording stays as it is.');
      return { outcome, isNew: false } as const;
    }
    const place = live?.at ?? { scenario: '', step: 0 };
    const drift = (live?.drift ?? []).map((part) => ({ ...place, ...part }));
    for (const part of drift) await user.warn(`The model answered from here on: ${describeDrift(part, drift)}`);
    const renewed = renewStory(playable.story, notes.story(settings) ?? {});
    const files = async (story: Story) => {
      const run = { story, workspace: new Map(), expected: undefined, agent: 'ybs' };
      const made = await recorder.finish(run);
      for (const note of made.notes) await user.warn(note);
      return made.files;
    };
    await replaceRecording({ ...playable, story: renewed }, { files, workspace }, disk);
    return { outcome: 'done', isNew: true } as const;
  });
  if (!played.isNew) return EXIT_CODES[played.outcome];
  return lockStory(playable.file, request.options, ports);
}

/**
 * Plays a story that was just recorded with the embedded model, as later tests do, and accepts its prompts. Returns the
 * exit code.
 */
export function lockStory(
  story: string,
  { endpoint: _endpoint, model: _model, provider: _provider, ...options }: SubcommandRequest['options'],
  { testStories }: Pick<SubcommandPorts, 'testStories'>,
): Promise<number> {
  const reporter = options.outputFormat;
  return testStories([story], { ...options, reporter, update: false, watch: false, drift: 'off', rebase: true });
}

async function compareStep(run: Run, index: number): Promise<number> {
  const { ports, playable } = run;
  const answer = (step: number) =>
    play(run, step, async ({ open, stop }) => {
      const { agent, close } = await open((approver) => approver);
      return answerAt(runsOf(playable.story, agent, stop.signal), index).finally(close);
    });
  const recorded = await answer(ALL);
  if (recorded === undefined) {
    throw new UsageError(`The run of ${playable.name} has no answer number ${index}; the first is 0.`);
  }
  const live = await answer(index);
  if (live === undefined) throw new Error(`the model gave no answer number ${index}`);
  const left = { title: `recorded, answer ${index}`, message: recorded.message };
  await ports.user.write(compareAnswers(left, { title: `now from ${live.model}`, message: live.message }));
  return EXIT_CODES.done;
}

/** The runs of a story, whose user types each text when the run before it has ended. */
async function* runsOf(
  { prompts }: Story,
  agent: Agent,
  signal: AbortSignal,
): AsyncGenerator<AsyncIterable<AgentEvent>> {
  for (const text of prompts) {
    const { prompt } = await typeText(text, agent, signal);
    if (prompt !== undefined) yield agent.run(prompt, signal);
  }
}

/** Settings and ports of a run. */
interface OpenRun {
  readonly recorder: ModelRecorder;
  readonly settings: Settings;
  readonly workspace: string;
  readonly stop: AbortController;
  /** Opens the session of the run; `watch` may watch its approver. */
  open(watch: (approver: Approver) => Approver): Promise<OpenSession>;
}

/** Plays a story in a copy of its workspace; for `step`, see `ReplayedFile`. */
async function play<Result>(
  { request, ports, disk, playable }: Run,
  step: number | undefined,
  use: (run: OpenRun) => Promise<Result>,
): Promise<Result> {
  const { machine, user, recording } = ports;
  const { options } = request;
  const { source, story } = playable;
  const replayed = { source, ...(step !== undefined && { step }) };
  const recorder = await recording.start(secretsOf(machine.environment, []), replayed);
  const { openFetch } = machine;
  if (openFetch === undefined) throw new Error('this machine has no fetch to record');
  const wiring = createWiring({ ...machine, openFetch: async (settings) => recorder.wrap(await openFetch(settings)) });
  const workspace = await disk.createWorkspace(playable.workspace);
  const stop = new AbortController();
  const unsubscribe = user.onStop(() => stop.abort());
  let terminal: Terminal | undefined;
  try {
    const loaded = await wiring.loadSettings({
      ...options,
      cwd: workspace,
      trusted: story.trust ?? true,
      permissionMode: story.permission_mode ?? options.permissionMode ?? 'ask',
      dryRun: story.dry_run ?? options.dryRun,
      ...(story.tool_protocol !== undefined && { toolProtocol: story.tool_protocol }),
    });
    const settings = { ...loaded, autoSave: false, externalTools: NO_EXTERNAL_TOOLS };
    terminal = step === undefined && user.interactive ? await user.openTerminal() : undefined;
    terminal?.onInterrupt(() => stop.abort());
    const { write } = user;
    const { palette } = renderSettings(settings, user);
    const asker = createApprover(
      () => terminal && askAtTerminal({ terminal, write, palette, interruptRun: () => stop.abort() }),
    );
    const open: OpenRun['open'] = (watch) =>
      wiring.openSession(settings, watch(approveInOrder([...(story.approvals ?? [])], asker)));
    return await use({ recorder, settings, workspace, stop, open });
  } finally {
    unsubscribe();
    terminal?.close();
    await disk.remove(workspace);
  }
}
