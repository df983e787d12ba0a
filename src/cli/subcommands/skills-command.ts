import { UsageError, unlessFileError } from '../../agent/errors.ts';
import { EXIT_CODES } from '../../app/exit.ts';
import { readSkillFolder } from '../../app/skills/find-skills.ts';
import type { SkillText } from '../../app/skills/skill-file.ts';
import { SKILL_FILE } from '../../config/places.ts';
import { pathFlavour } from '../../policy/paths/path-policy.ts';
import { expandPath } from '../../policy/paths/written-path.ts';
import { escapeLine } from '../../terminal/output.ts';
import { countOf } from '../../text/quantities.ts';
import { type RunSubcommand, report } from './subcommand.ts';

interface Line {
  readonly type: 'ok' | 'fail' | 'note';
  readonly text: string;
}

/** `ybs skills check DIRECTORY`: checks the skill in a directory, or those in its folders. The exit code is 1 after a fault. */
export const checkSkillsCommand: RunSubcommand = async (request, ports) => {
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
  const checkFolder = async (folder: string): Promise<readonly Line[]> =>
    (await readSkillFolder(folder, platform, { fileSystem })).flatMap((each): readonly Line[] => {
      if (!('reason' in each)) return linesOf(each);
      return [{ type: 'fail', text: each.path === folder ? each.reason : `${each.path}: ${each.reason}` }];
    });
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
};

function linesOf({ tokens, findings, allowedTools, name }: SkillText): readonly Line[] {
  const lines = findings.map(({ type, text }): Line => ({ type: type === 'fault' ? 'fail' : 'note', text }));
  const isValid = lines.every(({ type }) => type !== 'fail');
  return [
    ...(isValid ? [{ type: 'ok', text: `${name} follows the format; ${countOf(tokens, 'token')}` } as const] : []),
    ...lines,
    ...(allowedTools === undefined ? [] : [{ type: 'note', text: `ybs allows nothing for ${allowedTools}` } as const]),
  ];
}
