const NOBODY = 65_534;

/**
 * Runs something as a user without privileges: root passes every permission check, so a case that expects a refusal
 * proves nothing when root runs it. Needs the main thread of a process; somebody who is not root just runs it.
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
