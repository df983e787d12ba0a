import { describe, expect, it } from 'vitest';
import { decide } from '../../../../src/policy/decide.ts';
import {
  CLASS_ANSWERS,
  classifyPath,
  classOfPath,
  holdsSecrets,
  type PathClass,
  type PathRules,
} from '../../../../src/policy/paths/path-policy.ts';
import * as names from '../../../../src/policy/paths/special-names.ts';
import { parseBlockList } from '../../../../src/policy/shell/shell-policy.ts';
import { COPIES_OF_SECRETS } from '../../../support/sandbox/secret-copies.ts';

/** The rules of a session in `workspace`, with the paths that are blocked by default for reading keys. */
const rulesIn = (workspace: string, more: Partial<PathRules> = {}): PathRules => ({
  workspace,
  home: '/home/u',
  allowedRoots: [workspace],
  readOnlyRoots: ['/logs'],
  blockedPaths: ['/home/u/.netrc'],
  ownDirectories: ['/home/u/.config/ybs'],
  platform: 'posix',
  ...more,
});
const split = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Paths in the workspace `/home/u/app`, by class. */
const IN_PROJECT: Readonly<Partial<Record<PathClass, readonly string[]>>> = {
  ordinary: split(`
    a.ts src/a.ts README.md package.json package-lock.json Makefile Dockerfile docker-compose.yml tsconfig.json
    .gitignore .gitattributes .editorconfig .prettierrc .eslintrc.js .dockerignore .nvmrc .python-version
    .env.example .env.sample .env.template .env.dist .env.defaults .env.local.example env.d.ts .env.d.ts .env.test.d.ts
    .bashrc.bak Jenkinsfile.old notes.bak a.orig environment.ts env .environment id_utils.py id_rsa.pub id_ed25519.pub src/id_rsa_test.ts my_id_rsa not-id_rsa
    credentials.ts credentials.json.md secrets.ts secrets.md secrets.yml.example secret.yaml keys.ts key pem a.pem.md
    docs/git/config git/config config src/config .github/ISSUE_TEMPLATE.md .github/CODEOWNERS .github/dependabot.yml
    workflows/a.yml .config/a .local/share/a .cargo/registry/a bin/a tools/a.mjs vendor/.gitkeep head/a.ts src/headers.h
    header.ts ahead HEAD.md objects/a refs/a docker.socket vscode/a ide.a husky/a agents.ts docs/agents.md.txt a.path .environment.md .env_example .env-sample
    id_rsa_utils.py id_rsa-test.md credentials-copy.ts credentials-2.ts deep-copy.ts secrets.old.md .kube/config.md aws/credentials.bak env.1 a.~1~ id_rsa.pub.1
    default.nix pkgs/a.nix .envrc.md lib/a.python code-workspace.md site/customize.py test/conftest.py bashrc .bashrc.md profile.ts .profile.d/a
    node_modules/a/index.js .bin/a npmrc .npmrc.md kube/config .docker/a.json .aws/config ...git .bash_history.md main.tf run/a agents/a .github/workflow.md ssh/config .config/nextest.toml
    .GITIGNORE a..b ..a ~ ~a $HOME %2e%2e
  `),
  sensitive: split(`
    .env .env.local .env.production .env.test .env.development.local src/.env a/b/.ENV .Env .env.d .env.ts
    app_service_account.json firebase-adminsdk-x1.json
    .netrc _netrc .npmrc .pypirc .git-credentials .pgpass .my.cnf .htpasswd .dockercfg .vault-token .boto .s3cfg
    credentials.json config/credentials.json secrets.yml secrets.yaml SECRETS.YML secrets.json .streamlit/secrets.toml service-account.json
    service_account_prod.json serviceAccount.json app-service-account-1.json shop-firebase-adminsdk-x1.json config/secrets.yml .NPMRC
    id_rsa id_dsa id_ecdsa id_ecdsa_sk id_ed25519 id_ed25519_sk id_xmss keys/id_rsa ID_RSA deploy/id_ed25519
    a.pem server.key a.p12 a.pfx a.jks a.keystore a.kdbx a.ppk certs/CA.PEM .pem .key
    .git/config .git/config.worktree .git/modules/lib/config vendor/lib/.git/config .GIT/CONFIG git~1/config
    .git/worktrees/a/config.worktree .docker/config.json .kube/config .aws/credentials .cargo/credentials.toml
    .gem/credentials a/.kube/config .ENV.LOCAL application_default_credentials.json kubeconfig .authinfo .bash_history
    .zsh_history .python_history .node_repl_history .psql_history .mysql_history AuthKey.p8 terraform.tfstate
    prod.env config/docker.env secrets.env id_rsa.bak id_ed25519~ server.key.old a.pem.orig .npmrc.save terraform.tfvars
    prod.auto.tfvars a.tfvars.json auth.json .dev.vars local.settings.json .databrickscfg .sentryclirc rclone.conf .terraformrc terraform.rc .mylogin.cnf
    pgpass.conf .vault_pass .vault-pass .vault_pass.txt vault_pass.txt .smbcredentials .passwd-s3fs .secrets .msmtprc
    .fetchmailrc .mbsyncrc .offlineimaprc wallet.dat logins.json key4.db client_secret_1.json client-secret.json a.jceks
    a.bks a.keytab a.kdb a.ovpn prod.kubeconfig a.psafe3 a.opvault a.agilekeychain a.1pux a.agekey
    terraform.tfstate.backup .cargo/credentials .composer/auth.json gh/hosts.yml .env~ .env_backup .env-old .env.bak
    .id_rsa.swp .npmrc.swp ..npmrc.swp .netrc.swo #.npmrc# id_rsa.rpmsave .npmrc.dpkg-old id_ed25519.pacsave .netrc.bk id_rsa.bak1
    id_rsa.bak.2 id_rsa.1 server.key.swp credentials.json.tmp secrets.yml.orig.1 id_rsa.bck id_rsa.bkp .npmrc.original
    id_rsa.saved id_rsa.prev id_rsa.previous id_rsa.temp id_rsa.copie id_rsa.copia id_rsa.kopia .id_rsa.swm id_rsa.rpmnew
    id_rsa.rpmorig id_rsa.dpkg-new id_rsa.dpkg-dist id_rsa.dpkg-bak id_rsa.dpkg-tmp id_rsa.pacnew id_rsa.pacorig
    id_rsa.ucf-old id_rsa.ucf-new id_rsa.ucf-dist id_rsa.conflict id_rsa.conflicted
  `).concat(COPIES_OF_SECRETS),
  sensitive_executable: split(`
    .envrc .ENVRC sub/.envrc .envrc.local .envrc.private .envrc.override .gitconfig sub/.gitconfig
  `),
  executable: split(`
    .git .git/HEAD .git/hooks/pre-commit .git/index .git/info/attributes vendor/.git/a .GIT/hooks/a .Git git~1 GIT~1/a
    .githooks/pre-push .husky/pre-commit .hg/hgrc .svn/a .vscode/tasks.json .vscode .idea/a.xml .zed/tasks.json .fleet/a
    .vim/a .nvim/a .emacs.d/init.el .claude/settings.json .cursor/mcp.json .gemini/settings.json .codex/config.toml
    .roo/mcp.json .continue/a .windsurf/a .kiro/a .aider/a .ybs/a .eidolon/a .circleci/config.yml .buildkite/a.yml
    .devcontainer/devcontainer.json .yarn/releases/yarn.cjs .bundle/config .mise/a packages/a/.vscode/a
    AGENTS.md src/agents.md AGENTS.override.md CLAUDE.md CLAUDE.local.md GEMINI.md .cursorrules .windsurfrules
    .clinerules .clinerules/a.md .goosehints .github/copilot-instructions.md .hgrc .huskyrc .jj/config
    .direnv/x
    .rvmrc .versions.conf .lefthook/pre-commit/a.sh .lefthook-local/a .cargo-husky/hooks/pre-commit .git-hooks/pre-commit
    .sl/config .bzr/a .pijul/a _darcs/prefs/a .shadowenv.d/500_default.lisp .lfsconfig lefthook-local.json
    .lefthook.jsonc .huskyrc.js .huskyrc.json .huskyrc.yml husky.config.js .commitlintrc .commitlintrc.yml
    commitlint.config.mjs .nano-staged.json nano-staged.cjs .nanostagedrc lint-staged.config.mts simple-git-hooks.json
    grumphp.yml grumphp.yml.dist grumphp.dist.yaml captainhook.json captainhook.json.dist captainhook.config.json
    .local-overcommit.yml .overcommit.yaml rusty-hook.toml .rusty-hook.toml hk.pkl .config/hk.pkl hk.local.pkl .gitlint
    .vimspector.json .tmuxinator.yml .tmuxinator.yaml .tmuxp.yaml .tmuxp.json .smug.yml .arcconfig .arclint .fslckout
    _FOSSIL_ .reviewboardrc .continuerc.json .aider.model.settings.yml netlify.toml vercel.json render.yaml
    .factorypath .prow.yaml .zuul.yaml zuul.yaml .gitpod.Dockerfile mise/config.toml mise.production.toml
    .mise.ci.local.toml
    .gitmodules HEAD bare/HEAD head .pre-commit-config.yaml lefthook.yml .lefthook.yml
    .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .inputrc .zshrc .zshenv .zprofile .zlogin
    .zlogout .kshrc .cshrc .tcshrc .login .xinitrc .xprofile .xsession .tmux.conf .screenrc .exrc .vimrc
    .nvimrc .nvim.lua .emacs .dir-locals.el .gdbinit .lldbinit .ybs.json .mcp.json .aider.conf.yml sitecustomize.py
    lib/sitecustomize.py usercustomize.py pyvenv.cfg venv/pyvenv.cfg .pdbrc .irbrc .pryrc .Rprofile .gemrc .yarnrc
    .yarnrc.yml .pnpmfile.cjs .mise.toml mise.toml .tool-versions .gitlab-ci.yml .travis.yml .drone.yml .woodpecker.yml
    azure-pipelines.yml appveyor.yml bitbucket-pipelines.yml Jenkinsfile .devcontainer.json docker.sock podman.sock
    containerd.sock a.pth site-packages/x.pth a.code-workspace .github/workflows/ci.yml .github/actions/a/action.yml
    .gitea/workflows/a .forgejo/workflows/a .cargo/config .cargo/config.toml .local/bin/a node_modules/.bin/tsc
    Library/LaunchAgents/a.plist .config/autostart/a .YBS.JSON .ssh/known_hosts .run/a.xml .vs/a .helix/a
    .bashrc.d/a .zshrc.d/a .oh-my-zsh/a .cline/a .opencode/a .qwen/a .crush/a .goose/a .amazonq/a .junie/a .trae/a
    .agents/a .woodpecker/a .tekton/a .semaphore/a .azure-pipelines/a .ci/run .mvn/a .gradle/a .venv/bin/python
    lefthook.yaml .lefthook.yaml lefthook.toml .overcommit.yml .xsessionrc .pam_environment .curlrc .wgetrc .forward
    .procmailrc .mailcap .lvimrc .vimrc.local .nanorc .claude.json opencode.json opencode.jsonc crush.json .crush.json .Renviron
    .pythonrc .psqlrc .sqliterc .ghci .ocamlinit .iex.exs .user.ini pip.conf pip.ini .condarc bunfig.toml .bunfig.toml
    .pnp.cjs .pnp.loader.mjs .bazelrc gradlew gradlew.bat mvnw mvnw.cmd gradle/wrapper/gradle-wrapper.properties
    .mise.local.toml mise.local.toml .cirrus.yml buildspec.yml cloudbuild.yaml cloudbuild.yml crio.sock buildkitd.sock
    .settings/a.prefs .nova/a .lapce/a .theia/a .ropeproject/config.py .agent/a .antigravity/a .augment/a .bob/a
    .codebuddy/a .devin/a .factory/a .firebender/a .iflow/a .kilo/a .kilocode/a .lingma/a .openhands/a .pi/a .roorules/a
    .rovodev/a .ruler/a .tabnine/a .vibe/a .warp/a .zencoder/a .azuredevops/a .builds/a.yml .codefresh/a .codesandbox/a
    .harness/a .idx/dev.nix .replit .teamcity/a prek.toml lefthook-local.yml .lefthook-local.yml lefthook-local.yaml
    lefthook-local.toml lefthook.json .pre-commit-config.yml .simple-git-hooks.json .simple-git-hooks.js
    .simple-git-hooks.cjs simple-git-hooks.js .lintstagedrc .lintstagedrc.json .lintstagedrc.js .lintstagedrc.mjs
    .lintstagedrc.cjs .lintstagedrc.yaml .lintstagedrc.yml lint-staged.config.js lint-staged.config.mjs
    lint-staged.config.cjs lint-staged.config.ts .local.vimrc _vimrc .dir-locals-2.el .project .kateproject
    .gdbearlyinit .radare2rc .wezterm.lua .rules .roomodes .kilocodemodes .amp/settings.json .claude-plugin/plugin.json AGENT.md CRUSH.md QWEN.md WARP.md .rtx.toml .prototools
    rust-toolchain rust-toolchain.toml .pnpmfile.mjs .bazeliskrc .bazelversion .buckconfig .buckconfig.local .actrc
    ansible.cfg .autoenv .autoenv.zsh .autoenv_leave.zsh .octaverc .erlang .rdbgrc .byebugrc .perldb ipython_config.py
    jupyter_notebook_config.py jupyter_server_config.py jupyter_lab_config.py azure-pipelines.yaml .appveyor.yml
    .build.yml bitrise.yml codemagic.yaml codefresh.yml wercker.yml .cirrus.star .space.kts screwdriver.yaml
    .drone.jsonnet .drone.star .woodpecker.yaml .onedev-buildspec.yml .gitpod.yml buildspec.yaml
    .github/instructions/a.md .github/prompts/a.md .github/agents/a.md .github/chatmodes/a.md .github/hooks/a.json
    .config/mise/config.toml .config/mise/conf.d/a.toml .config/mise.toml tools/bazel
    a.sublime-project .config/systemd/user/a.service .config/fish/config.fish .config/git/config venv/bin/activate
    flake.nix sub/flake.nix flake.lock shell.nix devenv.nix devenv.yaml devenv.local.nix devenv.local.yaml devenv.lock
    devbox.json devbox.lock direnv.toml .direnvrc .config/direnv/direnvrc guix.scm manifest.scm .flox/env/manifest.toml
    .devenv/profile/bin/a .devbox/gen/scripts/.hooks.sh .smartcd/a .bash_enter .bash_leave .ondirrc .xonshrc .mkshrc
    .shrc .p10k.zsh .zimrc .zpreztorc .lessfilter .lesskey .ripgreprc .config/nushell/config.nu .config/powershell/a.ps1
    .config/xonsh/rc.xsh .config/elvish/rc.elv .config/environment.d/a.conf .config/starship.toml .config/nvim/init.lua
    .config/helix/a .config/zed/tasks.json .config/kitty/a .config/wezterm/a.lua .config/tmux/tmux.conf
    .config/lazygit/config.yml .externalToolBuilders/a.launch .bsp/sbt.json .fvm/flutter_sdk/bin/dart .cproject
    .pydevproject .lazy.lua hie.yaml .hie-bios .merlin buildServer.json omnisharp.json .luarc.json .luarc.jsonc a.ipr
    a.iws a.suo .aiassistant/rules/a.md .conductor/a conductor.json .forge/a .grok/settings.json .kimi/a .neovate/a
    .pochi/a .qoder/a CODEBUDDY.md CODEX.md GROK.md IFLOW.md replit.md .hermes.md .gitlab-ci/a.yml .gitlab/ci/a.yml
    build.gitlab-ci.yml .gitpod/automations.yaml .ona/automations.yaml .stackblitzrc replit.nix devfile.yaml
    .devfile.yaml .pre-commit-hooks.yaml circle.yml gradle/wrapper/gradle-wrapper.jar NuGet.config .gnuplot startup.m
    .utoprc .jshellrc .cmux/init .mux/init .superset/config.json .worktreerc
  `),
};

