/** Files that hold secrets, by their whole name. */
export const SENSITIVE_NAMES: ReadonlySet<string> = new Set([
  '.env',
  '.netrc',
  '_netrc',
  '.npmrc',
  '.pypirc',
  '.git-credentials',
  '.pgpass',
  '.my.cnf',
  '.htpasswd',
  '.dockercfg',
  '.vault-token',
  '.boto',
  '.s3cfg',
  'credentials.json',
  'secrets.yml',
  'secrets.yaml',
  'secrets.json',
  'secrets.toml',
  ...['application_default_credentials.json', 'kubeconfig', '.authinfo', '.dev.vars', 'local.settings.json'],
  ...['.databrickscfg', '.sentryclirc', 'rclone.conf', '.terraformrc', 'terraform.rc', '.mylogin.cnf', 'pgpass.conf'],
  'auth.json',
  '.vault_pass',
  '.vault-pass',
  '.vault_pass.txt',
  'vault_pass.txt',
  '.smbcredentials',
  '.passwd-s3fs',
  '.secrets',
  ...['.msmtprc', '.fetchmailrc', '.mbsyncrc', '.offlineimaprc', 'wallet.dat', 'logins.json', 'key4.db'],
  // Histories of shells and other programs
  ...['.bash_history', '.zsh_history', '.python_history', '.node_repl_history', '.psql_history', '.mysql_history'],
  ...['id_rsa', 'id_dsa', 'id_ecdsa', 'id_ecdsa_sk', 'id_ed25519', 'id_ed25519_sk', 'id_xmss'],
]);

/** Files that hold secrets and that other programs run, too. */
export const SENSITIVE_EXECUTABLES: ReadonlySet<string> = new Set([
  ...['.envrc', '.envrc.local', '.envrc.private', '.envrc.override', '.gitconfig'],
]);

/** Keys of accounts of Google, as patterns: `shop-service-account.json`. */
export const ACCOUNT_KEYS: readonly string[] = [
  ...['service-account*.json', 'service_account*.json', 'serviceaccount*.json'],
  ...['client_secret*.json', 'client-secret*.json'],
  ...['*-service-account*.json', '*_service_account*.json', '*-firebase-adminsdk*.json', 'firebase-adminsdk*.json'],
];

/** Suffixes of key files, key stores and other files with secrets. */
export const SENSITIVE_ENDS: readonly string[] = [
  ...['.pem', '.key', '.p8', '.p12', '.pfx', '.jks', '.jceks', '.bks', '.keystore', '.keytab', '.kdbx', '.kdb', '.ppk'],
  ...['.ovpn', '.kubeconfig', '.psafe3', '.opvault', '.agilekeychain', '.1pux', '.agekey'],
  // The state of Terraform, which has passwords in plain text, its values, and the environments of containers
  ...['.tfstate', '.tfvars', '.tfvars.json', '.env'],
];

/** Files that hold secrets, by the name of their directory and their own. */
export const SENSITIVE_PAIRS: readonly (readonly [directory: string, file: string])[] = [
  ['.docker', 'config.json'],
  ['.kube', 'config'],
  ['.aws', 'credentials'],
  ['.cargo', 'credentials'],
  ['.cargo', 'credentials.toml'],
  ['.gem', 'credentials'],
  ['gh', 'hosts.yml'],
];

/** Files of git with addresses, which may contain tokens; they also name programs. */
export const GIT_SETTINGS: ReadonlySet<string> = new Set(['config', 'config.worktree']);

/** The last part of `.env.NAME` in files that show which variables there are. */
export const ENV_EXAMPLES: ReadonlySet<string> = new Set(['example', 'sample', 'template', 'dist', 'defaults']);

/*
 * Files that other programs run or follow. One belongs here if a program runs code of it, or obeys it, that the user starts
 * for another purpose than to build, test or run the project: a shell that enters the directory, an editor or an agent that
 * opens it, git, a version manager, a debugger, the prompt of an interpreter, or a service that builds each push. What
 * only the programs of the project read, such as `Makefile`, `package.json` and `vite.config.ts`, does not belong here.
 */

