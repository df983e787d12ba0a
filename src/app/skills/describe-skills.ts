import type { LanguageModel } from '../../agent/ports/language-model.ts';
import { SKILL_FILE } from '../../config/places.ts';
import { type PathPlatform, pathFlavour } from '../../policy/paths/path-policy.ts';
import { estimateTokens } from '../../text/tokens.ts';
import { takeStart } from '../../text/truncate.ts';
import type { Skill, SkillList, Skills } from './skills.ts';

/** The part of the context window that the list of skills may fill. */
const SHARE = 0.02;

/** Maximum length of the list where the window is not known, in characters. */
const MAX_CHARACTERS = 8_000;

/** The list of the skills for the model, in the window that the user has set, or else that of the model. */
export async function listForModel(
  { skills }: Skills,
  limit: number | undefined,
  model: LanguageModel,
  platform: PathPlatform,
): Promise<SkillList> {
  if (skills.every(({ isForUser }) => isForUser)) return { text: '' };
  // If the server does not answer, the first request will say why.
  const window = await model.contextWindow?.(new AbortController().signal).catch(() => undefined);
  const known = [limit, window?.tokens].filter((tokens) => tokens !== undefined);
  return listSkills(skills, known.length === 0 ? undefined : Math.min(...known), platform);
}

/**
 * The list of the skills that the model may choose, for a window of this size, if it is known. Pure. Without skills the
 * text is empty.
 */
export function listSkills(all: readonly Skill[], windowTokens: number | undefined, platform: PathPlatform): SkillList {
  const skills = all.filter(({ isForUser }) => !isForUser);
  if (skills.length === 0) return { text: '' };
  const fits = (text: string): boolean =>
    windowTokens === undefined ? text.length <= MAX_CHARACTERS : estimateTokens(text) <= windowTokens * SHARE;
  const whole = Math.max(...skills.map(({ description }) => description.length));
  const textOf = (max: number): string => listText(skills, max, platform);
  let [fitting, tooLong] = [0, whole + 1];
  while (tooLong - fitting > 1) {
    const middle = Math.floor((fitting + tooLong) / 2);
    if (fits(textOf(middle))) fitting = middle;
    else tooLong = middle;
  }
  const text = textOf(fitting);
  return { text, ...(fitting < whole && { shortened: fitting }), ...(!fits(text) && { isTooLong: true }) };
}

/** The list, with the directories of the skills named once and each description cut to `max` characters. */
function listText(skills: readonly Skill[], max: number, platform: PathPlatform): string {
  const { dirname, join, relative, sep } = pathFlavour(platform);
  const roots = [...new Set(skills.map(({ folder }) => dirname(folder)))];
  return [
    'Skills: instructions for certain tasks. When the task fits one, read its file with read_file first, and follow it. The paths in it count from its folder.',
    ...roots.flatMap((root) => [
      `In ${root}:`,
      ...skills.flatMap(({ name, description, folder }) => {
        if (dirname(folder) !== root) return [];
        const cut = description.length <= max ? description : max === 0 ? '' : `${takeStart(description, max - 1)}…`;
        return [
          `- ${name} (${relative(root, join(folder, SKILL_FILE)).replaceAll(sep, '/')})${cut === '' ? '' : `: ${cut}`}`,
        ];
      }),
    ]),
    '',
  ].join('\n');
}
