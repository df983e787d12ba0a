import { FileSystemError, ModelError, messageOf, UsageError } from '../../../agent/errors.ts';
import { untilStopped } from '../../../app/driver/until-stopped.ts';
import { EXIT_CODES } from '../../../app/exit.ts';
import type { Settings } from '../../../app/settings.ts';
import { needsModel } from '../../../config/agent-settings.ts';
import { BLOCKED_COMMANDS } from '../../../config/blocked-commands.ts';
import { ConfigError } from '../../../config/config-error.ts';
import { DEFAULT } from '../../../config/layers/merge-layers.ts';
import { expandPath } from '../../../policy/paths/written-path.ts';
import { describeLimits } from '../../../providers/limits/describe-model.ts';
import type { Limits } from '../../../providers/limits/find-limits.ts';
import { PROVIDERS } from '../../../providers/target/presets.ts';
import { requireWritable } from '../../../session/session-names.ts';
import { escapeLine, rowWidth } from '../../../terminal/output.ts';
import { fillRows } from '../../../text/fill-rows.ts';
import { countOf, withSeparators } from '../../../text/quantities.ts';
import { didYouMean } from '../../../text/suggest.ts';
import { report, type SubcommandRequest, type Uses } from '../subcommand.ts';
import { doctorSandbox } from './doctor-sandbox.ts';

/** One line of the report. `text` is the finding and, if there is a problem, what to do. */
export interface Check {
  readonly name: string;
  readonly status: 'ok' | 'warning' | 'problem';
  readonly text: string;
}

export type DoctorPorts = Uses<{
  wiring: 'loadSettings' | 'listModels' | 'findServers';
  machine:
    | 'clock'
    | 'environment'
    | 'home'
    | 'platform'
    | 'runGit'
    | 'freeBytes'
    | 'resolvePath'
    | 'fileSystem'
    | 'newId'
    | 'trySandbox';
  user: 'write' | 'onStop' | 'interactive' | 'columns';
}>;

const MARKS = { ok: '✓', warning: '!', problem: '✗' } as const;

/**
 * `ybs doctor`: checks the most frequent causes of failures and prints one line for each, or one line of JSON. Returns the
 * exit code of a failure if there is a problem. Runs nothing but git and the check of the sandbox, and sends nothing to
 * a model.
 */
export function doctorCommand(
  request: Pick<SubcommandRequest, 'options' | 'ownOptions'>,
  ports: DoctorPorts,
): Promise<number> {
  const { options, ownOptions } = request;
  if (ownOptions?.has('sandbox') === true) return doctorSandbox(request, ports);
  return untilStopped(ports.user.onStop, async (stop) => {
    const loaded = await loadSettings(options, ports);
    const checks: readonly Check[] = [
      ...loaded.checks,
      ...(loaded.settings === undefined ? [] : await checkProvider(options, loaded.settings, ports, stop.signal)),
      checkTerminal(ports),
      ...(await checkSandbox(loaded.settings)),
      ...checkBlockedCommands(loaded.settings),
      await checkGit(loaded.settings, ports, stop.signal),
      await checkDisk(loaded.settings, ports),
    ];
    if (stop.signal.aborted) return EXIT_CODES.aborted;
    const isHealthy = checks.every(({ status }) => status !== 'problem');
    const width = Math.max(...checks.map(({ name }) => name.length));
    const columns = rowWidth(ports.user);
    const lines = checks.map(({ name, status, text }) =>
      fillRows(escapeLine(text), columns, `${MARKS[status]} ${name.padEnd(width)}  `),
    );
    const code = isHealthy ? EXIT_CODES.done : EXIT_CODES.failed;
    return report(request, ports, { json: () => ({ ok: isHealthy, checks }), text: () => lines.join('\n') }, code);
  });
}

const ok = (name: string, text: string): Check => ({ name, status: 'ok', text });
const warning = (name: string, text: string): Check => ({ name, status: 'warning', text });
const problem = (name: string, text: string): Check => ({ name, status: 'problem', text });

/** The files and other places that set a value, each once. */
function sourcesOf({ origins = new Map() }: Settings): string {
  const sources = new Set(origins.values());
  sources.delete(DEFAULT);
  return sources.size === 0 ? 'defaults alone' : [...sources].join(', ');
}

