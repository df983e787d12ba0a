import type { Machine } from '../../../app/settings.ts';
import { NO_SKILLS, type Skills, skillRoots } from '../../../app/skills/skills.ts';
import { ownDirectories, safetySettings } from '../../../config/layers/sources.ts';
import type { Config } from '../../../config/schema.ts';
import type { DecisionSettings } from '../../../policy/decision-input.ts';
import { buildDecisionSettings, type SafetySettings } from '../../../policy/decision-settings.ts';
import { realPathOf } from '../../../tools/files/resolve-path.ts';

/** The rules that a session in `workspace`, a real path, would have. Nothing runs. */
export async function decisionRules(
  config: Config,
  workspace: string,
  { fileSystem, platform, home, environment }: Pick<Machine, 'environment' | 'fileSystem' | 'home' | 'platform'>,
  state: Pick<SafetySettings, 'assumptions' | 'sandbox'> = {},
  skills: Skills = NO_SKILLS,
): Promise<DecisionSettings> {
  const toRealPath = (path: string): Promise<string> => realPathOf(path, fileSystem, platform);
  const places = {
    ...{ workspace, platform, readOnlyRoots: [], skillRoots: skillRoots(skills) },
    home: await toRealPath(home),
    ownDirectories: ownDirectories(config, { platform, home, environment }),
  };
  return buildDecisionSettings({ ...safetySettings(config), ...state }, places, toRealPath, fileSystem);
}
