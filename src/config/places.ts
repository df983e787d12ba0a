import path from 'node:path';

/** Places that decide where the user's own files are. */
export interface ConfigPlaces {
  readonly platform: 'posix' | 'windows';
  /** Absolute path of the user's home directory. */
  readonly home: string;
  /** `XDG_CONFIG_HOME`; a relative path is ignored. */
  readonly xdgConfigHome?: string | undefined;
}

export function placesOfUser(machine: {
  readonly platform: string;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}): ConfigPlaces {
  const { platform, home, environment } = machine;
  return {
    platform: platform === 'windows' ? 'windows' : 'posix',
    home,
    xdgConfigHome: environment['XDG_CONFIG_HOME'],
  };
}

/** The file of an administrator, which only root can write. It makes sessions stricter, and never less strict. */
export const POLICY_FILE = '/etc/ybs/policy.json';

/** The directories of skills in a project, the preferred one first. */
export const SKILL_DIRECTORIES = ['.agents/skills', '.ybs/skills', '.claude/skills'] as const;

/** The name of the file that describes a skill, in the folder of the skill. */
export const SKILL_FILE = 'SKILL.md';

export function pathOf(platform: ConfigPlaces['platform']): typeof path.posix {
  return platform === 'windows' ? path.win32 : path.posix;
}

/** The directory of the user's configuration of ybs. No file of a project and no other variable can move it. */
export function configDirectory({ platform, home, xdgConfigHome }: ConfigPlaces): string {
  const { join, isAbsolute } = pathOf(platform);
  const directory = xdgConfigHome !== undefined && isAbsolute(xdgConfigHome) ? xdgConfigHome : join(home, '.config');
  return join(directory, 'ybs');
}