async function loadSettings(
  options: SubcommandRequest['options'],
  { wiring }: DoctorPorts,
): Promise<{ readonly settings?: Settings; readonly checks: readonly Check[] }> {
  try {
    const settings = await wiring.loadSettings(options);
    return {
      settings,
      checks: [
        ok('configuration', `valid, from ${sourcesOf(settings)}; ybs config shows each value`),
        ...(settings.warnings ?? []).map((text) => warning('configuration', text)),
        ...(settings.policy === undefined ? [] : [ok('policy', `${settings.policy.file} makes sessions stricter`)]),
      ],
    };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    if (error instanceof ConfigError) {
      return { checks: error.message.split('\n').map((line) => problem('configuration', line)) };
    }
    return { checks: [ok('configuration', 'valid'), problem('model', error.message)] };
  }
}

/** Asks the provider for its models, which shows whether it is reachable and takes the key. */
async function checkProvider(
  options: SubcommandRequest['options'],
  settings: Settings,
  { wiring, machine, user }: DoctorPorts,
  signal: AbortSignal,
): Promise<readonly Check[]> {
  const { model, config } = settings;
  const { llm, context } = config;
  if (model.embedded) {
    const window = `${withSeparators(context.max_tokens)} tokens (context.max_tokens)`;
    return [ok('provider', 'the mock model that comes with ybs'), ok('model', model.name), ok('window', window)];
  }
  let listed: Awaited<ReturnType<typeof wiring.listModels>>;
  try {
    listed = await wiring.listModels(options, signal);
  } catch (error) {
    if (!(error instanceof ModelError || error instanceof UsageError)) throw error;
    const isKey = error instanceof ModelError && error.code === 'auth';
    const found = needsModel(settings) ? await findLocalModels(options, settings, { wiring, user }) : undefined;
    return [found ?? problem(isKey ? 'key' : 'provider', error.message)];
  }
  const { models: offered, chosen } = listed;
  const checks = [ok('provider', `${llm.provider} answers and offers ${countOf(offered.length, 'model')}`)];
  const wanted = llm.model ?? chosen?.model ?? PROVIDERS.get(llm.provider)?.model;
  // Some servers list less than they have, so a model that is missing there is only worth a warning.
  const found = offered.find(({ name }) => name === wanted || name === `${wanted}:latest`);
  const names = offered.map(({ name }) => name);
  const hint = didYouMean(wanted ?? '', names, ' ybs models lists its models.');
  checks.push(found === undefined ? warning('model', `${wanted} is not offered.${hint}`) : ok('model', model.name));
  if (chosen !== undefined) checks.push(...checkLimits(chosen.limits, llm.tool_protocol, machine.clock.now()));
  return checks;
}

/** The models of other servers on this machine, in the words of a run; undefined if there are none. */
async function findLocalModels(
  options: SubcommandRequest['options'],
  settings: Settings,
  { wiring, user }: Pick<DoctorPorts, 'wiring' | 'user'>,
): Promise<Check | undefined> {
  const { withLocalModel } = await import('../../choose-local-model.ts');
  try {
    await withLocalModel(options, settings, wiring, user.onStop);
    return undefined;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return problem('model', error.message);
  }
}

/** The window and the longest answer of the model, as a run has them, and whether it can call tools as it should. */
function checkLimits(limits: Limits, protocol: 'native' | 'xnl', now: number): readonly Check[] {
  const { window, answer } = describeLimits(limits, now);
  const lacksTools = limits.lacksTools === true && protocol === 'native';
  return [
    limits.warning === undefined ? ok('window', window) : warning('window', `${window}. ${limits.warning}`),
    ok('answer', `at most ${answer}`),
    ...(lacksTools ? [warning('tools', 'the server says that the model cannot call tools')] : []),
  ];
}

