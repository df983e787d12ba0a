import { FileSystemError, UsageError, unlessFileError } from '../../agent/errors.ts';
import type { FileSystem } from '../../agent/ports/file-system.ts';
import { type ConfigPlaces, configDirectory, SKILL_FILE } from '../../config/places.ts';
import {
  classifyPath,
  contains,
  type PathPlatform,
  type PathRules,
  pathFlavour,
} from '../../policy/paths/path-policy.ts';
import { escapeLine } from '../../text/escape.ts';
import { readTextFile } from '../extensions/frontmatter.ts';
import { readSkill, type SkillText } from './skill-file.ts';
import { type Skill, type SkillProblem, type Skills, skillDirectories } from './skills.ts';

/** The places in which skills are looked for. The directories are real paths. */
export interface SkillPlaces extends ConfigPlaces {
  readonly workspace: string;
  /** False: the skills of the project are only named. */
  readonly isTrusted: boolean;
}

type Ports = { readonly fileSystem: Pick<FileSystem, 'list' | 'readFile' | 'realPath' | 'stat'> };

/** The maximum number of entries that are read of a directory. */
const MAX_ENTRIES = 1_000;

/** The maximum size of the file of a skill, in bytes. */
const MAX_BYTES = 512 * 1024;

/** An entry of a directory of skills. */
interface Found {
  readonly origin: Skill['origin'];
  /** The path as it was found. */
  readonly path: string;
  readonly name: string;
}

/**
 * Finds the skills of the project, if it is trusted, and of the home directory. A folder that is found twice counts once;
 * of two skills with one name the first one wins. `rules` are those of the session without any skill. Never throws.
 */
export async function findSkills(places: SkillPlaces, rules: PathRules, ports: Ports): Promise<Skills> {
  const listed = await Promise.all(skillDirectories(places).map((directory) => listFolders(directory, rules, ports)));
  const all = listed.flat();
  const read = await Promise.all(all.map((found) => readFound(found, places, rules, ports)));
  const skills = new Map<string, Skill>();
  const problems: SkillProblem[] = [];
  const seen = new Set<string>();
  for (const each of read.flat()) {
    if ('reason' in each) {
      problems.push(each);
      continue;
    }
    if (seen.has(each.file)) continue;
    seen.add(each.file);
    const first = skills.get(each.name);
    if (first === undefined) skills.set(each.name, each);
    else problems.push(problem(each.file, `the name ${each.name} is that of ${escapeLine(first.file)}, which is used`));
  }
  const used = new Set([...skills.values()].map(({ folder }) => folder));
  const real = await Promise.all(all.map(({ path }) => unlessFileError(ports.fileSystem.realPath(path))));
  const isLink = ({ origin, path }: Found, to: string | undefined): boolean =>
    origin === 'home' && to !== undefined && to !== path && used.has(to);
  const links = all.filter((found, index) => isLink(found, real[index])).map(({ path }) => path);
  return { skills: [...skills.values()], problems, links };
}

const problem = (path: string, reason: string): SkillProblem => ({ path: escapeLine(path), reason });

/** The entries of a directory of skills. */
async function listFolders(
  { origin, path }: Pick<Found, 'origin' | 'path'>,
  { platform }: PathRules,
  { fileSystem }: Ports,
): Promise<readonly Found[]> {
  const entries = await unlessFileError(fileSystem.list(path, MAX_ENTRIES));
  return (entries ?? []).flatMap(({ name, kind }) => {
    const isFolder = kind === 'directory' || kind === 'link' || name === SKILL_FILE;
    return isFolder && !name.startsWith('.') ? [{ origin, path: pathFlavour(platform).join(path, name), name }] : [];
  });
}

