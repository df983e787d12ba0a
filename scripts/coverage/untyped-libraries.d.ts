// Types for the functions that the scripts call in libraries without types.

declare module 'istanbul-lib-coverage' {
  import type { CoverageFile } from './coverage-file.ts';

  export interface Ratio {
    readonly total: number;
    readonly covered: number;
  }
  export interface CoverageSummary {
    readonly lines: Ratio;
    readonly branches: Ratio;
    readonly functions: Ratio;
    readonly statements: Ratio;
    merge(other: CoverageSummary): CoverageSummary;
  }
  export interface CoverageMap {
    fileCoverageFor(file: string): { toSummary(): CoverageSummary; getUncoveredLines(): string[] };
  }
  const library: {
    createCoverageMap(data: Readonly<Record<string, CoverageFile>>): CoverageMap;
    createCoverageSummary(): CoverageSummary;
  };
  export default library;
}

declare module 'istanbul-lib-report' {
  import type { CoverageMap } from 'istanbul-lib-coverage';

  export interface Context {
    readonly dir: string;
  }
  const library: { createContext(options: { readonly dir: string; readonly coverageMap: CoverageMap }): Context };
  export default library;
}

declare module 'istanbul-reports' {
  import type { Context } from 'istanbul-lib-report';

  const library: {
    create(name: 'html' | 'json' | 'lcovonly' | 'text-summary', options?: object): { execute(context: Context): void };
  };
  export default library;
}

declare module '@bcoe/v8-coverage' {
  import type { Profiler } from 'node:inspector';

  export function mergeScriptCovs(scripts: readonly Profiler.ScriptCoverage[]): Profiler.ScriptCoverage | undefined;
}
