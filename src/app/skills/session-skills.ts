import { unlessFileError } from '../../agent/errors.ts';
import { sandboxSettings } from '../../config/layers/sources.ts';
import { placesOfUser } from '../../config/places.ts';
import type { SandboxRules } from '../../policy/sandbox/rules.ts';
import type { Extensions } from '../extensions/extensions.ts';
import type { Machine, Settings } from '../settings.ts';
import { NO_SKILLS, type Skills, skillDirectories, skillRoots } from './skills.ts';

/** The part of the machine that the skills of a session depend on. */
type SkillMachine = Pick<Machine, 'environment' | 'fileSystem' | 'home' | 'platform'>;

/** The skills of a session; see `findSkills`, which is loaded only where there is a directory of skills. */
export async function findSessionSkills(
  { config, workspace, trust }: Pick<Settings, 'config' | 'workspace' | 'trust'>,
  machine: SkillMachine,
): Promise<Skills> {
  const { fileSystem, platform } = machine;
  const home = (await unlessFileError(fileSystem.realPath(machine.home))) ?? machine.home;
  const isTrusted = trust.verdict.type === 'trusted';
  const places = { ...placesOfUser({ ...machine, home }), workspace, isTrusted };
  const found = await Promise.all(skillDirectories(places).map(({ path }) => unlessFileError(fileSystem.stat(path))));
  if (found.every((stat) => stat?.kind !== 'directory')) return NO_SKILLS;
  const [{ findSkills }, { buildPathRules }, { createRealPathOf }] = await Promise.all([
    import('./find-skills.ts'),
    import('../../policy/paths/build-path-rules.ts'),
    import('../../tools/files/resolve-path.ts'),
  ]);
  const settings = { ...sandboxSettings({ config, trust }, machine), workspace, home, platform, readOnlyRoots: [] };
  return findSkills(places, await buildPathRules(settings, createRealPathOf(fileSystem, platform)), machine);
}

/**
 * The rules of the sandbox of a session, for commands, tools and servers alike: those of the settings, with the folders of
 * the skills, also by the links that lead to them.
 */
export async function readSessionSandbox(
  settings: Pick<Settings, 'config' | 'workspace' | 'trust'>,
  machine: Pick<Machine, 'digest'> & SkillMachine,
  skills?: Skills,
): Promise<SandboxRules> {
  const found = skills ?? (await findSessionSkills(settings, machine));
  const { readablePaths = [], ...limits } = sandboxSettings(settings, machine);
  const seen = {
    skillRoots: skillRoots(found, machine.platform),
    readablePaths: [...readablePaths, ...(found.links ?? [])],
  };
  const { readSandboxRules } = await import('../../tools/shell/sandbox-rules.ts');
  return readSandboxRules({ ...limits, ...seen }, settings.workspace, machine);
}

/** The extensions with the command `/skill`, if there is a skill and no file of the user has that name. */
export async function withSkills(extensions: Extensions, skills: Skills): Promise<Extensions> {
  if (skills.skills.length === 0 || extensions.commands.some(({ name }) => name === 'skill')) return extensions;
  const { skillCommand } = await import('./skill-texts.ts');
  return { ...extensions, commands: [...extensions.commands, skillCommand(skills)] };
}
