import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { missingSandbox } from '../../support/sandbox/require-sandbox.ts';
import { runInHome, runUnprotected } from '../../support/sandbox/unprotected.ts';
import { type DecidedSession, playDecisions } from '../../support/stories/decided-run.ts';
import { run } from '../decisions/rows.ts';

const noSandbox = await missingSandbox();

/**
 * Commands after published advisories about other agents. Without a protection, each creates the file `out` outside the
 * workspace, as the program `tool` of the project does.
 */
const ATTACKS: readonly (readonly [advisory: string, command: (out: string, tool: string) => string])[] = [
  ['CVE-2025-54795: text behind echo', (out) => `echo ""; touch ${out}; echo ""`],
  ['CVE-2025-54377: a second line', (out) => `ls\ntouch ${out}`],
  ['CVE-2025-58764: a program of rg', (_, tool) => `rg x --pre=${tool} README.md`],
  ['CVE-2025-64755: sed that writes', (out) => `echo x | sed -n 'w ${out}'`],
  ['CVE-2025-64755: sed that runs', (out) => `echo x | sed '1e touch ${out}'`],
  ['CVE-2025-66032: a program of sort', (_, tool) => `seq 99999 | sort -S 1k --compress-program=${tool}`],
  ['CVE-2025-66032: a pager of man', (_, tool) => `man -P ${tool} bash; ${tool}`],
  ['CVE-2025-66032: a prompt that runs', (out) => `x='$(touch ${out})'; echo "\${x@P}"`],
  ['CVE-2025-66032: an upload of git', (_, tool) => `git ls-remote --upload-pack=${tool} . x`],
  ['CVE-2026-29783: a name that is evaluated', (out) => `a='x[$(touch ${out})]'; echo "\${!a}"; [[ $a -eq 1 ]]`],
  ['CVE-2026-22708: a program in a variable', (_, tool) => `export GIT_SSH_COMMAND=${tool}; git ls-remote ssh://x/y`],
  [
    'CVE-2026-22708: a builtin that sets a variable',
    (_, tool) => `typeset -x GIT_EXTERNAL_DIFF=${tool}; git diff --no-index README.md pkg/package.json`,
  ],
  ['CVE-2025-61260: a variable of the project', (_, tool) => `echo 'X=$(${tool})' > .envx; set -a; . ./.envx`],
  ['CVE-2025-62354: a here-document', (out) => `bash <<END\ntouch ${out}\nEND`],
  ['CVE-2025-57771: a substitution of a process', (out) => `cat <(touch ${out})`],
  ['CVE-2025-58370: a default that runs', (out) => `echo "\${x:-$(touch ${out})}"`],
  ['CVE-2025-58370: arithmetic that runs', (out) => `a='b[$(touch ${out})]'; echo $((a))`],
  [
    'CVE-2025-58374: a script of a package',
    (_, tool) => `cd pkg; echo '{"scripts":{"preinstall":".${tool}"}}' > package.json; npm install --offline`,
  ],
  ['CVE-2025-59828: a plugin of yarn', (_, tool) => `YARN_IGNORE_PATH=0 yarn --version; ${tool}`],
  ['CVE-2026-27566: wrappers of a shell', (out) => `env bash -c 'command env -i /bin/sh -c "touch ${out}"'`],
  [
    'CVE-2026-26268: a hook of git',
    (_, tool) => `cp ${tool} .git/hooks/pre-commit; git -c user.name=a -c user.email=a@b commit --allow-empty -qm x`,
  ],
  [
    'hooks in another directory, for a worktree',
    (_, tool) => `git -c core.hooksPath=progs worktree add -q ../w; ${tool}`,
  ],
  [
    'CVE-2026-39861: a link out of the workspace',
    (out) => `ln -s ${path.dirname(out)} l; touch l/${path.basename(out)}`,
  ],
  ['CVE-2025-59532: a directory above', (out) => `cd ..; touch out/${path.basename(out)}`],
  [
    'CVE-2026-40068: a worktree of another repository',
    (_, tool) => `mkdir w; cp -r .git w/real; echo 'gitdir: real' > w/.git; git -C w -c core.fsmonitor=.${tool} status`,
  ],
  [
    'CVE-2025-53773: settings that approve',
    (out) => `mkdir .vscode; echo '{}' > .vscode/settings.json && cp .vscode/settings.json ${out}`,
  ],
];

const SESSION: DecidedSession = {
  files: { 'ws/README.md': 'x\n', 'ws/progs/x': '', 'out/.keep': '', 'ws/pkg/package.json': '{}' },
  prepare(home) {
    const env = { GIT_CONFIG_GLOBAL: '/dev/null' };
    runInHome(
      home,
      ['bash', '-c', 'git init -q && git -c user.name=a -c user.email=a@b commit -qm x --allow-empty'],
      env,
    );
    for (const index of ATTACKS.keys()) {
      const tool = path.join(home, `ws/progs/${index}`);
      writeFileSync(tool, `#!/bin/sh\ntouch ${home}/out/${index}\n`);
      chmodSync(tool, 0o755);
    }
  },
};
const commandsIn = (home: string): readonly string[] =>
  ATTACKS.map(([, command], index) => command(`${home}/out/${index}`, `./progs/${index}`));
const made = (home: string): readonly string[] =>
  readdirSync(path.join(home, 'out')).flatMap((name) => ATTACKS[Number(name)]?.[0] ?? []);

describe.skipIf(noSandbox !== undefined)('published attacks on other agents', () => {
  it.each([
    ['the rules', [], false],
    ['the sandbox', ['--permission-mode', 'full-access'], false],
    ['the sandbox of an ordinary user', ['--permission-mode', 'full-access'], true],
  ])('change nothing outside the workspace because of %s', async (_name, options, asOrdinaryUser) => {
    const commands = commandsIn('~').map((command) => run(command, { timeout: 20 }));
    const { home, calls } = await playDecisions([commands], { ...SESSION, options, asOrdinaryUser, trusted: true });
    expect(calls).toHaveLength(ATTACKS.length);
    expect(made(home)).toEqual([]);
  });

  it('control: each does it in a shell', () => {
    const { home } = runUnprotected([], SESSION);
    for (const command of commandsIn(home)) runInHome(home, ['timeout', '10', 'bash', '-c', command]);
    expect(made(home).toSorted()).toEqual(ATTACKS.map(([name]) => name).toSorted());
  });
});
