/** The paths that a program of the user needs in a hidden home directory, relative to it. They need not exist. */
interface HomeTool {
  readonly tool: string;
  /** Directories and files that commands may read: installed versions, their shims and libraries, never caches. */
  readonly reads: readonly string[];
  /** Files with settings, which commands may read if they hold no secret. */
  readonly settings?: readonly string[];
  /** Directories among those that the program itself writes: empty at the start of each command, and gone at its end. */
  readonly writes?: readonly string[];
}

/**
 * The programs that live in the home directory, with the places that their installers use. Their caches are not among
 * them: those are in a directory of each workspace (`CACHES` in `rules.ts`). Secrets in these places stay unreadable.
 */
export const HOME_TOOLS: readonly HomeTool[] = [
  // Managers of versions
  { tool: 'nvm', reads: ['.nvm', '.config/nvm'] },
  { tool: 'fnm', reads: ['.fnm', '.local/share/fnm', '.local/state/fnm_multishells'] },
  { tool: 'volta', reads: ['.volta'], writes: ['.volta/tmp', '.volta/log'] },
  { tool: 'n', reads: ['n', '.n'] },
  { tool: 'nodenv', reads: ['.nodenv'] },
  { tool: 'asdf', reads: ['.asdf', '.local/share/asdf'], settings: ['.asdfrc', '.tool-versions'] },
  {
    tool: 'mise',
    reads: ['.local/share/mise', '.local/share/rtx'],
    settings: ['.config/mise/config.toml', '.config/mise/settings.toml', '.mise.toml', 'mise.toml'],
    writes: ['.local/state/mise'],
  },
  { tool: 'proto', reads: ['.proto'], settings: ['.prototools'], writes: ['.proto/temp'] },
  { tool: 'pyenv', reads: ['.pyenv'] },
  { tool: 'conda', reads: ['miniconda3', 'miniforge3', 'anaconda3', 'mambaforge', 'micromamba', '.conda/envs'] },
  { tool: 'rbenv', reads: ['.rbenv'] },
  { tool: 'rvm', reads: ['.rvm'] },
  { tool: 'goenv', reads: ['.goenv', '.gvm'] },
  {
    tool: 'rustup',
    reads: ['.rustup', '.cargo/bin', '.cargo/env'],
    writes: ['.rustup/update-hashes', '.rustup/tmp', '.rustup/downloads'],
  },
  { tool: 'sdkman', reads: ['.sdkman'], writes: ['.sdkman/tmp', '.sdkman/var'] },
  { tool: 'jenv', reads: ['.jenv', '.jabba'] },
  { tool: 'ghcup', reads: ['.ghcup'] },
  { tool: 'opam', reads: ['.opam'] },
  { tool: 'juliaup', reads: ['.juliaup', '.julia/juliaup'] },
  { tool: 'elan', reads: ['.elan'] },
  { tool: 'dotnet', reads: ['.dotnet/sdk', '.dotnet/shared', '.dotnet/host', '.dotnet/dotnet', '.dotnet/tools'] },
  { tool: 'phpenv', reads: ['.phpenv'] },
  { tool: 'nix', reads: ['.nix-profile', '.local/state/nix/profiles'] },
  { tool: 'linuxbrew', reads: ['.linuxbrew'] },
  { tool: 'pkgx', reads: ['.pkgx', '.local/share/pkgx'] },
  // Package managers, and what they have installed for the user
  { tool: 'npm', reads: ['.npm-global', '.npm-packages', '.node_modules', '.npm-packages/lib'] },
  { tool: 'pnpm', reads: ['.local/share/pnpm', '.pnpm'] },
  { tool: 'yarn', reads: ['.yarn/bin', '.config/yarn/global', '.yarn/releases'] },
  { tool: 'corepack', reads: ['.cache/node/corepack'] },
  { tool: 'bun', reads: ['.bun/bin', '.bun/install/global'] },
  { tool: 'deno', reads: ['.deno/bin'] },
  { tool: 'pip', reads: ['.local/lib'], settings: ['.config/pip/pip.conf', '.pip/pip.conf'] },
  { tool: 'pipx', reads: ['.local/share/pipx', '.local/pipx'] },
  { tool: 'uv', reads: ['.local/share/uv'], settings: ['.config/uv/uv.toml'] },
  { tool: 'poetry', reads: ['.local/share/pypoetry', '.poetry', '.cache/pypoetry/virtualenvs'] },
  { tool: 'pipenv', reads: ['.local/share/virtualenvs', '.virtualenvs'] },
  { tool: 'pdm', reads: ['.local/share/pdm', '.local/share/hatch'] },
  { tool: 'cargo', reads: ['.cargo/bin'] },
  { tool: 'go', reads: ['go/bin', 'go/pkg', 'sdk'], settings: ['.config/go/env'] },
  { tool: 'gem', reads: ['.gem', '.local/share/gem', '.bundle'], settings: ['.gemrc'] },
  { tool: 'composer', reads: ['.composer/vendor', '.config/composer/vendor'] },
  { tool: 'gradle', reads: ['.gradle/wrapper', '.jdks', '.gradle/jdks'] },
  { tool: 'maven', reads: ['.m2/wrapper', '.m2/repository'] },
  { tool: 'coursier', reads: ['.local/share/coursier'] },
  { tool: 'flutter', reads: ['flutter', '.pub-cache/bin', 'development/flutter'] },
  { tool: 'android', reads: ['Android/Sdk'] },
  { tool: 'playwright', reads: ['.cache/ms-playwright', '.cache/puppeteer'] },
  { tool: 'pre-commit', reads: ['.cache/pre-commit'] },
  // Programs by hand
  { tool: 'local programs', reads: ['bin', '.local/bin', '.local/libexec', '.local/include', '.local/opt'] },
];

