import type { SimpleCommand } from '../parse/parsed-command-line.ts';

/** The name of a program of the system; empty for one of the project, such as `./ls`, and for one that is computed. */
export function programOf({ words: [program] }: Pick<SimpleCommand, 'words'>): string {
  if (!program.static) return '';
  const name = program.text.replace(/^\/(?:usr\/)?(?:local\/)?s?bin\//, '');
  return name.includes('/') ? '' : name;
}

/** Words that show what a program is, whatever it is. */
const SHOWS_ITSELF = /^(?:--version|--help)$/;

/** Programs of which each subcommand prints its own help: `cargo build --help` builds nothing. */
const HAS_SUBCOMMANDS: ReadonlySet<string> = new Set([
  'git',
  'npm',
  'pip',
  'pip3',
  'pipx',
  'pipenv',
  'poetry',
  'conda',
  'mamba',
  'pdm',
  'hatch',
  'cargo',
  'rustup',
  'go',
  ...['gem', 'bundle', 'composer', 'dotnet', 'docker', 'docker-compose', 'podman', 'kubectl', 'helm', 'terraform'],
  ...['tofu', 'gh', 'glab', 'aws', 'az', 'gcloud', 'brew', 'apt', 'dnf', 'snap', 'flatpak', 'systemctl', 'vagrant'],
  ...['nix', 'meson', 'bazel', 'openssl', 'ansible', 'pulumi', 'ruff', 'biome', 'pre-commit', 'asdf', 'mise', 'opam'],
  ...['pixi', 'uv', 'bun', 'deno', 'make', 'rake', 'gradle', 'mvn', 'nox', 'tox', 'hg', 'svn', 'jj'],
]);

/** True for a command that only prints its version or its options, with one word, or those of a subcommand. */
export function isSelfDescription(command: Pick<SimpleCommand, 'words'>): boolean {
  const words = command.words.slice(1);
  const last = words.at(-1);
  if (last === undefined || !SHOWS_ITSELF.test(last.text)) return false;
  if (words.length === 1) return true;
  const before = words.slice(0, -1);
  return (
    last.text === '--help' &&
    HAS_SUBCOMMANDS.has(programOf(command)) &&
    before.length < 4 &&
    before.every((word) => word.static && /^[a-z][a-z-]*$/.test(word.text) && !RUNS_OTHERS.test(word.text))
  );
}

/** Subcommands whose further words are those of another program, which gets the option. */
const RUNS_OTHERS = /^(?:run|run-script|exec|x|dlx|r|task|script)$/;
