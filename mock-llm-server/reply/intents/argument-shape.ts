import type { Intent } from '../../scenario/intent-format.ts';
import { absolutePath } from './working-directory.ts';

/** What a value in the arguments of a tool stands for. */
export type Role = 'path' | 'content' | 'old_text' | 'new_text' | 'command' | 'pattern' | 'patch';

/**
 * How the arguments of a tool are made of an intent: a role is its text; `list` puts a value into an array of one;
 * `argv` is a command as the words of a process; `fixed` is a text that is always the same; `none` only has to be
 * offered.
 */
export type Shape =
  | Role
  | { readonly list: Shape }
  | { readonly argv: 'command' }
  | { readonly fixed: string }
  | { readonly none: true }
  | { readonly object: Shapes };
/** The shapes of arguments by their names. */
export type Shapes = Readonly<Record<string, Shape>>;

/** The texts of an intent by role; a role it does not have is missing. */
export type RoleValues = Readonly<Partial<Record<Role, string | undefined>>>;

/** The texts of an intent, with the path as `paths` wants it. */
export function roleValues(intent: Intent, paths: 'absolute' | 'relative', directory: string | undefined): RoleValues {
  const { intent: _name, ...texts } = intent;
  const stated: Partial<Record<Role, string | undefined>> = { ...texts, patch: patchFor(intent) };
  if (paths === 'absolute' && stated.path !== undefined) stated.path = absolutePath(stated.path, directory);
  return stated;
}

/** The roles that shapes use. */
export function rolesIn(shapes: Shapes): Role[] {
  return Object.values(shapes).flatMap(rolesOf);
}

/** The arguments that shapes make of values; a shape whose role has no value makes none. */
export function fillShapes(shapes: Shapes, values: RoleValues): Record<string, unknown> {
  const filled = Object.entries(shapes).map(([key, shape]) => [key, fillShape(shape, values)] as const);
  return Object.fromEntries(filled.filter(([, value]) => value !== undefined));
}

function rolesOf(shape: Shape): Role[] {
  if (typeof shape === 'string') return [shape];
  if ('list' in shape) return rolesOf(shape.list);
  if ('argv' in shape) return [shape.argv];
  return 'object' in shape ? rolesIn(shape.object) : [];
}

function fillShape(shape: Shape, values: RoleValues): unknown {
  if (typeof shape === 'string') return values[shape];
  if ('none' in shape) return undefined;
  if ('fixed' in shape) return shape.fixed;
  if ('object' in shape) return fillShapes(shape.object, values);
  if ('argv' in shape) return values.command === undefined ? undefined : ['sh', '-c', values.command];
  const item = fillShape(shape.list, values);
  return item === undefined ? undefined : [item];
}

/**
 * A new file in the patch format that Codex and opencode take; nothing for what the format cannot say to the byte:
 * every line of it ends with a line feed, and an edit needs to know the rest of its lines.
 */
export function patchFor(intent: Intent): string | undefined {
  if (intent.intent !== 'write_file' || !/^[^\r\0]*[^\r\0\n]\n$|^[^\r\0]*\n\n$/.test(intent.content)) return undefined;
  if (/[\r\n]/.test(intent.path)) return undefined;
  const lines = intent.content.slice(0, -1).split('\n');
  return ['*** Begin Patch', `*** Add File: ${intent.path}`, ...lines.map((line) => `+${line}`), '*** End Patch'].join(
    '\n',
  );
}
