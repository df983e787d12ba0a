import { type ConfigPlaces, configDirectory, SKILL_DIRECTORIES } from '../../config/places.ts';
import { contains, type PathPlatform, pathFlavour } from '../../policy/paths/path-policy.ts';
import type { SkillText } from './skill-file.ts';

/** A skill that the model can use. */
export interface Skill extends SkillText {
  readonly description: string;
  readonly origin: 'project' | 'home';
  /** Real path of its folder. */
  readonly folder: string;
  /** Real path of its file. */
  readonly file: string;
}

/** A skill that is left out, with the reason; both are safe to show. */
export interface SkillProblem {
  readonly path: string;
  readonly reason: string;
}

/** The skills of a session in the order of their directories, and those that are left out. */
export interface Skills {
  readonly skills: readonly Skill[];
  readonly problems: readonly SkillProblem[];
  /** Links in the home directory that lead to folders of these skills. */
  readonly links?: readonly string[];
}

/** The directories in which skills are looked for, the first ones first. */
export function skillDirectories(places: ConfigPlaces & { readonly workspace: string }) {
  const { join } = pathFlavour(places.platform);
  const own = join(configDirectory(places), 'skills');
  const ofHome = SKILL_DIRECTORIES.map((name) => (name === '.ybs/skills' ? own : join(places.home, name)));
  return [
    ...SKILL_DIRECTORIES.map((name) => ({ origin: 'project', path: join(places.workspace, name) }) as const),
    ...ofHome.map((path) => ({ origin: 'home', path }) as const),
  ];
}

/** A session without skills. */
export const NO_SKILLS: Skills = { skills: [], problems: [] };

/** The real paths of the folders of skills, whose files a session may read, and of their files if they lie elsewhere. */
export function skillRoots({ skills }: Skills, platform: PathPlatform): readonly string[] {
  return skills.flatMap(({ folder, file }) => (contains(folder, file, platform) ? [folder] : [folder, file]));
}

export interface SkillList {
  readonly text: string;
  /** Maximum length of a description; absent if all are whole. */
  readonly shortened?: number;
  /** The names and paths alone take more than the limit. */
  readonly isTooLong?: true;
}