const LOOK_ALIKES: readonly (readonly [name: string, path: string, found: PathClass])[] = [
  ['wide letters', '\uff0egit/hooks/a', 'executable'],
  ['an ignored character', '.g\u200cit/hooks/a', 'executable'],
  ['a soft hyphen', '.e\u00adnv', 'sensitive'],
  ['a long s', '.\u017fsh/a', 'executable'],
  ['the Kelvin sign', 'server.\u212aey', 'sensitive'],
  ['a dot at the end', '.env.', 'sensitive'],
  ['spaces at the end', '.git  /hooks/a', 'executable'],
  ['a dot and a space', 'id_rsa. ', 'sensitive'],
  ['a letter of another script', '.\u0435nv', 'ordinary'],
  ['a line break', 'service-account\n1.json', 'sensitive'],
  ['a decomposed letter', 'caf\u0065\u0301.key', 'sensitive'],
];

describe('the class of a path', () => {
  const project = rulesIn('/home/u/app');

  it.each(Object.entries(IN_PROJECT).flatMap(([found, paths]) => paths.map((path) => [path, found] as const)))(
    '%s in the workspace is %s',
    (path, found) => {
      expect(classOfPath(`/home/u/app/${path}`, project)).toBe(found);
      expect(holdsSecrets(`/home/u/app/${path}`, project)).toBe(
        found === 'sensitive' || found === 'sensitive_executable',
      );
    },
  );

  it.each(LOOK_ALIKES)('ignores %s: %j is %s', (_name, path, found) => {
    expect(classOfPath(`/home/u/app/${path}`, project)).toBe(found);
  });

  it.each([
    ...split(
      '/home/u/other/a /home/u/app2/a /home/u/ap /home/u /home /tmp/a / /usr/share/a /home/u/.vscode/a /home/u/.bashrc',
    ).map((path) => [path, 'outside']),
    ...split('relative ../a /home/u/app/../other /home/u/app/./a').map((path) => [path, 'protected']),
    ...split('/proc/self/environ /dev/null /sys/a /home/u/.ssh/id_rsa /home/u/.aws/a /PROC/1').map((path) => [
      path,
      'protected',
    ]),
    ...split('/etc/passwd /var/log/a /private/etc/a').map((path) => [path, 'settings']),
    ...split('/home/u/.env /srv/key.pem /home/u/other/.git/config /home/v/.npmrc').map((path) => [path, 'sensitive']),
    ['/home/u/.netrc', 'protected'],
    ['/home/u/.config/ybs/sessions/a', 'protected'],
    ['/logs/.env', 'ordinary'],
    ['/logs/a.txt', 'ordinary'],
    ['/home/u/app', 'ordinary'],
  ])('%s is %s', (path, found) => {
    expect(classOfPath(path, project)).toBe(found);
  });

  it.each([
    ...names.PROTECTED_IN_HOME.map((path) => [`/home/u/${path}/a`, 'protected']),
    ...names.PROTECTED_IN_HOME.map((path) => [`/home/u/${path.toUpperCase()}`, 'protected']),
    ...split('.sshd/a .config/htop/a .local/share/a library/a .dockerignore').map((path) => [
      `/home/u/${path}`,
      'ordinary',
    ]),
    ['/home/u/.bashrc', 'executable'],
    ['/home/u/.npmrc', 'sensitive'],
    ['/home/u', 'ordinary'],
  ])('with the home directory as workspace, %s is %s', (path, found) => {
    expect(classOfPath(path, rulesIn('/home/u'))).toBe(found);
  });

  it('has a row for every directory of the home directory', () => {
    const own = split(
      '.ssh .aws .gnupg .gpg .kube .docker .azure .oci .password-store .mozilla .thunderbird .local/share/keyrings',
    );
    const more = split(
      '.config/google-chrome .config/chromium .config/gcloud library/keychains library/cookies library/safari',
    );
    const last = split(
      'library/application_support/google/chrome library/application_support/firefox appdata/local/google/chrome appdata/roaming/mozilla',
    );
    expect(names.PROTECTED_IN_HOME).toEqual([...own, ...more, ...last.map((path) => path.replace('_', ' '))]);
  });

  it.each([
    ['/etc/passwd', 'settings'],
    ['/var/log/syslog', 'settings'],
    ['/private/etc/hosts', 'settings'],
    ['/private/var/a', 'settings'],
    ['/proc/1/environ', 'protected'],
    ['/sys/a', 'protected'],
    ['/dev/sda', 'protected'],
    ['/System/a', 'protected'],
    ['/Library/a', 'protected'],
    ['/ETC/passwd', 'settings'],
    ['/private/a', 'ordinary'],
    ['/usr/share/a', 'ordinary'],
    ['/etcetera', 'ordinary'],
    ['/home/u/.ssh/id_rsa', 'protected'],
  ])('with the root as workspace, %s is %s', (path, found) => {
    expect(classOfPath(path, rulesIn('/'))).toBe(found);
  });

  it('is that of a directory that the user has allowed inside one of the system', () => {
    const rules = rulesIn('/var/www/app', { home: '/var/www' });
    expect(classOfPath('/var/www/app/a', rules)).toBe('ordinary');
    expect(classOfPath('/var/www/app/.env', rules)).toBe('sensitive');
    expect(classOfPath('/var/www/app/a', { ...rules, allowedRoots: ['/', '/var/www/app'] })).toBe('ordinary');
    expect(classOfPath('/var/www/other', { ...rules, allowedRoots: ['/', '/var/www/app'] })).toBe('settings');
    expect(classOfPath('/var/www/.ssh/a', { ...rules, allowedRoots: ['/var/www'] })).toBe('protected');
    expect(classOfPath('/var/www/app/a', rulesIn('/var/www/app', { home: '/home/u', platform: 'darwin' }))).toBe(
      'ordinary',
    );
  });

  it('depends only on the path below the innermost allowed directory', () => {
    const rules = rulesIn('/home/u/.claude/trees/x', { allowedRoots: ['/home/u', '/home/u/.claude/trees/x'] });
    expect(classOfPath('/home/u/.claude/trees/x/src/a.ts', rules)).toBe('ordinary');
    expect(classOfPath('/home/u/.claude/trees/x/.claude/a', rules)).toBe('executable');
    expect(classOfPath('/home/u/.claude/settings.json', rules)).toBe('executable');
    expect(
      classOfPath('/home/u/.claude/settings.json', { ...rules, allowedRoots: rules.allowedRoots.toReversed() }),
    ).toBe('executable');
  });

  it('is the same on Windows, whatever the separators', () => {
    const rules = rulesIn('C:\\Users\\u\\app', {
      home: 'C:\\Users\\u',
      blockedPaths: [],
      ownDirectories: [],
      platform: 'windows',
    });
    const classes = ['src\\a.ts', '.ENV', '.git\\hooks\\a', '.git/config', 'id_rsa.', 'a.KEY '].map((path) =>
      classOfPath(`C:\\Users\\u\\app\\${path}`, rules),
    );
    expect(classes).toEqual(['ordinary', 'sensitive', 'executable', 'sensitive', 'sensitive', 'sensitive']);
    expect(classOfPath('C:\\Users\\u\\.ssh\\a', { ...rules, allowedRoots: ['C:\\Users\\u'] })).toBe('protected');
  });

  it('is not that of a file with secrets for an unresolved path', () => {
    expect(holdsSecrets('.env', project)).toBe(false);
  });

  it('is that of a guarded path, unless its name has a stricter class', () => {
    const rules = rulesIn('/home/u/app', { guardedPaths: ['/home/u/hooks', '/home/u/app/scripts/hooks'] });
    const paths = split('scripts/hooks scripts/hooks/pre-commit scripts/HOOKS/a scripts/a scripts/hooks2/a');
    expect(paths.map((path) => classOfPath(`/home/u/app/${path}`, rules))).toEqual([
      ...['executable', 'executable', 'executable'],
      ...['ordinary', 'ordinary'],
    ]);
    expect(classOfPath('/home/u/app/scripts/hooks/.env', rules)).toBe('sensitive');
  });

  it('is ordinary in a read-only directory, wherever it is', () => {
    expect(classOfPath('/var/state/outputs/.env', rulesIn('/w', { readOnlyRoots: ['/var/state/outputs'] }))).toBe(
      'ordinary',
    );
  });

  it('does not need a home directory', () => {
    const { home: _, ...rules } = rulesIn('/home/u');
    expect(classOfPath('/home/u/.aws/a', rules)).toBe('ordinary');
  });

  it('is tested with more than 150 rows', () => {
    const paths = Object.values(IN_PROJECT).flat();
    expect(new Set(paths).size).toBeGreaterThan(250);
    const folded = paths.map((path) => path.toLowerCase());
    const rows = [
      names.SENSITIVE_NAMES,
      names.SENSITIVE_EXECUTABLES,
      names.EXECUTABLE_DIRECTORIES,
      names.EXECUTABLE_FILES,
    ].flatMap((set) => [...set]);
    expect(rows.filter((row) => !folded.some((path) => path.split('/').includes(row)))).toEqual([]);
    const ends = [
      ...names.SENSITIVE_ENDS,
      ...names.EXECUTABLE_ENDS,
      ...[...names.ENV_EXAMPLES].map((name) => `.env.${name}`),
    ];
    expect(ends.filter((end) => !folded.some((path) => path.endsWith(end)))).toEqual([]);
    const pairs = [...names.SENSITIVE_PAIRS, ...names.EXECUTABLE_PAIRS].map((pair) => pair.join('/'));
    expect(pairs.filter((pair) => !folded.some((path) => path.startsWith(pair)))).toEqual([]);
    expect([...names.GIT_SETTINGS]).toEqual(['config', 'config.worktree']);
  });
});

