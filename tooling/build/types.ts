import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';
import { build, type Plugin } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';

/** Directories of a build: the project, a temporary one for the types of each module, and the one of the package. */
export interface TypesDirectories {
  readonly root: string;
  readonly tree: string;
  readonly output: string;
}

/**
 * Writes the types of each entry as one file that imports nothing, so that the package needs no other package. Here the
 * types are only transformed; `npm run typecheck` checks them.
 */
export async function writeTypes({ root, tree, output }: TypesDirectories): Promise<void> {
  // Several checkers would each compute the types that the declarations share.
  await execa('tsc', ['-p', 'tsconfig.build.json', '--noCheck', '--checkers', '1', '--outDir', tree], {
    cwd: root,
    preferLocal: true,
    stdio: 'inherit',
    // The compiler keeps nearly all objects, so that collecting garbage only takes time.
    env: { GOGC: 'off' },
  });
  const [index, agent, testing] = await Promise.all([
    joinTypes(path.join(tree, 'src/index.d.ts')),
    joinTypes(path.join(tree, 'src/agent/index.d.ts')),
    joinTypes(path.join(tree, 'mock-llm-server/testing.d.ts')),
  ]);
  await Promise.all([
    writeFile(path.join(output, 'index.d.mts'), index),
    writeFile(path.join(output, 'agent.d.mts'), agent),
    writeFile(path.join(output, 'testing.d.mts'), testing),
    // TypeScript recognizes declarations of CommonJS modules by the package.json of their directory.
    writeFile(path.join(output, 'testing.d.ts'), testing),
  ]);
}

/** Projects that target an older ECMAScript do not have these types. */
const LIBRARIES = '/// <reference lib="esnext.disposable" />\n';

async function joinTypes(input: string): Promise<string> {
  const { output } = await build({
    input,
    platform: 'node',
    external: [/^node:/],
    plugins: [preferModules, dts({ dtsInput: true, emitDtsOnly: true, generator: 'oxc', tsconfig: false })],
    checks: { pluginTimings: false },
    write: false,
  });
  // The other chunk is the bundler's runtime, which types do not need.
  const entry = output.find((file) => file.type === 'chunk' && file.isEntry);
  if (entry?.type !== 'chunk') throw new Error(`no types in the bundle of ${input}`);
  return LIBRARIES + entry.code;
}

/** Takes the types of the ES module where a library has two forms, because only those can be joined. */
const preferModules: Plugin = {
  name: 'prefer-modules',
  resolveId: {
    order: 'pre',
    async handler(source, importer) {
      const resolved = await this.resolve(source, importer, { skipSelf: true });
      return resolved && { ...resolved, id: resolved.id.replace(/\.d\.cts$/, '.d.ts') };
    },
  },
};
