import type { Intent } from '../../scenario/format/intent-format.ts';
import { absolutePath } from './working-directory.ts';

/** Meaning of an argument of a tool. */
export type Role = 'path' | 'content' | 'old_text' | 'new_text' | 'command' | 'pattern' | 'patch';

/**
 * Shape of an argument. A role is a text of the intent; `list` is an array with one item; `argv` is a command as the
 * argument vector of a process; `fixed` is a constant text; `none` must be offered, but gets no value.
 */
export type Shape =
  | Role
  | { readonly list: Shape }
  | { readonly argv: 'command' }
  | { readonly fixed: string }
  | { readonly none: true }
  | { readonly object: Shapes };
/** Shapes of arguments by their keys. */
export type Shapes = Readonly<Record<string, Shape>>;

/** Texts of an intent by role. */
export type RoleValues = Readonly<Partial<Record<Role, string | undefined>>>;

/** The texts of an intent by role, with the path in the form that `paths` names. */
export function roleValues(intent: Intent, paths: 'absolute' | 'relative', directory: string | undefined): RoleValues {
  const { intent: _name, ...texts } = intent;
  const values: Partial<Record<Role, string | undefined>> = { ...texts, patch: patchFor(intent) };
  if (paths === 'absolute' && values.path !== undefined) values.path = absolutePath(values.path, directory);
  return values;
}

export function rolesIn(shapes: Shapes): Role[] {
  return Object.values(shapes).flatMap(rolesOf);
}

/** Arguments of the given shapes, without those whose role has no value. */
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

/** A new file in the patch format of Codex and opencode, which cannot express a last line without a line feed. */
function patchFor(intent: Intent): string | undefined {
  if (intent.intent !== 'write_file' || !/^[^\r\0]*[^\r\0\n]\n$|^[^\r\0]*\n\n$/.test(intent.content)) return undefined;
  if (/[\r\n]/.test(intent.path)) return undefined;
  const added = intent.content.slice(0, -1).replaceAll('\n', '\n+');
  return `*** Begin Patch\n*** Add File: ${intent.path}\n+${added}\n*** End Patch`;
}
