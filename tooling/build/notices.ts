import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';

const ManifestSchema = z.object({ name: z.string(), version: z.string(), license: z.string() });

/** A library whose code is part of the bundle. */
interface InlinedPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly text: string;
}

/**
 * The licence notices of every library in a bundle, in Markdown. `moduleIds` are the absolute paths of all bundled
 * modules. Throws when a library has no licence file.
 */
export function thirdPartyNotices(moduleIds: Iterable<string>): string {
  const directories = new Set<string>();
  for (const id of moduleIds) {
    const directory = packageDirectory(id);
    if (directory !== undefined) directories.add(directory);
  }
  const packages = [...directories]
    .map(readPackage)
    .sort((left, right) => (left.name === right.name ? 0 : left.name < right.name ? -1 : 1));
  const sections = packages.map(
    ({ name, version, license, text }) => `## ${name} ${version} (${license})\n\n\`\`\`text\n${text}\n\`\`\`\n`,
  );
  return `# Third-party notices\n\nThe files in \`dist/\` contain code of these libraries.\n\n${sections.join('\n')}`;
}

/** The directory of a module's package; `undefined` for the project's own modules and for virtual ones. */
export function packageDirectory(moduleId: string): string | undefined {
  const parts = moduleId.split(/[/\\]/);
  const index = parts.lastIndexOf('node_modules');
  const first = parts[index + 1];
  if (index === -1 || first === undefined) return undefined;
  return parts.slice(0, index + (first.startsWith('@') ? 3 : 2)).join('/');
}

function readPackage(directory: string): InlinedPackage {
  const manifest = ManifestSchema.parse(JSON.parse(readFileSync(path.join(directory, 'package.json'), 'utf8')));
  const files = readdirSync(directory).filter((name) => /^(licen[cs]e|notice)([.-]|$)/i.test(name));
  if (files.length === 0) throw new Error(`${manifest.name} has no licence file in ${directory}`);
  const texts = files.sort().map((file) => readFileSync(path.join(directory, file), 'utf8'));
  return { ...manifest, text: texts.map((text) => text.replaceAll('\r\n', '\n').trim()).join('\n\n') };
}
