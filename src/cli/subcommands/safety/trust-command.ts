import { UsageError } from '../../../agent/errors.ts';
import { workspaceOf } from '../../../config/layers/sources.ts';
import { type FoundPart, findParts } from '../../../config/trust/project-parts.ts';
import { digestParts, type ProjectPlaces, partPlaces } from '../../../config/trust/project-trust.ts';
import { readTrust, type TrustedProjects, trustFile, writeTrust } from '../../../config/trust/trust-store.ts';
import {
  checkTrust,
  describeChanges,
  type PartKind,
  type ProjectPart,
  type TrustVerdict,
} from '../../../policy/trust/trust.ts';
import { escapeLine } from '../../../terminal/output.ts';
import { report, type SubcommandRequest, type Uses } from '../subcommand.ts';

type TrustPorts = Uses<{
  wiring: 'readConfig';
  machine: 'clock' | 'digest' | 'environment' | 'fileSystem' | 'home' | 'platform' | 'resolvePath';
  user: 'write';
}>;

/** Output in both forms. */
interface Report {
  readonly json: object;
  readonly lines: readonly string[];
}

/**
 * `ybs trust [path]`: trusts the project of a directory as it is now; with `--dry-run` only shows what that would mean.
 * `--list` lists the trusted projects, and `--revoke` ends the trust in one. Returns the exit code.
 */
export async function trustCommand(request: SubcommandRequest, ports: TrustPorts): Promise<number> {
  const { ownOptions } = request;
  const [isList, isRevoke] = [ownOptions.has('list'), ownOptions.has('revoke')];
  if (isList && (isRevoke || request.args.length > 0)) {
    throw new UsageError('--list lists all projects. Use it alone, or --revoke with the path of one.');
  }
  const { json, lines } = await (isList ? listProjects : isRevoke ? revokeTrust : trustProject)(request, ports);
  return report(request, ports, { json: () => json, text: () => lines.map(escapeLine).join('\n') });
}

async function trustProject({ args, options }: SubcommandRequest, { wiring, machine }: TrustPorts): Promise<Report> {
  const cwd = args[0] ?? options.cwd;
  const workspace = await workspaceOf(cwd === undefined ? {} : { cwd }, machine);
  // The keys that wait for the trust are those of a project that is not trusted.
  const { project, projectProblem, waiting } = await wiring.readConfig({ ...options, cwd: workspace, trusted: false });
  if (projectProblem !== undefined && !options.dryRun) {
    throw new UsageError(`The project cannot be trusted, because ybs could not start in it:\n${projectProblem}`);
  }
  const places = placesOf(workspace, machine);
  const { parts: found } = await findParts(partPlaces(places, project), machine);
  const parts = await digestParts(found);
  const projects = await readProjects(places, machine);
  if (!options.dryRun) {
    const readable = parts.map(({ path, digest }, index) => [path, digest ?? refuse(path, found[index])] as const);
    const trustedAt = new Date(machine.clock.now()).toISOString();
    await writeTrust(
      machine.fileSystem,
      places,
      new Map([...projects, [workspace, { trustedAt, parts: new Map(readable) }]]),
    );
  }
  const verdict: TrustVerdict = options.dryRun ? checkTrust(parts, projects.get(workspace)) : { type: 'trusted' };
  const width = Math.max(...parts.map(({ path }) => path.length));
  const rows = found.map((part) => `  ${part.path.padEnd(width)}  ${meaningOf(part, waiting)}`);
  return {
    json: { path: workspace, ...jsonOf(verdict), parts: parts.map((part, index) => jsonPart(part, found[index])) },
    lines: [workspace, ...(rows.length === 0 ? ['  has no files that would take effect'] : rows), endOf(verdict)],
  };
}

function refuse(path: string, part: FoundPart | undefined): never {
  const problem = part?.problem ?? 'cannot be read, or is larger than 16 MB';
  throw new UsageError(`The project cannot be trusted: ${path} ${problem}. Remove or move it.`);
}

