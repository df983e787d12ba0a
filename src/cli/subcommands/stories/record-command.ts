import { UsageError } from '../../../agent/errors.ts';
import type { FileSystem } from '../../../agent/ports/file-system.ts';
import { EXIT_CODES } from '../../../app/exit.ts';
import { createWiring } from '../../../app/wiring.ts';
import { secretsOf } from '../../../policy/redaction/redact.ts';
import { exists } from '../../../session/session-names.ts';
import { snapshotWorkspace } from '../../../stories/play/snapshot-workspace.ts';
import { changedTree, createRunNotes } from '../../../stories/record-story.ts';
import { NO_EXTERNAL_TOOLS } from '../../../tools/external-tools.ts';
import { runPrompt } from '../../run-prompt.ts';
import type { RunSubcommand } from '../subcommand.ts';

/** Names that are one directory on every system. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}$/u;

/** Runs a prompt and writes the run as a story, which `ybs test` plays. The exit code is that of the run. */
export const recordCommand: RunSubcommand = async (request, ports) => {
  const { args, options, ownOptions } = request;
  const { machine, user, recording } = ports;
  if (ownOptions.has('from-drift') || ownOptions.has('step')) {
    return (await import('../sessions/replay-command.ts')).replayCommand(request, ports);
  }
  const [name = '', prompt] = args;
  if (prompt === undefined) throw new UsageError('ybs record needs a prompt: ybs record <name> <prompt>');
  if (!NAME.test(name)) {
    throw new UsageError(
      `"${name}" cannot be the name of a story. Use letters, digits, "-" and "_", or choose its directory with --out.`,
    );
  }
  if (!(await import('../../../stories/play/typed-texts.ts')).isMessageText(prompt)) {
    throw new UsageError(
      `A story types its prompts in the chat, where ${JSON.stringify(prompt)} is a command or chooses an agent. Use other words.`,
    );
  }
  const directory = machine.resolvePath(ownOptions.get('out')?.at(-1) ?? `scenarios/${name}`);
  const force = ownOptions.has('force');
  if (!force && (await exists(machine.fileSystem.stat(directory)))) {
    throw new UsageError(`${directory} exists already. Choose another name, or replace it with --force.`);
  }
  if (force) await checkReplaceable(directory, machine.fileSystem);
  const recorder = await recording.start(secretsOf(machine.environment, []));
  const { openFetch } = machine;
  if (openFetch === undefined) throw new Error('this machine has no fetch to record');
  const wiring = createWiring({ ...machine, openFetch: async (settings) => recorder.wrap(await openFetch(settings)) });
  const notes = createRunNotes();
  const { fileSystem, platform } = machine;
  const loaded = await wiring.loadSettings(options);
  const settings = { ...loaded, autoSave: false, externalTools: NO_EXTERNAL_TOOLS };
  const snapshot = () => snapshotWorkspace(settings.workspace, fileSystem, platform);
  const before = await snapshot();
  const exitCode = await runPrompt(
    prompt,
    options,
    {
      loadSettings: async () => settings,
      setConfig: wiring.setConfig,
      chooseSession: async () => ({ type: 'new' }),
      openSession: async (_, approver) => notes.session(await wiring.openSession(settings, notes.approver(approver))),
    },
    user,
  );
  const story = notes.story(settings);
  if (story === undefined || notes.outcome() === undefined || notes.outcome() === 'aborted') {
    await user.warn('The run was stopped, so no story is written.');
    return exitCode;
  }
  const run = { story, workspace: before, expected: changedTree(before, await snapshot()), agent: 'ybs' };
  const { files, scenarios, notes: sentences } = await recorder.finish(run);
  for (const sentence of sentences) await user.warn(sentence);
  if (scenarios.length === 0) {
    await user.warn('The model did not answer, so no story is written.');
    return exitCode;
  }
  // The lock is written below: another provider than that of tests may have other settings.
  const written = new Map([...files].filter(([file]) => file !== 'prompt.lock.json'));
  await recording.write(directory, written, { replaces: force });
  await user.warn(
    `Recorded in ${directory}. Play it with: ybs test ${ownOptions.get('out')?.at(-1) ?? `scenarios/${name}`}`,
  );
  const { lockStory } = await import('../sessions/replay-command.ts');
  const tested = await lockStory(directory, options, ports);
  return tested === EXIT_CODES.done ? exitCode : tested;
};

/** Throws `UsageError` for a directory that is not a story: `--force` replaces all that a directory has. */
async function checkReplaceable(directory: string, fileSystem: FileSystem): Promise<void> {
  if (!(await exists(fileSystem.stat(directory)))) return;
  const names = (await fileSystem.list(directory)).map(({ name }) => name);
  if (names.length === 0 || (names.includes('scenario.json') && !names.includes('.git'))) return;
  throw new UsageError(`${directory} is not a story, so --force does not replace it. Choose another directory.`);
}
