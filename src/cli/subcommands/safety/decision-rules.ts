import type { PermissionRule } from '../../../agent/ports/approver.ts';
import type { Machine } from '../../../app/settings.ts';
import { NO_SKILLS, type Skills, skillRoots } from '../../../app/skills/skills.ts';
import { ownDirectories, safetySettings } from '../../../config/layers/sources.ts';
import type { Config } from '../../../config/schema.ts';
import type { DecisionSettings } from '../../../policy/decision-input.ts';
import { buildDecisionSettings, type SafetySettings } from '../../../policy/decision-settings.ts';
import { mayKeepEverywhere, mayKeepRule } from '../../../policy/permission-rules.ts';
import { createRedactor } from '../../../policy/redaction/redact.ts';
import { ruleRunsFile } from '../../../policy/shell/written-scripts.ts';
import { keptRules } from '../../../session/approvals/session-permissions.ts';
import { WrittenFiles } from '../../../session/approvals/written-files.ts';
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
    ...{ workspace, platform, environment, readOnlyRoots: [], skillRoots: skillRoots(skills, platform) },
    home: await toRealPath(home),
    ownDirectories: ownDirectories(config, { platform, home, environment }),
  };
  return buildDecisionSettings({ ...safetySettings(config), ...state }, places, toRealPath, fileSystem);
}

/**
 * The rules that the user has kept for sessions in `workspace`, and the settings with the files that the model wrote in
 * earlier ones. `keeps` as `keptApprovals` says.
 */
export async function withKeptRules(
  settings: DecisionSettings,
  keeps: boolean | undefined,
  workspace: string,
  { fileSystem, digest, home }: Pick<Machine, 'digest' | 'fileSystem' | 'home'>,
) {
  const { pathRules } = settings;
  const runsFile = (rule: PermissionRule, file: string) => ruleRunsFile(rule, file, pathRules);
  const ports = { fileSystem, digest, home, workspace, runsFile };
  const mayKeep = (rule: PermissionRule) => mayKeepRule(rule, pathRules);
  const rules = await keptRules(keeps, { ...ports, mayKeep, mayKeepEverywhere, redactor: createRedactor([]) });
  const files = await new WrittenFiles(ports).load();
  return { rules, settings: { ...settings, written: new Map(files.map((file) => [file, rules.length])) } };
}
