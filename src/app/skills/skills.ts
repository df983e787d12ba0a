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

/** A session without skills. */
export const NO_SKILLS: Skills = { skills: [], problems: [] };

/** The real paths of the folders of skills, whose files a session may read. */
export function skillRoots({ skills }: Skills): readonly string[] {
  return skills.map(({ folder }) => folder);
}

/** The settings of the sandbox, with the folders of skills, also by the links that lead to them. */
export function seeingSkills<Settings extends { readonly readablePaths?: readonly string[] }>(
  settings: Settings,
  skills: Skills,
) {
  const readablePaths = [...(settings.readablePaths ?? []), ...(skills.links ?? [])];
  return { ...settings, skillRoots: skillRoots(skills), readablePaths };
}

/** The list of skills for the model. */
export interface SkillList {
  readonly text: string;
  /** Maximum length of a description; absent if all are whole. */
  readonly shortened?: number;
  /** The names and paths alone take more than the limit. */
  readonly isTooLong?: true;
}
