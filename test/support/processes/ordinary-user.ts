const NOBODY = 65_534;

/**
 * Runs a function as a user without privileges. Root passes every permission check, so a case that expects a refusal
 * proves nothing as root. Needs the main thread of a process. Without root, the function simply runs.
 */
export async function asOrdinaryUser<Value>(action: () => Promise<Value>): Promise<Value> {
  const { geteuid, seteuid, setegid, getgroups, setgroups } = process;
  if (geteuid === undefined || seteuid === undefined || setegid === undefined || geteuid() !== 0) return action();
  if (getgroups === undefined || setgroups === undefined) throw new Error('This platform has users but no groups.');
  const groups = getgroups();
  setgroups([]);
  setegid(NOBODY);
  seteuid(NOBODY);
  try {
    return await action();
  } finally {
    seteuid(0);
    setegid(0);
    setgroups(groups);
  }
}
