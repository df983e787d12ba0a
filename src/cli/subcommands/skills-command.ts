import { FileSystemError, UsageError, unlessFileError } from '../../agent/errors.ts';
import { EXIT_CODES } from '../../app/exit.ts';
import { problemsWithoutSkill } from '../../app/skills/find-skills.ts';
import { readSkill, type SkillText } from '../../app/skills/skill-file.ts';
import { SKILL_FILE } from '../../config/places.ts';
import { pathFlavour } from '../../policy/paths/path-policy.ts';
import { expandPath } from '../../policy/paths/written-path.ts';
import { escapeLine } from '../../terminal/output.ts';
import { countOf } from '../../text/quantities.ts';
import { report, type SubcommandRequest, type Uses } from './subcommand.ts';

type SkillsPorts = Uses<{ machine: 'fileSystem' | 'home' | 'platform' | 'resolvePath'; user: 'write' }>;

/** The maximum size of a file that is read, in bytes. */
const MAX_BYTES = 16 * 1024 * 1024;

/** A line of the report. */
interface Line {
  readonly type: 'ok' | 'fail' | 'note';
  readonly text: string;
}

/** `ybs skills check DIRECTORY`: checks the skill in a directory, or those in its folders. The exit code is 1 after a fault. */
export async function checkSkillsCommand(
  request: Pick<SubcommandRequest, 'args' | 'options'>,
  ports: SkillsPorts,
): Promise<number> {
  const [written = ''] = request.args;
  const { fileSystem, platform, home, resolvePath } = ports.machine;
  const { join, basename, dirname } = pathFlavour(platform);
  const directory = expandPath(written, { workspace: resolvePath('.'), platform, home });
  const entries = await unlessFileError(fileSystem.list(directory));
  if (entries === undefined) {
    const folder = basename(directory) === SKILL_FILE ? ` Check its folder: ybs skills check ${dirname(written)}` : '';
    throw new UsageError(`${directory} is not a directory that can be read.${folder}`);
  }
  const isSkill = entries.some(({ name }) => name === SKILL_FILE);
  const folders = entries.filter(({ name, kind }) => kind !== 'file' && !name.startsWith('.')).map(({ name }) => name);
  const checked = isSkill
    ? [[basename(directory), await checkFolder(directory)] as const]
    : await Promise.all(folders.map(async (name) => [name, await checkFolder(join(directory, name))] as const));
  if (checked.length === 0) throw new UsageError(`${directory} has neither ${SKILL_FILE} nor folders of skills.`);
  const failed = checked.some(([, lines]) => lines.some(({ type }) => type === 'fail'));
  return report(
    request,
    ports,
    {
      json: () => ({ skills: checked.map(([folder, lines]) => ({ folder, lines })) }),
      text: () =>
        checked
          .flatMap(([folder, lines]) => lines.map(({ type, text }) => `${type.padEnd(4)}  ${folder}: ${text}`))
          .map(escapeLine)
          .join('\n'),
    },
    failed ? EXIT_CODES.failed : EXIT_CODES.done,
  );

  async function checkFolder(folder: string): Promise<readonly Line[]> {
    try {
      const { bytes } = await fileSystem.readFile(join(folder, SKILL_FILE), MAX_BYTES);
      const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
      return linesOf(readSkill(basename(await fileSystem.realPath(folder)), text));
    } catch (error) {
      if (error instanceof TypeError) return [{ type: 'fail', text: `${SKILL_FILE} is not text in UTF-8` }];
      if (!(error instanceof FileSystemError)) throw error;
      if (error.code !== 'not_found') return [{ type: 'fail', text: `${SKILL_FILE}: ${error.reason}` }];
      return (await problemsWithoutSkill(folder, platform, fileSystem)).map(({ path, reason }) => {
        return { type: 'fail', text: path === folder ? reason : `${path}: ${reason}` };
      });
    }
  }
}

function linesOf({ tokens, findings, allowedTools, name }: SkillText): readonly Line[] {
  const lines = findings.map(({ type, text }): Line => ({ type: type === 'fault' ? 'fail' : 'note', text }));
  const isValid = lines.every(({ type }) => type !== 'fail');
  return [
    ...(isValid ? [{ type: 'ok', text: `${name} follows the format; ${countOf(tokens, 'token')}` } as const] : []),
    ...lines,
    ...(allowedTools === undefined ? [] : [{ type: 'note', text: `ybs allows nothing for ${allowedTools}` } as const]),
  ];
}