/** Directories whose files other programs run or follow, at any depth; also files with these names. */
export const EXECUTABLE_DIRECTORIES: ReadonlySet<string> = new Set([
  // Repositories and their hooks; the second is the short name of the first on Windows.
  ...['.git', 'git~1', '.githooks', '.git-hooks', '.husky', '.lefthook', '.lefthook-local', '.cargo-husky'],
  ...['.hg', '.svn', '.jj', '.sl', '.bzr', '.pijul', '_darcs', '.ssh'],
  // Editors
  ...['.vscode', '.idea', '.run', '.vs', '.zed', '.fleet', '.vim', '.nvim', '.helix', '.emacs.d'],
  // Builders of Eclipse, and settings that editors run
  ...['.settings', '.externaltoolbuilders', '.nova', '.lapce', '.theia', '.ropeproject', '.bsp', '.fvm'],
  // Shells, and environments that they enter
  ...['.bashrc.d', '.zshrc.d', '.oh-my-zsh', '.direnv', '.shadowenv.d', '.smartcd', '.flox', '.devenv', '.devbox'],
  // Agents
  '.claude',
  '.cursor',
  '.gemini',
  '.codex',
  '.roo',
  '.continue',
  '.windsurf',
  '.kiro',
  '.aider',
  '.ybs',
  '.eidolon',
  '.cline',
  '.clinerules',
  '.opencode',
  '.qwen',
  '.crush',
  '.goose',
  '.amazonq',
  '.amp',
  '.claude-plugin',
  '.junie',
  '.trae',
  '.agents',
  '.agent',
  '.antigravity',
  '.augment',
  '.bob',
  '.codebuddy',
  '.devin',
  '.factory',
  '.firebender',
  '.iflow',
  '.kilo',
  ...['.kilocode', '.lingma', '.openhands', '.pi', '.roorules', '.rovodev', '.ruler', '.tabnine', '.vibe', '.warp'],
  ...['.cmux', '.mux', '.superset'],
  ...['.zencoder', '.aiassistant', '.conductor', '.forge', '.grok', '.kimi', '.neovate', '.pochi', '.qoder'],
  // Continuous integration, containers and package managers
  ...['.circleci', '.buildkite', '.woodpecker', '.tekton', '.semaphore', '.azure-pipelines', '.ci'],
  ...['.azuredevops', '.builds', '.codefresh', '.codesandbox', '.harness', '.idx', '.replit', '.teamcity'],
  ...['.devcontainer', '.yarn', '.bundle', '.mise', '.mvn', '.gradle', '.venv', '.gitlab-ci', '.gitpod', '.ona'],
]);