/** The directories beside a directory `bin` of `PATH` that hold the libraries of its programs. */
const BESIDE_BIN: readonly string[] = ['lib', 'lib64', 'libexec', 'share', 'include', 'pyvenv.cfg'];

/** Variables for programs whose downloads in a hidden home would otherwise be missing: its name, and the place. */
export const HOME_VARIABLES: Readonly<
  Record<string, { readonly place: string; readonly value: (path: string) => string }>
> = {
  COREPACK_HOME: { place: '.cache/node/corepack', value: (path) => path },
  POETRY_VIRTUALENVS_PATH: { place: '.cache/pypoetry/virtualenvs', value: (path) => path },
  // The modules that were downloaded outside of the sandbox.
  GOPROXY: {
    place: 'go/pkg/mod/cache/download',
    value: (path) => `file://${path},https://proxy.golang.org,direct`,
  },
};

/**
 * The directory or file that a program behind a link of `PATH` needs, by its real path below `home`: what is beside its
 * `bin`, the outermost `node_modules`, or the program alone. Pure.
 */
export function placesOfProgram(target: string, home: string): readonly string[] {
  const [, modules] = /^(.*?\/node_modules)\//.exec(target) ?? [];
  if (modules?.startsWith(`${home}/`) === true) return [modules];
  const [, prefix = ''] = /^(.*)\/s?bin\/[^/]*$/.exec(target) ?? [];
  return [target, ...placesBesideBin(prefix, home)];
}

/** The libraries beside a directory `bin`, by its parent. Other directories of the user are none of these. Pure. */
export function placesBesideBin(prefix: string, home: string): readonly string[] {
  if (!prefix.startsWith(`${home}/`) || prefix === `${home}/.local`) return [];
  return BESIDE_BIN.map((name) => `${prefix}/${name}`);
}

/**
 * The places that the tool in a directory of `PATH` needs, if the directory is in the home of another user, as `sudo` and
 * containers leave one. Pure.
 */
export function placesInOtherHome(directory: string, home: string): readonly string[] {
  const [, other, place = ''] = /^(\/root|\/(?:home|Users)\/[^/]+)\/(.+)$/.exec(directory) ?? [];
  if (other === undefined || other === home) return [];
  const tools = HOME_TOOLS.filter(({ reads }) => reads.some((each) => `${place}/`.startsWith(`${each}/`)));
  return tools.flatMap(({ reads }) => reads.map((each) => `${other}/${each}`));
}
