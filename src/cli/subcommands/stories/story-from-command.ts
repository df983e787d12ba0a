import { UsageError } from '../../../agent/errors.ts';
import { EXIT_CODES } from '../../../app/exit.ts';
import { exists } from '../../../session/session-names.ts';
import { countOf } from '../../../text/quantities.ts';
import type { SubcommandRequest, Uses } from '../subcommand.ts';

/** `ybs story from FILE…`: writes recordings of other tools as one story. Exit code 1 if nothing could be converted. */
export async function storyFromCommand(
  { args, ownOptions }: Pick<SubcommandRequest, 'args' | 'ownOptions'>,
  {
    machine,
    user,
    recording,
  }: Uses<{ machine: 'fileSystem' | 'resolvePath'; user: 'write'; recording: 'convert' | 'write' }>,
): Promise<number> {
  const directory = machine.resolvePath(ownOptions.get('out')?.at(-1) ?? `scenarios/${nameOf(args[0] ?? '')}`);
  const replaces = await exists(machine.fileSystem.stat(directory));
  if (replaces && !ownOptions.has('force')) {
    throw new UsageError(`${directory} exists already. Choose another --out, or replace it with --force.`);
  }
  const { scenarios, embeddings, notes, files } = await recording.convert(
    args.map((file) => machine.resolvePath(file)),
  );
  for (const note of notes) await user.write(`not converted: ${note}\n`);
  if (scenarios + embeddings === 0) {
    const reason = notes.length === 0 ? ': it has no recorded request' : '';
    await user.write(`Nothing of ${args.join(', ')} could be converted${reason}.\n`);
    return EXIT_CODES.failed;
  }
  await recording.write(directory, files, { replaces });
  const counts = [
    countOf(scenarios, 'scenario'),
    ...(embeddings > 0 ? [countOf(embeddings, 'answer with embeddings', 'answers with embeddings')] : []),
  ];
  await user.write(`${directory}: ${counts.join(', ')}\n`);
  return EXIT_CODES.done;
}

/** The name of a file or a directory without its endings, for a directory. */
function nameOf(file: string): string {
  const base = file.replace(/^.*[/\\](?=[^/\\])/, '').replace(/[./\\].*$/, '');
  return base.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-') || 'converted';
}