/** Files that other programs run or follow, by their whole name. */
export const EXECUTABLE_FILES: ReadonlySet<string> = new Set([
  // Repositories: a file HEAD makes a directory with `objects` and `refs` a repository with settings of its own.
  ...['.gitmodules', 'head', '.lfsconfig', '.hgrc', '.fslckout', '_fossil_'],
  // Hooks, and clients of code review, which load code that these name
  ...['.arcconfig', '.arclint', '.reviewboardrc'],
  ...['prek.toml', 'rusty-hook.toml', '.rusty-hook.toml', 'hk.pkl', 'hk.local.pkl', '.gitlint', '.nanostagedrc'],
  // Shells
  ...['.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.bash_aliases', '.profile', '.inputrc'],
  ...['.zshrc', '.zshenv', '.zprofile', '.zlogin', '.zlogout', '.kshrc', '.cshrc', '.tcshrc', '.login'],
  ...['.xinitrc', '.xprofile', '.xsession', '.xsessionrc', '.pam_environment', '.tmux.conf', '.screenrc'],
  ...['.curlrc', '.wgetrc', '.forward', '.procmailrc', '.mailcap', '.lessfilter', '.lesskey', '.ripgreprc'],
  ...['.xonshrc', '.mkshrc', '.shrc', '.p10k.zsh', '.zimrc', '.zpreztorc', '.bash_enter', '.bash_leave', '.ondirrc'],
  // Environments that shells enter through direnv and its relatives
  ...['flake.nix', 'flake.lock', 'shell.nix', 'devenv.nix', 'devenv.yaml', 'devenv.local.nix', 'devenv.local.yaml'],
  ...['devenv.lock', 'devbox.json', 'devbox.lock', 'direnv.toml', '.direnvrc', 'guix.scm', 'manifest.scm'],
  // Editors and debuggers
  ...['.exrc', '.vimrc', '.nvimrc', '.nvim.lua', '.emacs', '.dir-locals.el', '.gdbinit', '.lldbinit'],
  ...['.lvimrc', '.vimrc.local', '.local.vimrc', '_vimrc', '.nanorc', '.dir-locals-2.el', '.project', '.kateproject'],
  ...['.gdbearlyinit', '.radare2rc', '.wezterm.lua', '.factorypath', '.cproject', '.pydevproject', '.lazy.lua'],
  ...['.vimspector.json', '.tmuxinator.yml', '.tmuxinator.yaml', '.tmuxp.yaml', '.tmuxp.json', '.smug.yml'],
  // Servers of languages, which editors start
  ...['hie.yaml', '.hie-bios', '.merlin', 'buildserver.json', 'omnisharp.json', '.luarc.json', '.luarc.jsonc'],
  // Agents
  ...['.ybs.json', '.mcp.json', '.aider.conf.yml', '.claude.json', 'opencode.json', 'opencode.jsonc', 'crush.json'],
  ...['.crush.json', '.continuerc.json', '.aider.model.settings.yml', '.worktreerc'],
  // Instructions for agents
  ...['agents.md', 'agents.override.md', 'claude.md', 'claude.local.md', 'gemini.md', '.cursorrules', '.windsurfrules'],
  ...['.goosehints', '.rules', '.roomodes', '.kilocodemodes', 'agent.md', 'crush.md', 'qwen.md', 'warp.md'],
  ...['codebuddy.md', 'codex.md', 'grok.md', 'iflow.md', 'replit.md', '.hermes.md', 'conductor.json'],
  // Interpreters and package managers
  ...['sitecustomize.py', 'usercustomize.py', 'pyvenv.cfg', '.pdbrc', '.irbrc', '.pryrc', '.rprofile', '.gemrc'],
  ...['.renviron', '.pythonrc', '.psqlrc', '.sqliterc', '.ghci', '.ocamlinit', '.iex.exs', '.user.ini'],
  ...['pip.conf', 'pip.ini', '.condarc', 'bunfig.toml', '.bunfig.toml', '.pnp.cjs', '.pnp.loader.mjs', '.bazelrc'],
  ...['gradlew', 'gradlew.bat', 'mvnw', 'mvnw.cmd', 'gradle-wrapper.properties', 'gradle-wrapper.jar'],
  ...['nuget.config', '.gnuplot', 'startup.m', '.utoprc', '.jshellrc'],
  ...['.yarnrc', '.yarnrc.yml', '.pnpmfile.cjs', '.mise.toml', 'mise.toml', '.tool-versions'],
  ...['.rtx.toml', '.prototools', 'rust-toolchain', 'rust-toolchain.toml'],
  ...['.pnpmfile.mjs', '.bazeliskrc', '.bazelversion', '.buckconfig', '.buckconfig.local', '.actrc', 'ansible.cfg'],
  // What interpreters and shells run that start in the directory
  ...['.autoenv', '.autoenv.zsh', '.autoenv_leave.zsh', '.octaverc', '.erlang', '.rdbgrc', '.byebugrc', '.perldb'],
  ...['ipython_config.py', 'jupyter_notebook_config.py', 'jupyter_server_config.py', 'jupyter_lab_config.py'],
  ...['.rvmrc', '.versions.conf'],
  // Continuous integration
  ...['.travis.yml', '.drone.yml', '.woodpecker.yml', 'azure-pipelines.yml', 'appveyor.yml'],
  ...['bitbucket-pipelines.yml', 'jenkinsfile', '.devcontainer.json', '.cirrus.yml', 'buildspec.yml'],
  ...['cloudbuild.yaml', 'cloudbuild.yml', 'azure-pipelines.yaml', '.appveyor.yml', '.build.yml', 'bitrise.yml'],
  ...['codemagic.yaml', 'codefresh.yml', 'wercker.yml', '.cirrus.star', '.space.kts', 'screwdriver.yaml', 'zuul.yaml'],
  ...['.drone.jsonnet', '.drone.star', '.woodpecker.yaml', '.onedev-buildspec.yml', '.gitpod.yml', 'buildspec.yaml'],
  ...['.gitpod.dockerfile', '.prow.yaml', '.zuul.yaml', '.stackblitzrc', 'replit.nix', 'devfile.yaml', '.devfile.yaml'],
  ...['.pre-commit-hooks.yaml', 'circle.yml', 'netlify.toml', 'vercel.json', 'render.yaml'],
  // Sockets of containers
  ...['docker.sock', 'podman.sock', 'containerd.sock', 'crio.sock', 'buildkitd.sock'],
]);

