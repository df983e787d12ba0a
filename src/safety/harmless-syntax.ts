import type { SyntaxNode } from 'unbash';

type JudgedSyntax =
  | 'Script'
  | 'Command'
  | 'Redirect'
  | 'HereDoc'
  | 'Function'
  | 'CommandExpansion'
  | 'ProcessSubstitution'
  | 'ArithmeticCommandExpansion'
  | 'Transform'
  | 'Unknown';

/** Spelled out in full, so that a new version of the parser with new syntax does not compile before it was looked at. */
const HARMLESS: Readonly<Record<Exclude<SyntaxNode['type'], JudgedSyntax>, true>> = {
  AndOr: true,
  AnsiCQuoted: true,
  ArithmeticBinary: true,
  ArithmeticCommand: true,
  ArithmeticExpansion: true,
  ArithmeticFor: true,
  ArithmeticGroup: true,
  ArithmeticTernary: true,
  ArithmeticUnary: true,
  ArithmeticWord: true,
  ArrayValue: true,
  Assignment: true,
  BraceExpansion: true,
  BraceGroup: true,
  Case: true,
  CaseItem: true,
  CaseModification: true,
  CompoundList: true,
  Coproc: true,
  Default: true,
  DoubleQuoted: true,
  Elif: true,
  ExtendedGlob: true,
  FileDescriptor: true,
  FileDescriptorVariable: true,
  For: true,
  Glob: true,
  HereDocBody: true,
  HereDocDelimiter: true,
  HereString: true,
  If: true,
  Literal: true,
  LocaleString: true,
  Names: true,
  Negation: true,
  ParameterExpansion: true,
  Pipeline: true,
  Redirected: true,
  Remove: true,
  Replace: true,
  Select: true,
  SimpleExpansion: true,
  SingleQuoted: true,
  Slice: true,
  Statement: true,
  Subshell: true,
  TestBinary: true,
  TestCommand: true,
  TestGroup: true,
  TestLogical: true,
  TestNot: true,
  TestUnary: true,
  Time: true,
  While: true,
  Word: true,
};

/** True for syntax that runs nothing by itself; what it contains is looked at on its own. */
export function isHarmlessSyntax(type: string): boolean {
  return Object.hasOwn(HARMLESS, type);
}
