/** Outcome of the run of an agent. */
export interface AgentResult {
  readonly run: {
    readonly name: string;
    readonly protocol: string;
    readonly agent: { readonly version: string };
  };
  readonly outcome:
    | { readonly type: 'passed'; readonly seconds: number }
    | { readonly type: 'failed'; readonly seconds: number; readonly problems: readonly string[] }
    | { readonly type: 'skipped'; readonly reason: string };
}

/** A table with a line for each run: agent, version, protocol, seconds, result. */
export function resultTable(results: readonly AgentResult[]): string {
  const rows = results.map(({ run, outcome }) => {
    const seconds = outcome.type === 'skipped' ? undefined : outcome.seconds;
    return [run.name, run.agent.version, run.protocol, seconds?.toFixed(1) ?? '-', describe(outcome)];
  });
  const table = [['agent', 'version', 'protocol', 'seconds', 'result'], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n');
}

/** Reason why results are not a success: a run failed, or none passed because all were skipped. Undefined if they are one. */
export function failureOf(results: readonly AgentResult[]): string | undefined {
  const numberOf = (type: AgentResult['outcome']['type']) =>
    results.filter((each) => each.outcome.type === type).length;
  const failed = numberOf('failed');
  if (failed > 0) return `${failed} of ${results.length} runs failed.`;
  if (numberOf('passed') > 0) return undefined;
  return 'Nothing ran: every run was skipped, for the reason in the table.';
}

function describe(outcome: AgentResult['outcome']): string {
  switch (outcome.type) {
    case 'passed':
      return 'passed';
    case 'failed':
      return `FAILED: ${outcome.problems.join('; ')}`;
    case 'skipped':
      return `skipped: ${outcome.reason}`;
    default:
      return outcome satisfies never;
  }
}
