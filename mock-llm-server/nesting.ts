/** How deep objects and lists of scenarios may be nested; deeper ones would end the stack of what works with them. */
export const MAX_NESTING = 100;

/**
 * Where a value is nested deeper than `MAX_NESTING`: the first part of the way there. Nothing where it is not. Pure.
 */
export function findDeepNesting(value: unknown, shown = 8): readonly PropertyKey[] | undefined {
  const path: PropertyKey[] = [];
  const isTooDeep = (inner: unknown): boolean => {
    if (typeof inner !== 'object' || inner === null) return false;
    if (path.length >= MAX_NESTING) return true;
    const isList = Array.isArray(inner);
    for (const [key, item] of Object.entries(inner)) {
      path.push(isList ? Number(key) : key);
      if (isTooDeep(item)) return true;
      path.pop();
    }
    return false;
  };
  return isTooDeep(value) ? path.slice(0, shown) : undefined;
}
