import type { Digest } from '../../agent/ports/digest.ts';
import type { FileSystem } from '../../agent/ports/file-system.ts';
import { checkTrust, type ProjectPart, type TrustVerdict } from '../../policy/trust/trust.ts';
import { type ConfigPlaces, configDirectory, pathOf } from '../places.ts';
import { type FoundPart, findParts, type PartPlaces, type PartPorts } from './project-parts.ts';
import { readTrust } from './trust-store.ts';

/** The trust in a project, and the parts of it that depend on that. */
export interface ProjectTrust {
  readonly verdict: TrustVerdict;
  readonly parts: readonly Pick<FoundPart, 'path' | 'kind'>[];
  readonly isRepository: boolean;
  /** The trusted digests of files that may be started as tools, by absolute path. Empty unless the project is trusted. */
  readonly programs: ReadonlyMap<string, Digest>;
  /**
   * The trusted digests of the files below `.ybs` and `.eidolon`, by relative path; `all` if the caller trusts whatever is
   * there. Empty unless it is trusted.
   */
  readonly extensions: ReadonlyMap<string, Digest> | 'all';
  /** Parts of the project without effect because it is not trusted, for people. */
  readonly ignored: readonly string[];
  /** The user said no to the question about it, and is not asked again. */
  readonly declined?: boolean;
  /** Its configuration is invalid, so it cannot be trusted yet. */
  readonly isInvalid?: boolean;
  /** The reason why no project is trusted, for the user. */
  readonly problem?: string;
}

/** A project that is not trusted, and has nothing that would take effect. */
export const NOT_TRUSTED: ProjectTrust = {
  ...{ verdict: { type: 'untrusted' }, parts: [], isRepository: false, ignored: [] },
  ...{ programs: new Map(), extensions: new Map() },
};

/** A project that counts as trusted because the caller says so. None of its programs is started. */
export const ASSUMED_TRUST: ProjectTrust = { ...NOT_TRUSTED, verdict: { type: 'trusted' }, extensions: 'all' };

/** The trust in a project about which the caller decides. */
export function assumedTrust(trusted: boolean): ProjectTrust {
  return trusted ? ASSUMED_TRUST : NOT_TRUSTED;
}

/** The settings that decide what the parts of a project are. */
export interface ProjectSettings {
  readonly hasConfiguration: boolean;
  readonly hasEidolon?: boolean | undefined;
  /** `tools.search_paths` of the user and of the project, as written. */
  readonly searchPaths: readonly string[];
  /** The paths of `tools.external` of the project, as written. */
  readonly programs: readonly string[];
}

/** Decides whether a project is trusted. */
export type JudgeProject = (settings: ProjectSettings) => Promise<ProjectTrust>;

export interface TrustPorts extends PartPorts {
  readonly fileSystem: PartPorts['fileSystem'] & Pick<FileSystem, 'readFile'>;
}

/** A project: the user's own places, and the real path of the workspace. */
export interface ProjectPlaces extends ConfigPlaces {
  readonly workspace: string;
}

/** Judges the project by `trust.json`. Only reads files, and no content unless the user once trusted the project. */
export async function judgeProject(
  places: ProjectPlaces,
  settings: ProjectSettings,
  ports: TrustPorts,
): Promise<ProjectTrust> {
  const [{ projects, declined, problem }, { parts: found, isRepository }] = await Promise.all([
    readTrust(ports.fileSystem, places),
    findParts(partPlaces(places, settings), ports),
  ]);
  const stored = projects.get(places.workspace);
  const parts = found.map(({ path, kind }) => ({ path, kind }));
  const rest = {
    ...{ ...NOT_TRUSTED, parts, isRepository },
    ...(declined?.has(places.workspace) === true && { declined: true }),
    ...(problem !== undefined && { problem }),
  };
  if (stored === undefined) return { ...rest, verdict: { type: 'untrusted' } };
  const verdict = checkTrust(await digestParts(found), stored);
  if (verdict.type !== 'trusted') return { ...rest, verdict };
  const trusted = (wanted: FoundPart['kind'], key: 'file' | 'path'): ReadonlyMap<string, Digest> =>
    new Map(
      found.flatMap((part) => {
        const digest = stored.parts.get(part.path);
        return part.kind === wanted && digest !== undefined ? [[part[key], digest] as const] : [];
      }),
    );
  return { ...rest, verdict, programs: trusted('tool', 'file'), extensions: trusted('extension', 'path') };
}

export async function digestParts(found: readonly FoundPart[]): Promise<readonly ProjectPart[]> {
  return Promise.all(found.map(async ({ path, kind, digest }) => ({ path, kind, digest: await digest() })));
}

export function partPlaces(places: ProjectPlaces, settings: ProjectSettings): PartPlaces {
  const { platform, workspace } = places;
  const inside = (written: readonly string[]): readonly string[] => [
    ...new Set(written.map((path) => insideProject(path, places)).filter((path) => path !== undefined)),
  ];
  return {
    ...{ platform, workspace, hasConfiguration: settings.hasConfiguration, hasEidolon: settings.hasEidolon },
    toolDirectories: inside(settings.searchPaths),
    programs: inside(settings.programs),
  };
}

/** The absolute path that a setting names, if it lies in the project and not among the files of ybs. */
function insideProject(written: string, places: ProjectPlaces): string | undefined {
  const { isAbsolute, relative, resolve, sep } = pathOf(places.platform);
  const atHome = /^~(?:[\\/](.*))?$/s.exec(written);
  const path = atHome === null ? resolve(places.workspace, written) : resolve(places.home, atHome[1] ?? '');
  const contains = (directory: string): boolean => {
    const below = relative(directory, path);
    return below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below);
  };
  return contains(places.workspace) && !contains(configDirectory(places)) ? path : undefined;
}