async function checkSandbox(settings: Settings | undefined): Promise<readonly Check[]> {
  const sandbox = await settings?.sandbox?.();
  if (sandbox === undefined) return [];
  if (sandbox.type === 'on') {
    const { program, lacks = [] } = sandbox;
    const text = `${program}; commands have no network; ybs doctor --sandbox tries each limit`;
    return [lacks.length === 0 ? ok('sandbox', text) : warning('sandbox', `${text}. It lacks ${lacks.join(' and ')}`)];
  }
  const rest = sandbox.chosen === true ? 'commands run with your permissions' : 'every command asks';
  const advice = sandbox.advice === undefined ? '' : `. ${sandbox.advice}`;
  return [warning('sandbox', `off (${sandbox.reason}), so ${rest}${advice}`)];
}

/** Reports a list of blocked commands without the built-in ones. */
function checkBlockedCommands(settings: Settings | undefined): readonly Check[] {
  if (settings?.config.safety.replace_blocked_commands !== true) return [];
  const missing = BLOCKED_COMMANDS.filter((command) => !settings.config.safety.blocked_commands.includes(command));
  if (missing.length === 0) return [];
  const text = `safety.replace_blocked_commands removes ${missing.join(', ')} from the list of commands that never run`;
  return [warning('blocked', text)];
}

function checkTerminal({ user, machine }: DoctorPorts): Check {
  const { TERM, NO_COLOR } = machine.environment;
  if (!user.interactive) return warning('terminal', 'none, so there is no chat, and every question is denied');
  if (TERM === 'dumb') return warning('terminal', 'TERM is dumb, so there are no colours and no status line');
  return ok('terminal', (NO_COLOR ?? '') === '' ? `${TERM ?? 'unknown'}` : `${TERM}, without colours (NO_COLOR)`);
}

async function checkGit(
  settings: Pick<Settings, 'workspace' | 'trust'> | undefined,
  { machine: { runGit, home } }: DoctorPorts,
  signal: AbortSignal,
): Promise<Check> {
  const version = await runGit?.({ directory: home, args: ['--version'] }, signal);
  if (version?.type !== 'ended' || version.exitCode !== 0) {
    return warning('git', 'not found. Install it, so that the model learns about branches and changes');
  }
  const name = version.stdout.trim();
  if (settings === undefined) return ok('git', name);
  const { workspace, trust } = settings;
  if (trust.verdict.type !== 'trusted') {
    return ok(
      'git',
      trust.isRepository ? `${name}; the repository is not read, because it is not trusted: ybs trust` : name,
    );
  }
  const inside = await runGit?.({ directory: workspace, args: ['rev-parse', '--is-inside-work-tree'] }, signal);
  if (inside?.type === 'ended' && inside.stdout.trim() === 'true') return ok('git', `${name}, in a repository`);
  const reason = inside?.type === 'ended' ? (inside.stderr.split('\n', 1)[0] ?? '') : '';
  if (/dubious ownership/.test(reason))
    return warning('git', `${name}: ${reason}. See git help config, safe.directory`);
  return ok('git', `${name}, not in a repository`);
}

/** Free space, in bytes, into which a session, its command logs and its outputs fit. */
const LITTLE_SPACE = 100 * 1024 * 1024;

async function checkDisk(settings: Settings | undefined, { machine }: DoctorPorts): Promise<Check> {
  const { home, platform, fileSystem, newId } = machine;
  const written = settings?.config.session.storage_path ?? '~/.config/ybs/sessions';
  const directory = expandPath(written, { workspace: settings?.workspace ?? home, platform, home });
  try {
    if (settings?.config.session.auto_save !== false) await requireWritable(fileSystem, directory, newId());
  } catch (error) {
    if (!(error instanceof FileSystemError)) throw error;
    return problem(
      'disk',
      `${error.message}. Change that, or set session.storage_path, so that sessions can be stored`,
    );
  }
  const bytes = await machine.freeBytes?.(directory).catch((error: unknown) => messageOf(error));
  if (typeof bytes !== 'number') return warning('disk', `the free space at ${directory} is unknown`);
  const space = `${(bytes / 1024 ** 3).toFixed(1)} GB free at ${directory}`;
  if (bytes >= LITTLE_SPACE) return ok('disk', space);
  return problem('disk', `${space}. Free some space, or set session.storage_path, so that sessions can be stored`);
}
