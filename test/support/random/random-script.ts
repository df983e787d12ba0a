import { seededRandom } from '../../../mock-llm-server/delivery/faults.ts';

/** The programs that random scripts start: `p`, `r` and `t` succeed, `q` and `s` fail. */
export const PROGRAMS = ['p', 'q', 'r', 's', 't'] as const;

/** A program that random scripts name only in quotes, so that they never start it. */
export const QUOTED_PROGRAM = 'u';

/** Existing programs that random scripts start to run one of `PROGRAMS`. */
export const RUNNERS = ['env', 'nice', 'nohup', 'timeout', 'setsid', 'stdbuf', 'xargs', 'find', 'sh', 'bash'] as const;

/**
 * Scripts for bash, always the same for a seed. They use every part of the language, start only `PROGRAMS` and
 * `RUNNERS`, write only files with the names `f1` and `f2`, and end.
 */
export function randomScripts(count: number, seed: string): readonly string[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => new RandomScript(random).script());
}

class RandomScript {
  readonly #random: () => number;
  /** The parts that may still be created; afterwards only the simplest are. */
  #left: number;
  /** The bodies of the here-documents of the current line. */
  #bodies: string[] = [];
  /** In a text that is quoted as a whole, a here-document has no place for its body. */
  #quoted = 0;

  constructor(random: () => number) {
    this.#random = random;
    this.#left = 3 + Math.floor(random() * 22);
  }

  script(): string {
    const lines = this.#times(1, 3, () => this.#line());
    return this.#random() < 0.1 ? `${lines.join('\n')}\n` : lines.join('\n');
  }

