import { ToolError } from '../../agent/errors.ts';
import type { Tool } from '../../agent/ports/tool.ts';
import { contains, type PathRules, pathFlavour } from '../../policy/paths/path-policy.ts';
import { expandPath } from '../../policy/paths/written-path.ts';
import { TOOL_ALIASES } from '../dialects/aliases.ts';
import { TOOL_NAMES } from '../tools.ts';
import { type ExternalDefinition, type ExternalToolEntry, nameFromFile, readDefinition } from './definition.ts';
import { askForSchema, readSidecar, SIDECAR_SUFFIX } from './describe-program.ts';
import type {
  Discovery,
  ExternalToolSettings,
  ExternalToolState,
  ExternalTools,
  SearchedDirectory,
  UnavailableTool,
} from './discovery.ts';
import { createExternalTool, type ExternalToolPorts } from './external-tool.ts';
import { type Candidate, type Inspected, type InspectionPorts, inspectProgram } from './inspect-program.ts';
import { DefinitionError } from './parameters.ts';

/** The number of programs that are asked for their schema at the same time. */
const MAX_PARALLEL = 8;

/** The number of external tools that a model gets; each one costs tokens in every request. */
const MAX_TOOLS = 64;

/** A candidate with its definition, or the reason why it has none. */
type Loaded = { readonly candidate: Candidate } & (
  | { readonly type: 'tool'; readonly definition: ExternalDefinition; readonly realPath: string }
  | Exclude<Inspected, { readonly type: 'program' }>
);

/** Loads the external tools of entries and directories. The first of several tools of one name wins. */
export async function loadTools(
  { settings, otherNames, ...asking }: Discovery,
  directories: readonly SearchedDirectory[],
  ports: ExternalToolPorts,
): Promise<ExternalTools> {
  const { pathRules } = ports;
  const flavour = pathFlavour(pathRules.platform);
  const candidates: readonly Candidate[] = [
    ...candidatesOf(settings, pathRules),
    ...directories.flatMap(({ path, files }) =>
      files.filter((name) => !name.endsWith(SIDECAR_SUFFIX)).map((name) => ({ file: flavour.join(path, name) })),
    ),
  ].map((candidate) => ({ ...candidate, trusted: settings.trustedPrograms.get(candidate.file) }));
  const inspected = await inParallel(candidates, async (candidate) => ({
    candidate,
    ...(await inspectAllowed(candidate, ports)),
  }));
  const loaded = await inParallel(withoutRepetitions(inspected), async (found): Promise<Loaded> => {
    if (found.type !== 'program') return found;
    const { candidate, realPath } = found;
    try {
      return { type: 'tool', candidate, realPath, definition: await define(candidate, realPath, asking, ports) };
    } catch (error) {
      if (error instanceof NotAsked) return { type: 'unavailable', candidate, reason: error.message, isProblem: false };
      if (!(error instanceof DefinitionError)) throw error;
      return { type: 'unavailable', candidate, reason: error.message, isProblem: true };
    }
  });
  const reservedNames = new Set([...TOOL_NAMES, ...Object.keys(TOOL_ALIASES), ...otherNames]);
  return collectTools(loaded, reservedNames, ports);
}

/**
 * The tools of the configuration whose programs cannot be used, with the reasons. Starts nothing, so a tool that is not
 * among them may still turn out to be unavailable.
 */
export async function unusableEntries(
  settings: Pick<ExternalToolSettings, 'entries' | 'projectEntries' | 'trustedPrograms'>,
  ports: InspectionPorts,
): Promise<readonly UnavailableTool[]> {
  const { pathRules } = ports;
  const enabled = candidatesOf(settings, pathRules).filter(({ entry }) => entry.enabled);
  const found = await inParallel(enabled, async ({ file, entry, ...candidate }) => {
    const trusted = settings.trustedPrograms.get(file);
    const inspected = await inspectAllowed({ file, entry, ...candidate, trusted }, ports);
    const path = shortPath(file, pathRules);
    return inspected.type === 'unavailable' ? [{ ...inspected, name: entry.name, path }] : [];
  });
  return found.flat();
}

function candidatesOf(
  { entries, projectEntries }: Pick<ExternalToolSettings, 'entries' | 'projectEntries'>,
  rules: PathRules,
) {
  const fileOf = ({ path }: ExternalToolEntry): string => expandPath(path, rules);
  return [
    ...entries.map((entry) => ({ file: fileOf(entry), entry })),
    ...projectEntries.map((entry) => ({ file: fileOf(entry), entry, namedByProject: true as const })),
  ];
}