/** The skill in a folder, or the reason why it is omitted. */
async function readFound(
  { path, name, origin }: Found,
  places: SkillPlaces,
  rules: PathRules,
  ports: Ports,
): Promise<readonly (Skill | SkillProblem)[]> {
  if (name === SKILL_FILE) return [problem(path, 'it lies in no folder of its own; move it to a folder with its name')];
  const { basename, join } = pathFlavour(rules.platform);
  const refuse = (folder: string, file: string): string | undefined => {
    if (origin === 'project' && !places.isTrusted)
      return 'the project is not trusted. Look at the file, then run: ybs trust';
    const reason = whyNot(folder, origin, places, rules);
    return reason ?? (basename(file) === SKILL_FILE ? undefined : whyNot(file, origin, places, rules));
  };
  const found = await readSkillFolder(path, rules.platform, ports, refuse);
  return found.map((each) => {
    if ('reason' in each) return each;
    const { description } = each;
    if (description !== undefined) return { ...each, description, origin };
    const faults = each.findings.flatMap(({ type, text }) => (type === 'fault' ? [text] : []));
    return problem(join(path, SKILL_FILE), faults.join('; '));
  });
}

/** The skill in a folder, with real paths, or what is wrong with it. Nothing is read if `refuse` gives a reason. */
export async function readSkillFolder(
  path: string,
  platform: PathPlatform,
  ports: Ports,
  refuse: (folder: string, file: string) => string | undefined = () => undefined,
): Promise<readonly ((SkillText & Pick<Skill, 'folder' | 'file'>) | SkillProblem)[]> {
  const { join, dirname, basename } = pathFlavour(platform);
  const written = join(path, SKILL_FILE);
  try {
    const file = await ports.fileSystem.realPath(written);
    // Some installers link the file to one with a name of their own, such as /nix/store/HASH-SKILL.md.
    const folder = basename(file) === SKILL_FILE ? dirname(file) : await ports.fileSystem.realPath(path);
    const refusal = refuse(folder, file);
    if (refusal !== undefined) return [problem(written, refusal)];
    const text = await readTextFile(file, MAX_BYTES, ports, 'refuse');
    return [{ ...readSkill(basename(path), text), folder, file }];
  } catch (error) {
    if (error instanceof UsageError) return [problem(written, error.message)];
    if (!(error instanceof FileSystemError)) throw error;
    if (error.code === 'not_found') return problemsWithoutSkill(path, platform, ports.fileSystem);
    return [problem(written, `it cannot be read: ${error.reason}`)];
  }
}

/** The reason why a folder, or the file of a skill, cannot become readable; `undefined` if it can. */
function whyNot(
  folder: string,
  origin: Skill['origin'],
  { home, workspace, ...places }: SkillPlaces,
  rules: PathRules,
): string | undefined {
  const { platform } = rules;
  if (origin === 'project' && !contains(workspace, folder, platform)) return 'it leads out of the project';
  if ([home, workspace, configDirectory({ ...places, home })].some((place) => contains(folder, place, platform))) {
    return 'its folder contains far more than a skill';
  }
  // The rules block the directory of the user's own skills with the others of ybs.
  const own = pathFlavour(platform).join(configDirectory({ ...places, home }), 'skills');
  if (contains(own, folder, platform) && folder !== own) return undefined;
  // The home directory may itself lie in a directory of the system.
  const verdict = classifyPath(folder, 'read', { ...rules, allowedRoots: [...rules.allowedRoots, home] });
  return verdict.type === 'blocked' ? `its folder is blocked (${verdict.rule})` : undefined;
}

/** The problems with a folder without the file of a skill. */
async function problemsWithoutSkill(
  path: string,
  platform: PathPlatform,
  fileSystem: Ports['fileSystem'],
): Promise<readonly SkillProblem[]> {
  const { join } = pathFlavour(platform);
  const entries = await unlessFileError(fileSystem.list(path, MAX_ENTRIES));
  if (entries === undefined) return [problem(path, 'it is a link that leads nowhere, or cannot be read')];
  const misspelt = entries.find(({ name }) => name.toLowerCase() === SKILL_FILE.toLowerCase());
  if (misspelt !== undefined) return [problem(join(path, misspelt.name), `its name must be ${SKILL_FILE}`)];
  const deeper = await Promise.all(
    entries.map(async ({ name }) => {
      const file = join(path, name, SKILL_FILE);
      return (await unlessFileError(fileSystem.stat(file))) === undefined ? [] : [file];
    }),
  );
  const found = deeper.flat();
  if (found.length === 0) return [problem(path, `it has no ${SKILL_FILE}`)];
  return found.map((file) => problem(file, 'it lies one level too deep; move its folder up'));
}
