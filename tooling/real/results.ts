import type { Address, RealServer } from './real-server.ts';

/** Outcome of a check. A `fact` about the server is the reason why it cannot pass, `facts` why parts of it cannot. */
export type CheckOutcome =
  | { readonly type: 'passed'; readonly facts: readonly number[] }
  | { readonly type: 'failed'; readonly reason: string }
  | { readonly type: 'fact'; readonly number: number }
  | { readonly type: 'not run'; readonly reason: string };

/** A check with one wire of a server. */
export interface CheckResult {
  readonly address: Pick<Address, 'wire' | 'behind'>;
  readonly check: string;
  readonly outcome: CheckOutcome;
  readonly seconds: number;
}

/** The results of one server, or the reason why it has none. */
export interface ServerResult {
  readonly server: Pick<RealServer, 'name' | 'version'>;
  readonly outcome:
    | { readonly type: 'ran'; readonly results: readonly CheckResult[] }
    | { readonly type: 'missing'; readonly reason: string }
    | { readonly type: 'not started'; readonly reason: string };
}

/** The name of an address for its user, such as `openai-chat` or `openai-chat → llama.cpp`. */
export function addressName({ wire, behind }: Pick<Address, 'wire' | 'behind'>): string {
  return behind === undefined ? wire : `${wire} → ${behind}`;
}

/** The report: a line for each address, then each failure, then the totals as last line. */
export function reportOf(servers: readonly ServerResult[]): string {
  const lines = servers.flatMap(({ server, outcome }) => {
    const title = `${server.name} ${server.version}`;
    if (outcome.type !== 'ran') return [`${title}: not run – ${outcome.reason}`];
    const names = [...new Set(outcome.results.map(({ address }) => addressName(address)))];
    return names.map((name) => {
      const results = outcome.results.filter(({ address }) => addressName(address) === name);
      const count = (type: CheckOutcome['type']) => results.filter((result) => result.outcome.type === type).length;
      const facts = count('fact') > 0 ? `, ${count('fact')} impossible with this server` : '';
      const other = `${facts}${count('not run') > 0 ? `, ${count('not run')} not run` : ''}`;
      return `${title}, ${name}: ${count('passed')} passed, ${count('failed')} failed${other}`;
    });
  });
  const failures = servers.flatMap(({ server, outcome }) =>
    outcome.type === 'ran'
      ? outcome.results.flatMap(({ address, check, outcome: result }) =>
          result.type === 'failed'
            ? [`FAILED ${server.name}, ${addressName(address)}, ${check}:\n${indent(result.reason)}`]
            : [],
        )
      : [],
  );
  return ['', ...failures, '', ...lines, totalsOf(servers)].join('\n');
}

/** True if at least one check passed and none failed. A server that did not start is a failure, a missing one is not. */
export function succeeded(servers: readonly ServerResult[]): boolean {
  const results = resultsOf(servers);
  return (
    results.some(({ outcome }) => outcome.type === 'passed') &&
    results.every(({ outcome }) => outcome.type !== 'failed') &&
    servers.every(({ outcome }) => outcome.type !== 'not started')
  );
}

function resultsOf(servers: readonly ServerResult[]): readonly CheckResult[] {
  return servers.flatMap(({ outcome }) => (outcome.type === 'ran' ? outcome.results : []));
}

function totalsOf(servers: readonly ServerResult[]): string {
  const results = resultsOf(servers);
  const count = (type: CheckOutcome['type']) => results.filter(({ outcome }) => outcome.type === type).length;
  const absent = servers.filter(({ outcome }) => outcome.type !== 'ran').length;
  const missing = absent === 0 ? '' : `, ${absent} of ${servers.length} servers not run`;
  const facts = count('fact') === 0 ? '' : `, ${count('fact')} impossible`;
  return `${count('passed')} passed, ${count('failed')} failed${facts}, ${count('not run')} not run${missing}`;
}

/** A reason as lines below a title, at most 40. */
export function indent(text: string): string {
  const lines = text.trimEnd().split('\n');
  const shown = lines.length > 40 ? [...lines.slice(0, 40), `… ${lines.length - 40} more lines`] : lines;
  return shown.map((line) => `    ${line}`).join('\n');
}
