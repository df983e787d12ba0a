import { UsageError } from '../agent/errors.ts';
import type { Settings } from '../app/settings.ts';
import type { Wiring } from '../app/wiring.ts';
import type { OpenProject } from '../config/trust/open-project.ts';
import { markLines, type UserConsole } from '../terminal/output.ts';
import { escapeLine, LINE_MARK } from '../text/escape.ts';
import { fillRows } from '../text/fill-rows.ts';
import { askUntil } from './ask-until.ts';
import type { CommandLineOptions } from './command-line/options.ts';

/** The maximum number of parts that are named; the rest are counted. */
const MAX_ROWS = 12;

/**
 * Asks once whether the user trusts an undecided project, if something depends on it, and stores either answer. Returns
 * the settings with that answer; the given ones if nothing was asked; `undefined` if the user leaves.
 */
export async function askForTrust(
  options: CommandLineOptions,
  settings: Settings,
  wiring: Pick<Wiring, 'loadSettings' | 'openProject'>,
  user: UserConsole,
): Promise<Settings | undefined> {
  const { trust, config, dryRun } = settings;
  if (dryRun || options.trusted !== undefined) return settings;
  const asksForCommands = ['ask', 'accept-edits'].includes(config.safety.permission_mode);
  const readsWithTrust = asksForCommands && (await settings.sandbox?.())?.type === 'on';
  if (trust.ignored.length === 0 && !readsWithTrust) return settings;
  const project = await wiring.openProject(options);
  // The notice about the project remains, and `ybs trust` names the problem.
  if (project.problem !== undefined) return settings;
  const answer = await ask(project, describe(project, settings, readsWithTrust), settings, user);
  if (answer === undefined) return undefined;
  try {
    await (answer ? project.trust() : project.decline());
  } catch (error) {
    // A no holds in this session even if it cannot be stored.
    if (answer || !(error instanceof UsageError)) throw error;
    const palette = user.palette(config.ui.color);
    await user.write(markLines(`! ${escapeLine(error.message)} ybs will ask again.\n`, palette));
    return settings;
  }
  return wiring.loadSettings(options);
}

/** The lines above the prompt. */
function describe({ workspace, rows, verdict }: OpenProject, { trust }: Settings, readsWithTrust: boolean): string[] {
  const more = rows.length - MAX_ROWS;
  const changed = verdict.type === 'changed' ? ' You trusted it before, and it has changed.' : '';
  const effects = [
    ...(rows.length > 0 ? ['these files take effect'] : []),
    ...(readsWithTrust ? ['commands that only read, such as cat, run in the sandbox without a question'] : []),
    ...(trust.isRepository ? ['ybs asks git for its state'] : []),
  ];
  return [
    `Do you trust the project in ${workspace}?${changed}`,
    ...rows.slice(0, MAX_ROWS).map((row) => `  ${row}`),
    ...(more > 0 ? [`  ${more} more: ybs trust --dry-run`] : []),
    `With yes, ${new Intl.ListFormat('en').format(effects)}. Everything else is asked about as before.`,
    'ybs remembers a yes until one of these files, or a file in .ybs, changes, and a no until: ybs trust',
    '  y yes · n no (or only Enter)',
  ];
}

async function ask(
  project: OpenProject,
  lines: readonly string[],
  { config }: Settings,
  user: UserConsole,
): Promise<boolean | undefined> {
  const palette = user.palette(config.ui.color);
  const width = user.columns() - 2;
  const fill = (line: string) => fillRows(escapeLine(line), width, /^ */u.exec(line)?.[0]);
  const above = markLines(`${lines.map(fill).join('\n')}\n`, palette);
  const again = markLines(`  Type y to trust ${escapeLine(project.workspace)}, or n.\n`, palette);
  const read = (typed: string): boolean | undefined => {
    const answer = /^(?:(y|yes)|n|no|)$/iu.exec(typed);
    return answer === null ? undefined : answer[1] !== undefined;
  };
  const line = { prompt: `${palette('cyan', LINE_MARK)}   > `, keys: ['y', 'n'], above };
  return askUntil(user, [above, again], read, line);
}