describe('the decision about a path', () => {
  const rules = rulesIn('/w');
  const answer = (realPath: string, access: 'read' | 'write', mode: 'ask' | 'full-access'): string => {
    const [toolName, toolEffect] =
      access === 'read' ? (['read_file', 'read'] as const) : (['write_file', 'write'] as const);
    const effect = { summary: 'a', paths: [{ requested: realPath, realPath, access }] };
    const settings = { mode, pathRules: rules, blockList: parseBlockList([]), levels: {}, confirmedTools: [] };
    return decide({ toolName, toolEffect, effect }, settings, []).type;
  };

  it.each([
    // class                                             read   write  in the modes ask and full-access
    ['ordinary', '/w/a', 'allow allow', 'ask allow', { read: 'mode', write: 'mode' }],
    ['outside', '/out/a', 'ask allow', 'deny deny', { read: 'ask', write: 'deny' }],
    ['protected', '/proc/a', 'deny deny', 'deny deny', { read: 'deny', write: 'deny' }],
    ['settings', '/etc/a', 'ask allow', 'deny deny', { read: 'ask', write: 'deny' }],
    ['sensitive', '/w/.env', 'ask allow', 'deny deny', { read: 'ask', write: 'deny' }],
    ['executable', '/w/.ybs.json', 'allow allow', 'ask allow', { read: 'mode', write: 'ask' }],
    ['sensitive_executable', '/w/.envrc', 'ask allow', 'ask allow', { read: 'ask', write: 'ask' }],
  ] as const)('follows the class %s: %s', (found, path, reads, writes, answers) => {
    expect(CLASS_ANSWERS[found]).toEqual(answers);
    expect(classOfPath(path, rules)).toBe(found);
    expect([answer(path, 'read', 'ask'), answer(path, 'read', 'full-access')].join(' ')).toBe(reads);
    expect([answer(path, 'write', 'ask'), answer(path, 'write', 'full-access')].join(' ')).toBe(writes);
  });

  it('names the reason that denies a write', () => {
    expect(classifyPath('/w/.env', 'write', rules)).toEqual({ type: 'blocked', rule: 'file with secrets' });
    expect(classifyPath('/proc/a', 'read', rules)).toEqual({ type: 'blocked', rule: 'protected directory' });
    expect(classifyPath('/etc/a', 'write', rulesIn('/'))).toEqual({ type: 'blocked', rule: 'protected directory' });
    expect(classifyPath('/etc/a', 'read', rules)).toEqual({
      type: 'outside',
      rule: 'safety.sandbox_allowed_paths',
      answer: 'ask',
    });
    expect(classifyPath('/etc/a', 'read', rulesIn('/'))).toEqual({ type: 'inside' });
  });
});
