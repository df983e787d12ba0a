import { contains, foldWidely, type PathRules, pathFlavour } from './path-policy.ts';

/** Directories and files that other programs execute or obey, at any depth. */
const GUARDED_NAMES: ReadonlySet<string> = new Set([
  '.git',
  '.vscode',
  '.idea',
  '.husky',
  '.claude',
  '.cursor',
  '.ybs.json',
  '.envrc',
  '.mcp.json',
  '.gitmodules',
]);

/**
 * True for a real path whose change could run code or move keys later: repository internals and hooks, settings of
 * editors and agents, `.env` files. Writing these is asked about every time and covered by no session rule. Only the
 * part beneath the allowed root counts, so a workspace that itself lies in `.claude/` is usable.
 */
export function isGuardedPath(realPath: string, rules: Pick<PathRules, 'allowedRoots' | 'platform'>): boolean {
  const { allowedRoots, platform } = rules;
  const roots = allowedRoots.filter((root) => contains(root, realPath, platform));
  const below = roots.map((root) => pathFlavour(platform).relative(root, realPath));
  const [shortest = realPath] = below.toSorted((a, b) => a.length - b.length);
  const names = shortest.split(/[\\/]/).map((name) => foldWidely(name).replace(/[. ]+$/, ''));
  return names.some((name) => GUARDED_NAMES.has(name) || name.startsWith('.env'));
}
