import type { Profiler } from 'node:inspector';
import { stripTypeScriptTypes } from 'node:module';
import { convert } from 'ast-v8-to-istanbul';
import { parseAst } from 'rolldown/parseAst';
import { type CoverageFile, CoverageFileSchema } from './coverage-file.ts';

/**
 * Converts V8's coverage of a TypeScript file that Node ran directly to Istanbul's format. Node replaces types with
 * spaces and keeps every other character in place, so V8's offsets are those of the source.
 */
export async function convertScript(
  file: string,
  source: string,
  script: Pick<Profiler.ScriptCoverage, 'functions' | 'url'>,
): Promise<CoverageFile> {
  const code = stripTypeScriptTypes(source);
  const ast = parseAst(code);
  const converted = await convert<object, typeof ast>({ code, ast, coverage: script });
  const [coverage] = Object.values(converted);
  return CoverageFileSchema.parse({ ...JSON.parse(JSON.stringify(coverage)), path: file });
}
