import { ANY, each, starts, VERSION, type ViewedProgram, WITHOUT_OUTPUT } from './viewed-row.ts';

/** The rows of package managers, compilers, runners and checkers. */
export const PROJECT_ROWS: Readonly<Record<string, ViewedProgram>> = {
  // Package managers and compilers
  npm: starts(
    'ls, list, la, ll, root, prefix, bin, explain, why, help, --version, -v, query, config get, config list, config ls, pkg get, run$, run-script$, run --list, fund, sbom, cache ls, cache npx ls, help-search, completion, version$, prune --dry-run, get, c ls, c get',
  ),
  pnpm: starts(
    'ls, list, ll, la, why, root, bin, --version, -v, help, run$, config get, config list, config ls, licenses, store path, store status, env list, -r ls, -r list',
  ),
  yarn: starts(
    'list, why, --version, -v, bin, help, run$, config list, config get, config$, cache dir, licenses list, global list, global dir, global bin, info, explain, constraints query, workspaces list, workspaces info',
  ),
  ...each('pip pip3', {
    ...starts(
      'list, show, freeze, check, --version, -V, help, config list, config get, config debug, inspect, debug, cache dir, cache info, cache list, hash, completion',
    ),
    refuses: /^--(?:log|report|cache)/,
  }),
  'pip-compile': { needs: /^(?:--dry-run|--version|--help)$/ },
  pipx: starts('list, environment, --version, completions'),
  ...each(
    'pyenv rbenv nodenv goenv jenv phpenv tfenv',
    starts(
      'version, versions, which, whence, root, shims, prefix, local$, global$, install --list, install -l, --version, -v, commands',
    ),
  ),
  ...each('nvm fnm volta n', starts('ls, list, current, which, version, alias$, list all, --version, -v, bin')),
  ...each('sdk jabba', starts('current, version, home, which, ls')),
  // Those that run the command behind them have it judged as well.
  uv: starts(
    'pip list, pip show, pip freeze, pip tree, pip check, tree, run, --version, version$, version --short, python list, python find, python dir, cache dir, tool list, tool dir, self version, lock --check, lock --dry-run, sync --check, sync --dry-run, workspace, help',
  ),
  rye: starts('show, list, version, --version, toolchain list, config --show-path'),
  ...each(
    'pdm hatch',
    starts('list, info, show, config$, env show, version$, --version, dep show, project metadata, status'),
  ),
  poetry: starts(
    'show, run, --version, -V, env info, env list, check, about, config --list, debug, help, list, version$, version -s, version --short, self show, source show, cache list, python list',
  ),
  pipenv: starts('run, graph, --version, --venv, --where'),
  ...each(
    'conda mamba micromamba',
    starts(
      'list, info, env list, env config vars list, env export, run, --version, config --show, config --show-sources, config --describe, config list, config sources, config describe, compare, package --which, package -w',
    ),
  ),
  pixi: starts(
    'list, tree, info, task list, run, --version, config list, global list, workspace channel list, workspace environment list, workspace name get, workspace platform list, workspace version get',
  ),
  mise: starts(
    'ls, list, current, which, where, exec, x, --version, version, tasks$, tasks ls, tasks info, tasks deps, task ls, config$, config ls, config get, settings$, settings ls, settings get, env, alias ls, plugins$, plugins ls, bin-paths, doctor, cache path',
  ),
  asdf: starts(
    'current, where, which, list, plugin list, plugin-list, exec, --version, version, info, shim-versions, shimversions',
  ),
  direnv: starts('status, version, stdlib, --version, help'),
  ...each('devbox devenv', starts('list, version, info, --version')),
  go: {
    ...starts(
      'version, env, help, list, doc, vet, fmt -n, clean -n, tool, mod graph, mod why, mod verify, mod edit -json, mod edit -print, work edit -json',
    ),
    refuses: /^-{1,2}(?:w|vettool|toolexec|exec)(?:=|$)/,
  },
  cargo: {
    ...starts(
      '--version, -V, version, metadata, tree, help, --list, fmt --check, fmt -- --check, fmt --all --check, fmt --all -- --check, locate-project, pkgid, read-manifest, verify-project, install --list, package --list, report, config get',
    ),
    refuses: /^--config/,
  },
  rustup: starts(
    'show, --version, -V, toolchain list, target list, which, component list, override list, help, man, doc --path, completions',
  ),
  gem: starts(
    'list, which, --version, -v, env, environment, contents, specification, dependency, info, query --local, help, stale',
  ),
  ...each(
    'bundle bundler',
    starts(
      'list, show, --version, -v, info, exec, platform, env, config$, config list, config get, check, licenses, help',
    ),
  ),
  rake: starts('-T, --tasks, -P, --prereqs, -W, --where, -AT, -D, --describe, --version'),
  composer: starts(
    'show, info, --version, -V, licenses, validate, status, depends, why, prohibits, why-not, suggests, check-platform-reqs, config --list, config -l, help, list, about',
  ),
  dotnet: starts(
    '--version, --info, --list-sdks, --list-runtimes, list, sln list, tool list, nuget locals all --list, nuget list source, workload list, sdk check, help, solution list',
  ),
  ...each('mvn gradle sbt ant mill lein', starts('--version, -v, -version, -h, --help, -projecthelp, -help, version$')),
  ...each('cabal stack', starts('--version, --numeric-version, list --installed, path, query, ls, ide targets')),
  opam: starts(
    'list, show, info, switch list, switch show, var, config list, env, --version, repository list, pin list',
  ),
  mix: starts('--version, -v, help, app.tree, deps.tree, deps$'),
  luarocks: starts('list, show, path, --version, which'),
  ...each('dart flutter', starts('--version, pub deps, help')),
  ...each('cpanm cpan', starts('--version, -V, -v, -l')),
  make: {
    ...starts('-n, --dry-run, --just-print, --version, -v, -p, -pn, -np, -qp, -pq, --print-data-base'),
    refuses: /^(?:--e|-E)/,
  },
  just: starts(
    '--list, -l, --summary, --show, -s, --dump, --variables, --groups, --evaluate, --dry-run, -n, --usage, --fmt --check, --unstable --fmt --check, --version',
  ),
  nox: starts('--list, -l, --list-sessions, --version'),
  tox: starts('-l, --listenvs, -a, --listenvs-all, list, config, --showconfig, --version, -av'),
  ...each('invoke inv fab', starts('--list, -l, --version')),
  ...each('turbo nx rush', VERSION),
  lerna: starts('ls, list, la, ll, --version, changed'),
  ...each('bazel bazelisk', VERSION),
  cmake: starts(
    '--version, -version, -h, --help, -E capabilities, -E environment, -E compare_files, -E cat, -E sha256sum, -E md5sum, --list-presets, -N -LA',
  ),
  ninja: starts(
    '-n, -t targets, -t query, -t commands, -t graph, -t deps, -t rules, -t inputs, -t missingdeps, -t list, --version, -nv',
  ),
  meson: starts('introspect, --version, -v, configure$, help'),
  scons: starts('-n, -h, --version, --tree'),
  task: starts('--list, -l, --list-all, -a, --summary, --status, --dry, -n, --version'),
  ctest: { needs: /^(?:-N|--show-only.*|--version|--print-labels|--help)$/ },
  helm: {
    ...starts(
      'template, lint, version, help, show chart ., show values ., show all ., dependency list, dep list, env, completion, plugin list, repo list',
    ),
    refuses: /^--(?:post-renderer|output-dir)/,
  },
  kustomize: { ...starts('build, version, cfg tree, cfg count'), refuses: /^(?:-o|--output|--enable-(?:exec|alpha))/ },
  docker: starts('--version, -v, compose config, compose version, context ls, context show, help, buildx version'),
  'docker-compose': starts('config, version, --version, -v'),
  podman: starts('--version, -v, version, help'),
  ...each('terraform tofu terragrunt', {
    ...starts(
      'version, -version, --version, validate, fmt -check, fmt -recursive -check, fmt -check -recursive, fmt -diff -check, fmt -check -diff, fmt -write=false, providers$, providers schema, graph, workspace list, workspace show, metadata functions',
    ),
    refuses: /^-(?:out|state-out|generate-config-out)/,
  }),
  packer: starts('version, validate, inspect, fmt -check, fmt -diff -write=false'),
  pulumi: starts('version, about, plugin ls, schema check'),
  vagrant: starts(
    '--version, -v, version, status, global-status, validate, box list, plugin list, ssh-config, port, snapshot list',
  ),
  ...each('ansible-config ansible-doc', { refuses: /^(?:init|--output.*|--export)$/ }),
  ansible: { needs: /^(?:--list-hosts|--version)$/ },
  'ansible-lint': { refuses: /^--(?:fix|write|generate).*/ },
  'ansible-playbook': { needs: /^--(?:syntax-check|list-tasks|list-hosts|list-tags|version)$/ },
  'ansible-galaxy': starts('list, collection list, role list, --version'),
  sops: starts('--version, filestatus'),
  openssl: {
    ...starts(
      'version, x509, req, dgst, md5, sha1, sha256, sha512, rand, asn1parse, crl, verify, list, ciphers, help, prime, ts -reply, ts -query -in, errstr, pkcs7, cms -cmsout, rsa -pubin, pkey -pubin, ec -pubin',
    ),
    refuses: /^--?(?:out|certsout|newkey|new|keyout|x509|CAcreateserial|writerand|engine|provider.*|config)(?:=|$)/,
  },
  certtool: starts('-i, --certificate-info, --crl-info, --version'),
  keytool: starts('-list, -printcert, -printcrl, -help'),
  'ssh-keygen': { needs: /^-[a-zA-Z]*[lBF]/, refuses: /^-[a-zA-Z]*[RHpygtKx]/ },
  gpg: starts('--version, --list-packets, --list-config'),
  // Checkers, with the words that make them change nothing
  kubectl: starts(
    'version --client, --help, help, options, config current-context, config view, config get-contexts, config get-clusters, config get-users, completion, plugin list, kustomize',
  ),
  tsc: {
    needs: /^(?:--noEmit|--version|-v|--showConfig|--listFilesOnly|--help|-h)$/,
    refuses: /^(?:-w|--watch|--build|-b|--generate.*|--out.*|--incremental|--tsBuildInfoFile|--declarationDir|--init)$/,
  },
  eslint: { refuses: /^(?:--fix.*|-o|--output-file.*|--cache.*|--init|--rulesdir.*)$/ },
  prettier: { refuses: /^(?:-w|--write|--cache.*)$/ },
  biome: {
    starts: ['check', 'lint', 'format', 'ci', '--version', 'explain'],
    refuses: /^--(?:write|fix|apply|unsafe).*/,
  },
  ruff: {
    starts: ['check', 'format --check', 'format --diff', '--version', 'rule', 'version'],
    refuses: /^--(?:fix|unsafe-fixes|add-noqa|watch)/,
  },
  black: { needs: /^(?:--check|--diff|--version)$/ },
  isort: { needs: /^(?:-c|--check|--check-only|--diff|--version)$/ },
  ...each('gofmt goimports gofumpt golines', { refuses: /^-(?:w|l?w)$/ }),
  ...each('staticcheck errcheck ineffassign revive gocyclo', WITHOUT_OUTPUT),
  'golangci-lint': {
    ...starts(
      'run, linters, config path, config verify, help, formatters, version, --version, cache status, fmt --diff',
    ),
    refuses: /^--fix/,
  },
  rustfmt: { needs: /^(?:--check|--version|--print-config|--emit=stdout|--help)$/ },
  ...each('rubocop standardrb', {
    refuses: /^(?:-a|-A|-x|--auto.*|--fix.*|--safe-auto.*|--out.*|-o|--init|--regenerate.*|--server.*|--start-server)$/,
  }),
  'php-cs-fixer': { needs: /^(?:--dry-run|--version|describe|list-files)$/ },
  ...each('phpcs phpstan', { refuses: /^(?:--report-file.*|--generate-baseline.*|-b|--pro|--fix)$/ }),
  ...each('stylelint standard xo oxlint htmlhint jshint tslint', {
    refuses: /^(?:--fix.*|-o|--output-file.*|--cache.*|--init)$/,
  }),
  sqlfluff: starts('lint, parse, rules, dialects, version, --version'),
  ...each('autopep8 yapf docformatter', { refuses: /^(?:-[a-z]*i|--in-place)$/ }),
  ...each('bandit vulture radon pydocstyle codespell typos cspell vale proselint write-good alex', {
    refuses: /^(?:-o|--output.*|-w|--write-changes|-i|--interactive.*|--init)$/,
  }),
  ...each('checkbashisms checkmake editorconfig-checker commitlint', WITHOUT_OUTPUT),
  ...each('tflint tfsec checkov kubeconform kubeval kube-linter dockle conftest', {
    refuses: /^(?:--fix|--init|-o|--output-file.*|--out)$/,
  }),
  buf: starts('lint, format -d, format --diff, ls-files, --version'),
  protoc: starts('--version, --decode_raw'),
  'clang-tidy': { refuses: /^-{1,2}(?:fix.*|export-fixes.*)$/ },
  ...each('ktlint detekt', { refuses: /^(?:-F|--format|--auto-correct|--create-baseline|-cb)$/ }),
  swiftlint: { ...starts('lint, rules, version'), refuses: /^--(?:fix|auto)/ },
  swiftformat: { needs: /^(?:--lint|--dryrun|--version)$/ },

  shfmt: { refuses: /^(?:-w|--write)$/ },
  'clang-format': { refuses: /^-i$/ },
  ...each('markdownlint markdownlint-cli2 mdl', { refuses: /^(?:-f|--fix|-o|--output)$/ }),
  // Its option gives the names of optional checks.
  shellcheck: { refuses: /^(?:--output.*|-f.*auto.*|--in-place)$/ },
  ...each('hadolint yamllint flake8 pyflakes pycodestyle actionlint cppcheck luacheck', {
    refuses: /^(?:-o|--output.*|-f.*auto.*|--in-place)$/,
  }),
  pylint: { refuses: /^(?:-o|--output.*|--init-hook.*|--load-plugins.*|--generate.*)$/ },
  jest: starts('--listTests, --showConfig, --version'),
  vitest: starts('list, --version'),
  mocha: { needs: /^(?:--dry-run|--list-files|--list-reporters|--list-interfaces|--version)$/ },
  playwright: starts('test --list, --version'),
  cypress: starts('version, info'),
  rspec: { needs: /^(?:--dry-run|--version)$/ },
  'pre-commit': starts('validate-config, validate-manifest, sample-config, --version, help'),
  lefthook: starts('dump, version, validate, check-install'),
  nix: {
    ...starts(
      '--version, flake show, flake metadata, flake info, eval, show-config, config show, path-info, store ls, hash, derivation show, why-depends, profile list, registry list',
    ),
    refuses: /^--(?:write-to|option|plugin)/,
  },
  'nix-store': starts('-q, --query, --version, --print-env, -l, --read-log, --verify-path'),
  'nix-env': starts('-q, --query, --list-generations, --version'),
  'nix-instantiate': starts('--eval, --parse, --version, --find-file'),
  ...each('nixfmt alejandra nixpkgs-fmt', { needs: /^(?:-c|--check|--version)$/ }),
  ...each('statix deadnix', { refuses: /^(?:fix|single|-e|--edit)$/ }),

  pytest: { needs: /^(?:--collect-only|--co|--version|--fixtures|--markers)$/, refuses: /^(?:-p|--junit|--log-file)/ },
  ...each('gcc g++ clang clang++ cc c++', {
    refuses: /^(?:-o|-fplugin|-wrapper|-M|-save-temps|--save-temps|-specs|--specs|-B|@)/,
    needs: /^(?:-E|-fsyntax-only|-v|-dumpversion|-dumpmachine|-print-[a-z-]+(?:=.*)?|--version|--help)$/,
  }),
  rustc: starts('--version, -V, -vV, --print, --explain, --help'),
  // Those that only check the syntax
  node: { ...starts('--check, -c, -v$, --version$, -h$, --help$'), refuses: /^-(?:r$|-require|-import|-env)/ },
  php: starts(
    '-l, --syntax-check, -v$, --version$, -h$, --help$, -m$, --modules$, -i$, --info$, --ini$, --rf, --rfunction, --rc, --rclass, --re, --ri',
  ),
  ruby: { ...starts('-c, -wc, -cw, -v$, --version$, -h$, --help$'), refuses: /^-r/ },
  luac: starts('-p, -v'),
  fish: starts('-n, --no-execute, --version, -v'),
  bun: starts(
    '--version, -v, --revision, pm ls, pm list, pm bin, pm cache$, pm hash, pm hash-string, pm hash-print, pm pkg get, pm version$, pm default-trusted, pm untrusted, why, --help, -h',
  ),
  deno: starts('--version, -V, --help, -h, task$, types, lint --rules, fmt --check, completions, help'),
  javap: ANY,
  jdeps: { refuses: /^-{1,2}(?:dot|gen)/ },
  ...each('mpicc mpic++ mpicxx mpifort', { needs: /^-{1,2}show/ }),
  perlbrew: starts('list, list-modules, info, version, help'),
  nimble: starts('list -i, list --installed, path, dump, --version'),
  svgo: { needs: /^(?:--show-plugins|--version)$/ },
  pandoc: starts(
    '--version, -v, --list-input-formats, --list-output-formats, --list-extensions, --list-highlight-languages, --list-highlight-styles, --print-default-template, -D',
  ),
  dot: starts('-V, -?'),
  julia: starts('--version, -v, -h, --help'),
  R: starts('--version, --help, RHOME, CMD config'),
  Rscript: VERSION,
  nim: starts('--version, -v, dump, check'),
  zig: starts('version, env, targets, ast-check, fmt --check, zen, help, libc'),
  'git-lfs': starts('ls-files, status, env, version, track$, --version, -v'),

  ...each('perl python python3 java javac', VERSION),
  ...each(
    'swift kotlin kotlinc scala lua luajit ghc ghci elixir iex erl ocaml racket guile sbcl clojure crystal dmd tcc',
    VERSION,
  ),
  ...each('gh glab psql mysql redis-cli mongosh curl wget ssh zip bwrap ffmpeg aws gcloud az rsync socat nc', VERSION),
  ...each('vim nvim emacs nano code tmux screen systemctl loginctl nginx httpd apache2ctl caddy haproxy', VERSION),
};
