import { UsageError } from '../../../agent/errors.ts';
import { workspaceOf } from '../../../config/layers/sources.ts';
import { placesOfUser } from '../../../config/places.ts';
import { type OpenProject, openProject, readAnswers, revokeProject } from '../../../config/trust/open-project.ts';
import type { ProjectPlaces } from '../../../config/trust/project-trust.ts';
import { describeChanges, type TrustVerdict } from '../../../policy/trust/trust.ts';
import { escapeLine } from '../../../terminal/output.ts';
import { report, type SubcommandRequest, type Uses } from '../subcommand.ts';

type TrustPorts = Uses<{
  wiring: 'readConfig';
  machine: 'clock' | 'digest' | 'environment' | 'fileSystem' | 'home' | 'platform' | 'processes' | 'resolvePath';
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
  const read = (warns: boolean) => wiring.readConfig({ ...options, cwd: workspace, trusted: false }, warns);
  const project = await openProject(placesOf(workspace, machine), await read(false), machine);
  // The problem is reported once, as the reason why the project is not trusted.
  if (project.problem === undefined) await read(true);
  if (!options.dryRun) await project.trust();
  const verdict: TrustVerdict = options.dryRun ? project.verdict : { type: 'trusted' };
  const rows = project.rows.length === 0 ? ['has no files that would take effect'] : project.rows;
  const end = project.problem === undefined ? endOf(verdict) : `It cannot be trusted${project.problem}`;
  return {
    json: { path: workspace, ...jsonOf(verdict), parts: project.parts.map(jsonPart) },
    lines: [workspace, ...rows.map((row) => `  ${row}`), ...end.split('\n')],
  };
}

function jsonPart({ path, kind, digest, settings }: OpenProject['parts'][number]): object {
  return { path, kind, digest: digest ?? null, ...(settings !== undefined && { settings }) };
}

function jsonOf(verdict: TrustVerdict): object {
  return verdict.type === 'changed' ? { state: verdict.type, changes: verdict.changes } : { state: verdict.type };
}

function endOf(verdict: TrustVerdict): string {
  switch (verdict.type) {
    case 'trusted':
      return 'Trusted in its current state: each change of these files, or of a file in .ybs, ends the trust, and so does ybs trust --revoke.';
    case 'untrusted':
      return 'Not trusted. Trust it with: ybs trust';
    case 'changed':
      return `No longer trusted: ${describeChanges(verdict.changes)}. Trust it with: ybs trust`;
  }
}

async function listProjects({ options }: SubcommandRequest, { wiring, machine }: TrustPorts): Promise<Report> {
  const places = placesOf(machine.resolvePath('.'), machine);
  const { projects } = await readAnswers(places, machine);
  const rows = [];
  for (const [path, { trustedAt }] of projects) {
    const verdict = await wiring.readConfig({ ...options, cwd: path }, false).then(
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
  return `no longer trusted (${reason}); it was trusted on`;
}

async function revokeTrust({ args, options }: SubcommandRequest, { machine }: TrustPorts): Promise<Report> {
  // The directory may be gone, so its path counts as it is.
  const path = machine.resolvePath(args[0] ?? options.cwd ?? '.');
  const real = await machine.fileSystem.realPath(path).catch(() => path);
  const places = placesOf(real, machine);
  const revoked = await revokeProject(places, machine);
  return {
    json: { path: real, revoked },
    lines: [revoked ? `${real} is no longer trusted.` : `${real} is not trusted.`],
  };
}

function placesOf(workspace: string, machine: TrustPorts['machine']): ProjectPlaces {
  return { ...placesOfUser(machine), workspace };
}
