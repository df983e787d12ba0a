import { UsageError } from '../../agent/errors.ts';
import {
  checkTrust,
  type PartKind,
  type ProjectPart,
  type TrustedProject,
  type TrustVerdict,
} from '../../policy/trust/trust.ts';
import { type LockPorts, whileLocked } from '../../session/log/lock.ts';
import type { ConfigWithKeys } from '../load.ts';
import { configDirectory } from '../places.ts';
import { isUsed, waitingIn } from './describe-trust.ts';
import { type FoundPart, findParts } from './project-parts.ts';
import { digestParts, type ProjectPlaces, partPlaces, type TrustPorts } from './project-trust.ts';
import { notWritten, type ReadTrust, readTrust, trustFile, writeTrust } from './trust-store.ts';

/** A project about which the user decides. */
export interface OpenProject {
  readonly workspace: string;
  readonly parts: readonly (ProjectPart & { readonly settings: readonly string[] | undefined })[];
  /** One line for each part that would take effect: its path, and what trust would mean for it. */
  readonly rows: readonly string[];
  readonly verdict: TrustVerdict;
  /** The reason why it cannot be trusted, as the end of a sentence that says so. */
  readonly problem?: string;
  /** Trusts the project as it was found. Throws `UsageError` if it has a problem, or the answer cannot be stored. */
  trust(): Promise<void>;
  /** Stores that the user does not want to be asked about it. Throws `UsageError` if that fails. */
  decline(): Promise<void>;
}

/** The configuration of the project, which was read as that of one that is not trusted. */
type ProjectConfiguration = Pick<ConfigWithKeys, 'project' | 'projectProblem' | 'waiting'>;

/** Ports that store answers. */
type ProjectPorts = LockPorts & TrustPorts;

/** Finds the parts of a project. Throws `UsageError` if the stored answers cannot be used, because they would be replaced. */
export async function openProject(
  places: ProjectPlaces,
  { project, projectProblem, waiting }: ProjectConfiguration,
  ports: ProjectPorts,
): Promise<OpenProject> {
  const { workspace } = places;
  const { parts: found } = await findParts(partPlaces(places, project), ports);
  const digests = await digestParts(found);
  const parts = digests.map((part, index) => ({ ...part, settings: found[index]?.settings }));
  const unreadable = found.find((_, index) => digests[index]?.digest === undefined);
  const problem =
    projectProblem !== undefined
      ? `, because ybs could not start in it:\n${projectProblem}`
      : unreadable && `: ${unreadable.path} ${unreadable.problem ?? UNREADABLE}. Remove or move it.`;
  // Stricter settings count before trust, so they alone are no reason for it.
  const counts = ({ path, kind }: FoundPart) =>
    kind !== 'configuration' || waitingIn(path, waiting).length > 0 || problem !== undefined;
  const shown = found.filter((part) => isUsed(part) && counts(part));
  const width = Math.max(...shown.map(({ path }) => path.length));
  const { projects } = await readAnswers(places, ports);
  const now = (): string => new Date(ports.clock.now()).toISOString();
  return {
    ...{ workspace, parts },
    rows: shown.map((part) => `${part.path.padEnd(width)}  ${meaningOf(part, waitingIn(part.path, waiting))}`),
    verdict: checkTrust(digests, projects.get(workspace)),
    ...(problem !== undefined && { problem }),
    async trust() {
      if (problem !== undefined) throw new UsageError(`The project cannot be trusted${problem}`);
      const known = digests.flatMap(({ path, digest }) => (digest === undefined ? [] : [[path, digest] as const]));
      await changeAnswers(places, ports, (projects, declined) => {
        projects.set(workspace, { trustedAt: now(), parts: new Map(known) });
        declined.delete(workspace);
      });
    },
    async decline() {
      await changeAnswers(places, ports, (_projects, declined) => declined.set(workspace, now()));
    },
  };
}

const UNREADABLE = 'cannot be read, or is larger than 16 MB';

const MEANINGS: Readonly<Record<PartKind, string>> = {
  configuration: 'settings',
  tool: 'becomes a tool if it is executable, and is started to describe itself',
  extension: 'a file of the project for ybs',
  servers: 'servers of the Model Context Protocol; the first start of each asks',
  git: 'settings that can start programs',
};

function meaningOf({ kind, settings = [] }: FoundPart, waiting: readonly string[]): string {
  const names = kind === 'configuration' ? waiting : [...new Set(settings.map(nameOfSetting))];
  return names.length === 0 ? MEANINGS[kind] : `${MEANINGS[kind]}: ${names.join(', ')}`;
}

/** The name of a setting of git. A line of another form is not shown: a link may lead to any file, such as a key. */
function nameOfSetting(line: string): string {
  const [name] = /^(?:[\w-]+(?:\.[\w-]+)+|\.\[[\w.-]+(?: "[^"]*")?\] *[\w-]+)(?=\s*(?:=|$))/.exec(line) ?? [];
  return name ?? 'lines that are no settings';
}

/** Forgets the answer about a project. Returns whether it was trusted. Throws `UsageError` as `openProject`. */
export async function revokeProject(places: ProjectPlaces, ports: ProjectPorts): Promise<boolean> {
  const { projects, declined } = await readAnswers(places, ports);
  if (!projects.has(places.workspace) && declined?.has(places.workspace) !== true) return false;
  return changeAnswers(places, ports, (all, no) => {
    no.delete(places.workspace);
    return all.delete(places.workspace);
  });
}

/** The stored answers. Throws `UsageError` if they cannot be used. */
export async function readAnswers(
  places: ProjectPlaces,
  { fileSystem }: Pick<TrustPorts, 'fileSystem'>,
): Promise<ReadTrust> {
  const answers = await readTrust(fileSystem, places);
  if (answers.problem !== undefined) throw new UsageError(`${answers.problem} The file is ${trustFile(places)}.`);
  return answers;
}

/** Changes the stored answers under a lock. Returns the result of `change`. Throws `UsageError`. */
async function changeAnswers<T>(
  places: ProjectPlaces,
  ports: LockPorts,
  change: (projects: Map<string, TrustedProject>, declined: Map<string, string>) => T,
): Promise<T> {
  try {
    await ports.fileSystem.createDirectory(configDirectory(places));
    return await whileLocked(`${trustFile(places)}.lock`, ports, async () => {
      const { projects: stored, declined: no = [] } = await readAnswers(places, ports);
      const [projects, declined] = [new Map(stored), new Map(no)];
      const result = change(projects, declined);
      await writeTrust(ports.fileSystem, places, projects, declined);
      return result;
    });
  } catch (error) {
    throw notWritten(error, places);
  }
}
