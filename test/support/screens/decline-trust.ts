import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Stores a no to the question about the project in `directory`, as the user of `environment` gives it, so that a chat
 * opens at once. Does nothing if answers are already stored.
 */
export function declineTrust(directory: string, environment: Readonly<Record<string, string | undefined>>): void {
  const { HOME = '', XDG_CONFIG_HOME: config = path.join(HOME, '.config') } = environment;
  const file = path.join(config, 'ybs', 'trust.json');
  if (existsSync(file)) return;
  mkdirSync(path.dirname(file), { recursive: true });
  const declined = { [realpathSync(directory)]: '2026-11-29T00:00:00.000Z' };
  writeFileSync(file, JSON.stringify({ version: 1, projects: {}, declined }), { mode: 0o600 });
}