  #line(): string {
    const list = this.#list();
    const bodies = this.#bodies.splice(0);
    return [list, ...bodies].join('\n');
  }

  #pick<Value>(...values: readonly Value[]): Value {
    const value = values[Math.floor(this.#random() * values.length)];
    if (value === undefined) throw new Error('nothing to choose from');
    return value;
  }

  #times<Value>(least: number, most: number, make: () => Value): readonly Value[] {
    return Array.from({ length: least + Math.floor(this.#random() * (most - least + 1)) }, make);
  }

  #list(): string {
    const separator = (): string =>
      this.#pick('; ', ' && ', ' || ', ' & ', ';', '&&', '||', ' ;  ', '\t&&\t', ' && \\\n');
    let text = this.#pipeline();
    while (this.#left > 0 && this.#random() < 0.35) text += separator() + this.#pipeline();
    return text + this.#pick('', '', '', ';', ' &', ' # p r', ' ');
  }

  /** A list without a comment or `&` at its end, for one line in parentheses or between keywords. */
  #inner(): string {
    const list = this.#pipeline();
    const more =
      this.#left > 0 && this.#random() < 0.3 ? this.#pick('; ', ' && ', ' || ', ' & ') + this.#pipeline() : '';
    const bodies = this.#bodies.splice(0);
    return bodies.length === 0 ? list + more : `${list}${more}\n${bodies.join('\n')}\n:`;
  }

  #pipeline(): string {
    const start = this.#pick('', '', '', '', '', '', '! ', 'time ', 'time -p ', '! time ');
    let text = this.#command();
    while (this.#left > 0 && this.#random() < 0.2) text += this.#pick(' | ', '|', ' |& ', ' | \\\n') + this.#command();
    return start + text;
  }

  #command(): string {
    this.#left--;
    if (this.#left <= 0 || this.#random() < 0.55) return this.#simple();
    return this.#pick(
      () => `(${this.#inner()})`,
      () => `( ${this.#inner()} )${this.#redirect()}`,
      () => `{ ${this.#inner()}; }${this.#redirect()}`,
      () => `{\n${this.#inner()}\n}`,
      () => `if ${this.#inner()}; then ${this.#inner()}; fi`,
      () =>
        `if ${this.#inner()}; then ${this.#inner()}; elif ${this.#inner()}; then ${this.#inner()}; else ${this.#inner()}; fi`,
      () => `while q ${this.#word()}; do ${this.#inner()}; done`,
      () => `until p; do ${this.#inner()}; done`,
      () => `while ${this.#inner()}; do ${this.#inner()}; break; done`,
      () => `for v in ${this.#words(1, 2)}; do ${this.#inner()}; done`,
      () => `for v in a b\ndo\n${this.#inner()}\ndone`,
      () => `for ((i=0; i<${this.#pick('1', '2', `$(${this.#quiet()}; echo 1)`)}; i++)); do ${this.#inner()}; done`,
      () => `case ${this.#word()} in ${this.#pattern()}) ${this.#inner()};; *) ${this.#inner()};; esac`,
      () => `case a in (a|${this.#pattern()}) ${this.#inner()} ;;& b) ${this.#inner()} ;& c) ${this.#inner()}; esac`,
      () => `select v in a; do ${this.#inner()}; break; done <<< 1`,
      () => `[[ ${this.#test()} ]]`,
      () => `[[ ${this.#test()} ${this.#pick('&&', '||')} ( ! ${this.#test()} ) ]]`,
      () => `((${this.#arithmetic()}))`,
      () => `(( ${this.#arithmetic()} , ${this.#arithmetic()} ))`,
      () => `f() { ${this.#inner()}; }; f ${this.#words(0, 1)}`,
      () => `function g { ${this.#inner()}; }${this.#redirect()}\ng`,
      () => `f() ( ${this.#inner()} ); f`,
      () => `coproc { ${this.#inner()}; }; wait`,
      () => `coproc C { ${this.#inner()}; }; wait`,
      () => this.#runner(),
      () => this.#runner(),
      () => this.#runner(),
      () => this.#builtin(),
      () => this.#builtin(),
      () => this.#builtin(),
    )();
  }

  #simple(): string {
    const assignments = this.#random() < 0.12 ? this.#times(1, 2, () => this.#assignment()) : [];
    if (assignments.length > 0 && this.#random() < 0.3) return assignments.join(' ');
    const parts = [...assignments, this.#name(), ...this.#times(0, 3, () => this.#word())];
    if (this.#random() < 0.15)
      parts.splice(Math.floor(this.#random() * (parts.length + 1)), 0, this.#redirect().trim());
    return parts.filter((part) => part !== '').join(this.#pick(' ', ' ', ' ', '  ', '\t', ' \\\n'));
  }

  /** The name of a program, obfuscated. */
  #name(): string {
    const name = this.#pick(...PROGRAMS);
    const code = name.charCodeAt(0);
    // A computed name is never accepted.
    if (this.#random() < 0.003) return this.#pick(`${name}$EMPTY`, `$EMPTY ${name}`, `${name}"$EMPTY"`, `$X${name}`);
    return this.#pick(
      ...[name, name, name, name, name, name, `'${name}'`, `"${name}"`, `\\${name}`, `${name}''`, `""${name}`],
      ...[
        `$'${name}'`,
        `$"${name}"`,
        `\\\n${name}`,
        `$'\\x${code.toString(16)}'`,
        `$'\\${code.toString(8)}'`,
        `{${name},a}`,
      ],
    );
  }

  #assignment(): string {
    return this.#pick(
      () => `A=${this.#word()}`,
      () => `A+=${this.#pick('a', '"b c"')}`,
      () => `A=$(${this.#quiet()})`,
      () => `A=(a $(${this.#quiet()}) [5]=b)`,
      () => `A[$(${this.#quiet()}; echo 0)]=a`,
      () => `A=\`${this.#backtick()}\``,
      () => `A=<(${this.#quiet()})`,
    )();
  }

  #words(least: number, most: number): string {
    return this.#times(least, most, () => this.#word()).join(' ');
  }

  #word(): string {
    if (this.#random() < 0.06)
      return this.#pick(
        'm\\;u',
        "';u'",
        '"|u"',
        '\\&u',
        "$'\\nu'",
        "'\nu\n'",
        '\\`u\\`',
        '"\\$(u)"',
        "'`u`'",
        '"<("u',
        '\\$\\(u\\)',
      );
    const plain = this.#pick(
      'a',
      'b1',
      '-x',
      '--long=v',
      "'a b'",
      '"c d"',
      'e\\ f',
      "$'g\\th'",
      'i"j k"l',
      "''",
      '/n',
      'a=b',
    );
    if (this.#left <= 0 || this.#random() < 0.6) return plain;
    this.#left--;
    return this.#pick<() => string>(
      () =>
        this.#pick<string>(
          '$V',
          '"$V"',
          `\${V}`,
          `\${V:-a b}`,
          `"\${V:+x}"`,
          `\${#V}`,
          `\${V/a/b}`,
          `\${V##*/}`,
          `\${V:0:1}`,
          `\${V^^}`,
        ),
      () =>
        this.#pick(
          '*',
          '?',
          '[a-z]',
          '{a,b}',
          'a{1..2}',
          '~',
          '~/x',
          '"$@"',
          '$*',
          '$?',
          '$$',
          '!',
          'a#b',
          '{',
          '}',
          '[',
          ']]',
        ),
      () => `$(${this.#quiet()})`,
      () => `"$(${this.#quiet()})"`,
      () => `"a $(${this.#quiet()}) b"`,
      () => `$( ${this.#quiet()}\n)`,
      () => `\`${this.#backtick()}\``,
      () => `"\`${this.#backtick()}\`"`,
      () => `\${V:-$(${this.#quiet()})}`,
      () => `"\${V:-\`${this.#backtick()}\`}"`,
      () => `\${V/a/$(${this.#quiet()})}`,
      () => `\${V:$(${this.#quiet()}; echo 0):1}`,
      () => `\${V[$(${this.#quiet()}; echo 0)]}`,
      () => `"\${V%"$(${this.#quiet()})"}"`,
      () => `\${V:=$(${this.#quiet()})}`,
      () => `\${V,,$(${this.#quiet()})}`,
      () => `$((${this.#arithmetic()}))`,
      () => `"$(( ${this.#arithmetic()} ))"`,
      () => `$[ 1 + $(${this.#quiet()}; echo 1) ]`,
      () => `<(${this.#quiet()})`,
      () => `>(${this.#quiet()})`,
      () => `a{b,$(${this.#quiet()})}`,
      () => `"a"'b'$(${this.#quiet()})c`,
      () => `$"x $(${this.#quiet()})"`,
      () => `'$(p)'`,
      () => `"\\$(p) \\\`r\\\`"`,
      () => `$'$(p)\\'t'`,
    )();
  }

  /** A list for a substitution; its output does not matter. */
  #quiet(): string {
    return this.#inner();
  }

  /** A list for the old form of a substitution, in which `\`, `$` and backquotes are read twice. */
  #backtick(): string {
    return `${this.#pick(...PROGRAMS)} ${this.#pick('a', "'b c'", '$V', '\\`r d\\`', '\\$V', '"e"', '$(s f)')}`;
  }

  #pattern(): string {
    return this.#pick('a', 'b*', '[x-z]', '"c d"', `$(${this.#quiet()})`, '$V', '@(a|b)', '\\(');
  }

  #arithmetic(): string {
    return this.#pick(
      () => '1+1',
      () => 'x=1, x++',
      () => `$(${this.#quiet()}; echo 1) + 1`,
      () => `\`${this.#backtick()}\`0`,
      () => `V[$(${this.#quiet()}; echo 0)] + 1`,
      () => `\${V:-$(${this.#quiet()}; echo 1)} > 0 ? 1 : 2`,
      () => `(1 << 2) & $((2))`,
    )();
  }

  #test(): string {
    return this.#pick(
      () => `-f ${this.#word()}`,
      () => `-n $(${this.#quiet()})`,
      () => `a == ${this.#pick('a*', '"b"', `$(${this.#quiet()})`)}`,
      () => `a =~ ${this.#pick('^a', '(b|c)', `$(${this.#quiet()})`, '$V')}`,
      () => `$(${this.#quiet()}; echo 1) -eq 1`,
      () => `a < b`,
    )();
  }

  #redirect(): string {
    const documents = this.#quoted > 0 ? [] : [() => this.#document()];
    return this.#pick(
      () => '',
      () => ' > f1',
      () => ' >> f2',
      () => ' 2>&1',
      () => ' &> f1',
      () => ' >| f2',
      () => ' < /dev/null',
      () => ' <> f1',
      () => ' {fd}> f1',
      () => ` <<< ${this.#word()}`,
      () => ` < <(${this.#quiet()})`,
      () => ` > >(${this.#quiet()})`,
      () => ` 2> "f$(${this.#quiet()}; echo 1)"`,
      ...documents,
    )();
  }

  #document(): string {
    const end = this.#pick('E', 'END');
    const [before, after] = this.#pick(['', ''], ["'", "'"], ['"', '"'], ['\\', '']);
    const dash = this.#pick('', '-');
    const body = this.#pick(
      'p r',
      '$V',
      `$(${this.#pick(...PROGRAMS)} x)`,
      '`t y`',
      '$((1 + $(r; echo 1)))',
      "it's $(s 'z')",
      '\\$(p)',
    );
    this.#bodies.push(`${dash === '-' ? '\t' : ''}${body}`, `${dash === '-' ? this.#pick('', '\t') : ''}${end}`);
    return ` <<${dash}${this.#pick('', ' ')}${before}${end}${after}`;
  }

  /** A script in quotes. */
  #script(): string {
    this.#quoted++;
    const script = this.#inner();
    this.#quoted--;
    if (!script.includes("'")) return `'${script}'`;
    return /["$`\\!]/.test(script) ? "'p a; r b'" : `"${script}"`;
  }

  #runner(): string {
    const command = (): string => `${this.#pick(...PROGRAMS)} ${this.#words(0, 2)}`.trim();
    return this.#pick(
      () => `env ${this.#pick('', '-i PATH="$PATH"', 'A=1 B=2', '-u A', '--', '- PATH="$PATH"')} ${command()}`,
      () => `env -S ${this.#pick("'p a'", '"r b c"')}`,
      () => `nice ${this.#pick('', '-n 5', '-n5', '-5', '--adjustment=1')} ${command()}`,
      () => `nohup ${command()}`,
      () => `timeout ${this.#pick('5', '-s KILL 5', '--signal=KILL 5s', '-k 1 5', '--foreground 5')} ${command()}`,
      () => `setsid ${this.#pick('', '-w')} ${command()}`,
      () => `stdbuf ${this.#pick('-oL', '-o L', '--output=0', '-i0 -e0')} ${command()}`,
      () => `echo a b | xargs ${this.#pick('', '-n 1', '-n1', '-I{}', '-r', '-0', '--max-args=1')} ${command()}`,
      () =>
        `find . -maxdepth 0 ${this.#pick('-exec', '-execdir')} ${this.#pick(...PROGRAMS)} {} ${this.#pick('\\;', '+', "';'")}`,
      () => `${this.#pick('sh', 'bash')} ${this.#pick('-c', '-ec', '-e -c', '-c --')} ${this.#script()}`,
      () => `bash ${this.#pick('', '-s', '-')} <<< ${this.#script()}`,
      () => `bash -o pipefail -c ${this.#script()} a b`,
      () => `env nice timeout 5 ${command()}`,
      () => `timeout 5 sh -c ${this.#script()}`,
    )();
  }

  #builtin(): string {
    const command = (): string => `${this.#pick(...PROGRAMS)} ${this.#words(0, 2)}`.trim();
    return this.#pick(
      () => `eval ${this.#script()}`,
      () => `eval ${this.#pick(...PROGRAMS)} '$(r)' ${this.#pick("'; s x'", 'a', '"| t"')}`,
      () => `trap ${this.#script()} ${this.#pick('EXIT', '0', 'DEBUG', 'ERR')}`,
      () => `trap -- ${this.#script()} EXIT`,
      () => `command ${this.#pick('', '-p', '--')} ${command()}`.replace('-p ', '-- '),
      () => `builtin eval ${this.#script()}`,
      () => `exec ${this.#pick('', '-a z', '-c', '-l')} ${command()}`.replace('-c ', ''),
      () => `source /dev/stdin <<< ${this.#script()}`,
      () => `export A=$(${this.#quiet()}) B=b`,
      () => `declare A=$(${this.#quiet()})`,
      () => `declare -a A=(a $(${this.#quiet()}))`,
      () => `local A=$(${this.#quiet()})`,
      () => `readonly R$RANDOM=$(${this.#quiet()})`,
      () => `read A < <(${this.#quiet()})`,
      () => `mapfile A < <(${this.#quiet()})`,
      () => `let "x = $(${this.#quiet()}; echo 1)"`,
      () => `printf -v A %s "$(${this.#quiet()})"`,
      () => `test -n "$(${this.#quiet()})" && ${command()}`,
      () => `[ "$(${this.#quiet()})" = a ] || ${command()}`,
      () => `shopt -s expand_aliases; alias z=${this.#pick(...PROGRAMS)}\nz`,
      () => `shopt -s extglob\n${command()} @(a|$(${this.#quiet()}))`,
      () => `set -- a b; ${command()} "$@"`,
      () => `cd .; ${command()}`,
      () => `hash -r; unset V; ${command()}`,
      () =>
        `x='a[$(p)]'; ${this.#pick('echo $((x))', 'let x', '((x))', '[[ x -eq 0 ]]', 'declare -i y=x', `echo \${V:x}`)}`,
      () =>
        this.#pick(
          "test -v 'a[$(p)]'",
          "[ -v 'a[$(r)]' ]",
          "printf -v 'a[$(s)]' x",
          "let 'a[$(t)]=1'",
          "read 'a[$(q)]' <<< x",
        ),
      () =>
        this.#pick(
          "unset 'a[$(p)]'",
          "[[ 'a[$(r)]' -eq 0 ]]",
          `x='a[$(p)]'; echo \${!x}`,
          `x='$(p)'; echo \${x@P}`,
          "(( 'a[$(p)]' ))",
        ),
    )();
  }
}
