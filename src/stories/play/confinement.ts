import { UsageError } from '../../agent/errors.ts';
import type { Machine, SessionOptions, Settings } from '../../app/settings.ts';
import type { Wiring } from '../../app/wiring.ts';
import { findStoredProject } from '../../config/trust/trust-store.ts';
import type { PlayableStory, RunCheck } from './play-story.ts';

/**
 * True if the commands and checks of stories must run in the sandbox: some of them are from a project that the user does
 * not trust, and the user has not turned the sandbox off. Throws `UsageError` where there is none. Stories that require the
 * sandbox have it anyway. Of another agent, and of a real model, only the checks are commands of the story.
 */
export async function mustConfine(
  stories: readonly Pick<PlayableStory, 'file' | 'story'>[],
  sandbox: Settings['sandbox'],
  isTrusted: IsTrusted,
  foreign: 'commands' | 'checks',
): Promise<boolean> {
  const concerned = stories.filter(({ story }) =>
    foreign === 'commands' ? story.sandbox !== 'required' : story.check !== undefined,
  );
  const directories = new Set(concerned.map(({ file }) => file.replace(/[\\/][^\\/]*$/, '')));
  const trusted = await Promise.all([...directories].map(isTrusted));
  if (trusted.every(Boolean)) return false;
  const state = await sandbox?.();
  if (state?.type === 'on') return true;
  if (state?.chosen === true) return false;
  const [place = ''] = [...directories].filter((_, index) => trusted[index] === false);
  throw new UsageError(
    `The stories in ${place} are not of a project that you trust, and there is no sandbox for their commands ` +
      `(${state?.reason ?? 'this system has none'}). Trust the project with ybs trust, or use --no-sandbox.`,
  );
}

/** Runs checks in the sandbox that must run in it, and all if the stories are confined. */
export function confineCheck(runCheck: RunCheck, confined: boolean): RunCheck {
  return (check, ...rest) => runCheck({ ...check, sandboxed: check.sandboxed || confined }, ...rest);
}

/** True if a directory lies in a project that the user trusts, and in no other repository below it. Throws `UsageError`. */
export type IsTrusted = (directory: string) => Promise<boolean>;

/** Creates the check of the trust of the user on this machine. */
export function createTrustCheck(
  { platform, home, environment, fileSystem }: Pick<Machine, 'platform' | 'home' | 'environment' | 'fileSystem'>,
  { readConfig }: Pick<Wiring, 'readConfig'>,
  options: SessionOptions,
): IsTrusted {
  const places = { home, xdgConfigHome: environment['XDG_CONFIG_HOME'] };
  return async (directory) => {
    const own = { ...places, platform: platform === 'windows' ? platform : 'posix' } as const;
    const project = await findStoredProject(directory, fileSystem, own);
    if (project === undefined) return false;
    return (await readConfig({ ...options, cwd: project })).trust.verdict.type === 'trusted';
  };
}