const MEANINGS: Readonly<Record<PartKind, string>> = {
  configuration: 'settings',
  tool: 'becomes a tool if it is executable, and is started to describe itself',
  extension: 'a file of the project for ybs',
  servers: 'servers of the Model Context Protocol; the first start of each asks',
  git: 'settings that can start programs',
};

function meaningOf({ kind, settings = [] }: FoundPart, waiting: readonly string[]): string {
  const names = kind === 'configuration' ? waiting : settings.map((line) => line.replace(/\s*=.*/s, ''));
  return names.length === 0 ? MEANINGS[kind] : `${MEANINGS[kind]}: ${names.join(', ')}`;
}

function jsonPart({ path, kind, digest }: ProjectPart, found: FoundPart | undefined): object {
  return { path, kind, digest: digest ?? null, ...(found?.settings !== undefined && { settings: found.settings }) };
}

function jsonOf(verdict: TrustVerdict): object {
  return verdict.type === 'changed' ? { state: verdict.type, changes: verdict.changes } : { state: verdict.type };
}

function endOf(verdict: TrustVerdict): string {
  switch (verdict.type) {
    case 'trusted':
      return 'Trusted, as it is now: each change of this list ends the trust. ybs trust --revoke ends it, too.';
    case 'untrusted':
      return 'Not trusted. Trust it with: ybs trust';
    case 'changed':
      return `Not trusted any more: ${describeChanges(verdict.changes)}. Trust it with: ybs trust`;
  }
}

async function listProjects({ options }: SubcommandRequest, { wiring, machine }: TrustPorts): Promise<Report> {
  const places = placesOf(machine.resolvePath('.'), machine);
  const projects = await readProjects(places, machine);
  const rows = [];
  for (const [path, { trustedAt }] of projects) {
    const verdict = await wiring.readConfig({ ...options, cwd: path }).then(
      ({ trust }) => trust.verdict,
      () => undefined,
    );
    rows.push({ path, trustedAt, verdict });
  }
  return {
    json: {
      projects: rows.map(({ path, trustedAt, verdict }) => ({
        ...{ path, trusted_at: trustedAt },
        ...(verdict === undefined ? { state: 'unknown' } : jsonOf(verdict)),
      })),
    },
    lines:
      rows.length === 0
        ? ['No project is trusted.']
        : rows.map(({ path, trustedAt, verdict }) => `${path}  ${stateOf(verdict)} ${trustedAt.slice(0, 10)}`),
  };
}

function stateOf(verdict: TrustVerdict | undefined): string {
  if (verdict?.type === 'trusted') return 'trusted since';
  const reason = verdict?.type === 'changed' ? describeChanges(verdict.changes) : 'it cannot be read';
  return `not trusted any more (${reason}); it was trusted on`;
}

async function revokeTrust({ args, options }: SubcommandRequest, { machine }: TrustPorts): Promise<Report> {
  // The directory may be gone, so its path counts as it is.
  const path = machine.resolvePath(args[0] ?? options.cwd ?? '.');
  const real = await machine.fileSystem.realPath(path).catch(() => path);
  const places = placesOf(real, machine);
  const projects = new Map(await readProjects(places, machine));
  const revoked = projects.delete(real);
  if (revoked) await writeTrust(machine.fileSystem, places, projects);
  return {
    json: { path: real, revoked },
    lines: [revoked ? `${real} is not trusted any more.` : `${real} is not trusted.`],
  };
}

function placesOf(workspace: string, { platform, home, environment }: TrustPorts['machine']): ProjectPlaces {
  return {
    ...{ workspace, home, xdgConfigHome: environment['XDG_CONFIG_HOME'] },
    platform: platform === 'windows' ? 'windows' : 'posix',
  };
}

/** The trusted projects. Throws `UsageError` if the file that has them cannot be used, because it would be replaced. */
async function readProjects(places: ProjectPlaces, { fileSystem }: TrustPorts['machine']): Promise<TrustedProjects> {
  const { projects, problem } = await readTrust(fileSystem, places);
  if (problem !== undefined) throw new UsageError(`${problem} The file is ${trustFile(places)}.`);
  return projects;
}