/**
 * Removes the disabled entries, and the files of search paths whose program an entry or an earlier file has. A link in a
 * project hides no program of the user.
 */
function withoutRepetitions<Found extends Inspected & { readonly candidate: Candidate }>(
  inspected: readonly Found[],
): readonly Found[] {
  const seen = new Set<string>();
  return inspected.filter((found) => {
    const { entry } = found.candidate;
    if (found.type !== 'program') return entry?.enabled !== false;
    const isRepetition = entry === undefined && seen.has(found.realPath);
    seen.add(found.realPath);
    return !isRepetition && entry?.enabled !== false;
  });
}

/** A program that was not asked for its schema, because nothing may be started. */
class NotAsked extends Error {}

/** The definition of a program. Throws `DefinitionError` or `NotAsked`. */
async function define(
  { file, entry }: Candidate,
  realPath: string,
  { startsNothing, signal }: Pick<Discovery, 'startsNothing' | 'signal'>,
  ports: ExternalToolPorts,
): Promise<ExternalDefinition> {
  const fallbackName = nameFromFile(pathFlavour(ports.pathRules.platform).basename(file));
  if (entry?.description !== undefined && entry.parameters !== undefined) {
    return readDefinition({}, fallbackName, entry);
  }
  const sidecar = await readSidecar(file, ports);
  if (sidecar !== undefined) return readDefinition(sidecar, fallbackName, entry);
  if (startsNothing !== undefined) throw new NotAsked(startsNothing);
  return readDefinition(await askForSchema(realPath, ports, signal), fallbackName, entry);
}

function collectTools(
  loaded: readonly Loaded[],
  reservedNames: ReadonlySet<string>,
  ports: ExternalToolPorts,
): ExternalTools {
  const tools: Tool[] = [];
  const pathsByName = new Map<string, string>();
  const states = loaded.flatMap((each): readonly ExternalToolState[] => {
    if (each.type === 'skipped') return [];
    const { candidate } = each;
    const path = shortPath(candidate.file, ports.pathRules);
    const fileName = pathFlavour(ports.pathRules.platform).basename(candidate.file);
    if (each.type === 'unavailable') {
      const { reason, isProblem } = each;
      return [{ type: 'unavailable', name: candidate.entry?.name ?? nameFromFile(fileName), path, reason, isProblem }];
    }
    const { definition, realPath } = each;
    const { name, description } = definition;
    const taken = reservedNames.has(name)
      ? 'ybs has a tool of this name, or models use the name for one'
      : pathsByName.has(name)
        ? `${pathsByName.get(name)} has the same name`
        : tools.length >= MAX_TOOLS
          ? `there are ${MAX_TOOLS} external tools already`
          : undefined;
    if (taken !== undefined) return [{ type: 'unavailable', name, path, reason: taken, isProblem: true }];
    pathsByName.set(name, path);
    const check = () => checkAgain(candidate, name, ports);
    tools.push(createExternalTool(definition, { realPath, check }, ports));
    return [{ type: 'available', name, path, description }];
  });
  return { tools, states };
}

/** An inspection in which a program that may not be started is unavailable. */
async function inspectAllowed(candidate: Candidate, ports: InspectionPorts): Promise<Inspected> {
  const found = await inspectProgram(candidate, ports);
  if (found.type !== 'program' || found.refusal === undefined) return found;
  return { type: 'unavailable', reason: found.refusal, isProblem: false };
}

async function checkAgain(candidate: Candidate, name: string, ports: ExternalToolPorts): Promise<string> {
  const found = await inspectAllowed(candidate, ports);
  if (found.type === 'program') return found.realPath;
  const reason = found.type === 'unavailable' ? found.reason : 'it is not a program';
  throw new ToolError('not_found', `The program of ${name} cannot be started: ${reason}. Do the task without it.`);
}

/** A path for people, with `~` for the home directory. */
function shortPath(file: string, { home, platform }: PathRules): string {
  if (home === undefined || !contains(home, file, platform)) return file;
  return `~/${pathFlavour(platform).relative(home, file)}`;
}

/** Applies a function to each item, to at most `MAX_PARALLEL` at a time. Returns the results in order. */
async function inParallel<Item, Result>(
  items: readonly Item[],
  apply: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const remaining = [...items.entries()];
  const work = async (): Promise<void> => {
    for (let next = remaining.shift(); next !== undefined; next = remaining.shift()) {
      const [index, item] = next;
      results[index] = await apply(item);
    }
  };
  await Promise.all(Array.from({ length: MAX_PARALLEL }, work));
  return results;
}
