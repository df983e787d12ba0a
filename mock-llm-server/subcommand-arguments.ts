import { parseArgs } from 'node:util';
import { PROTOCOLS, type Protocol } from './conversation.ts';
import { LINT_MODES, type LintMode } from './lint-mode.ts';
import { refuseUnknownOption } from './refuse-unknown-option.ts';

/** What the command line asks for beside serving. */
export type Subcommand =
  | {
      readonly type: 'explain';
      readonly request: string;
      readonly scenarios: readonly string[];
      readonly protocol: Protocol | undefined;
      readonly path: string | undefined;
      readonly headers: readonly string[];
      readonly lint: LintMode;
    }
  | { readonly type: 'validate'; readonly paths: readonly string[] }
  | { readonly type: 'help' }
  | { readonly type: 'usage_error'; readonly message: string };

const EXPLAIN_OPTIONS = {
  scenarios: { type: 'string', multiple: true },
  protocol: { type: 'string' },
  path: { type: 'string' },
  header: { type: 'string', multiple: true },
  lint: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;
const VALIDATE_OPTIONS = { help: { type: 'boolean', short: 'h' } } as const;

/** Reads the arguments after `explain`. Throws for options that do not exist or lack their value. */
export function parseExplain(args: readonly string[]): Subcommand {
  refuseUnknownOption(args, EXPLAIN_OPTIONS, 'explain');
  const { values, positionals } = parseArgs({
    args: [...args],
    options: EXPLAIN_OPTIONS,
    allowPositionals: true,
  });
  if (values.help) return { type: 'help' };
  const [request, ...others] = positionals;
  if (request === undefined) return usageError('explain needs a file with the body of a request, or - to read it');
  if (others.length > 0) return usageError(`unexpected argument "${others[0]}"; explain takes one file`);
  const protocol = PROTOCOLS.find((one) => one === values.protocol);
  if (values.protocol !== undefined && protocol === undefined) {
    return usageError(`--protocol must be one of ${PROTOCOLS.join(', ')}, not "${values.protocol}"`);
  }
  if (protocol !== undefined && values.path !== undefined)
    return usageError('--protocol and --path exclude each other');
  if (values.path?.startsWith('/') === false) return usageError(`--path must begin with /, not "${values.path}"`);
  const headers = values.header ?? [];
  const bad = headers.find((header) => !/^[\w-]+:[ -~]*$/.test(header));
  if (bad !== undefined) return usageError(`--header must have the form "name: value", not "${bad}"`);
  const lint = readLintMode(values.lint);
  if (lint === undefined) return usageError(explainLintMode(values.lint));
  return { type: 'explain', request, scenarios: values.scenarios ?? [], protocol, path: values.path, headers, lint };
}

/** Reads the arguments after `validate`. Throws for options that do not exist. */
export function parseValidate(args: readonly string[]): Subcommand {
  refuseUnknownOption(args, VALIDATE_OPTIONS, 'validate PATH…');
  const { values, positionals } = parseArgs({
    args: [...args],
    options: VALIDATE_OPTIONS,
    allowPositionals: true,
  });
  if (values.help) return { type: 'help' };
  if (positionals.length === 0) return usageError('validate needs at least one file or directory');
  return { type: 'validate', paths: positionals };
}

/** The mode that `--lint` names; `fail` where it is not given, nothing where it is none. */
export function readLintMode(value: string | undefined): LintMode | undefined {
  return value === undefined ? 'fail' : LINT_MODES.find((mode) => mode === value);
}

/** What to say when `readLintMode` finds nothing. */
export function explainLintMode(value: string | undefined): string {
  return `--lint must be off, warn or fail, not "${value}"`;
}

function usageError(message: string): Subcommand {
  return { type: 'usage_error', message };
}