/** Such files by their form: of managers of hooks, which git starts, and of what these run. */
export const EXECUTABLE_FORMS: readonly RegExp[] = [
  /^\.?lefthook(?:-local)?\.(?:ya?ml|toml|jsonc?)$/,
  /^\.(?:husky|lintstaged|commitlint)rc(?:\.\w+)?$/,
  /^\.?(?:nano-staged|simple-git-hooks|lint-staged|commitlint|husky)(?:\.config)?\.(?:json|[cm]?[jt]s)$/,
  /^grumphp(?:\.dist)?\.ya?ml(?:\.dist)?$/,
  /^\.(?:pre-commit-config|(?:local-)?overcommit)\.ya?ml$/,
  /^captainhook(?:\.config)?\.json(?:\.dist)?$/,
  // The settings of an environment, such as `mise.production.toml`
  /^\.?mise\..+\.toml$/s,
];

/** Suffixes of such files: paths that Python reads, projects of an editor, and parts of a pipeline. */
export const EXECUTABLE_ENDS: readonly string[] = [
  ...['.pth', '.code-workspace', '.sublime-project', '.ipr', '.iws', '.suo', '.gitlab-ci.yml'],
];

/** Such files and directories, by the name of their directory and their own. */
export const EXECUTABLE_PAIRS: readonly (readonly [directory: string, name: string])[] = [
  ['.github', 'workflows'],
  ['.github', 'actions'],
  ['.github', 'copilot-instructions.md'],
  ['.github', 'instructions'],
  ['.github', 'prompts'],
  ['.github', 'agents'],
  ['.github', 'chatmodes'],
  ['.github', 'hooks'],
  ['.config', 'mise'],
  ['mise', 'config.toml'],
  ['tools', 'bazel'],
  ['.gitea', 'workflows'],
  ['.forgejo', 'workflows'],
  ['.cargo', 'config'],
  ['.cargo', 'config.toml'],
  ['.local', 'bin'],
  ['node_modules', '.bin'],
  ['library', 'launchagents'],
  ['.config', 'autostart'],
  ['.config', 'systemd'],
  ...['fish', 'git', 'direnv', 'nushell', 'powershell', 'xonsh', 'elvish', 'environment.d', 'starship.toml'].map(
    (name) => ['.config', name] as const,
  ),
  ...['nvim', 'helix', 'zed', 'kitty', 'wezterm', 'tmux', 'lazygit'].map((name) => ['.config', name] as const),
  ['.gitlab', 'ci'],
  ['venv', 'bin'],
];

/** Directories with secrets in the home directory, with `/`. */
export const PROTECTED_IN_HOME: readonly string[] = [
  ...['.ssh', '.aws', '.gnupg', '.gpg', '.kube', '.docker', '.azure', '.oci', '.password-store'],
  ...['.mozilla', '.thunderbird', '.local/share/keyrings'],
  ...['.config/google-chrome', '.config/chromium', '.config/gcloud'],
  ...['library/keychains', 'library/cookies', 'library/safari', 'library/application support/google/chrome'],
  ...['library/application support/firefox', 'appdata/local/google/chrome', 'appdata/roaming/mozilla'],
];

/** Directories of the system, with `/`, and the class of what lies in them, even in an allowed directory. */
export const PROTECTED_IN_SYSTEM: Readonly<Record<string, 'settings' | 'protected'>> = {
  etc: 'settings',
  var: 'settings',
  proc: 'protected',
  sys: 'protected',
  dev: 'protected',
  system: 'protected',
  library: 'protected',
  'private/etc': 'settings',
  'private/var': 'settings',
};

/** Words at the end of the names of copies: of editors, file managers, package managers, backups and synchronized folders. */
export const COPY_WORDS: readonly string[] = [
  'bak',
  'backup',
  'bck',
  'bkp',
  'bk',
  'old',
  'orig',
  'original',
  'save',
  'saved',
  'prev',
  'previous',
  'tmp',
  'temp',
  ...['copy', 'kopie', 'copie', 'copia', 'kopia', 'swp', 'swo', 'swn', 'swm', 'rpmsave', 'rpmnew', 'rpmorig'],
  'dpkg-old',
  'dpkg-new',
  'dpkg-dist',
  'dpkg-bak',
  'dpkg-tmp',
  'pacsave',
  'pacnew',
  'pacorig',
  'ucf-old',
  'ucf-new',
  ...['ucf-dist', 'sync-conflict', 'conflict', 'conflicted'],
];
