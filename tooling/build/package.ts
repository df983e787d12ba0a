// Packs what is published: `npm run package`. The manifest in the package has no scripts and no development
// dependencies, which npm would warn about at every install.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import * as z from 'zod';

const root = path.join(import.meta.dirname, '../..');
const ManifestSchema = z.looseObject({ files: z.array(z.string()) });
const manifest = ManifestSchema.parse(JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')));
const { scripts, devDependencies, allowScripts, private: isPrivate, ...published } = manifest;

const directory = await mkdtemp(path.join(os.tmpdir(), 'ybs-package-'));
try {
  await Promise.all(
    manifest.files.map((file) => cp(path.join(root, file), path.join(directory, file), { recursive: true })),
  );
  await writeFile(path.join(directory, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
  await execa('npm', ['pack', directory, '--pack-destination', process.argv[2] ?? root], { stdio: 'inherit' });
} finally {
  await rm(directory, { recursive: true, force: true });
}
