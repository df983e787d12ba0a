/**
 * The paths of the sockets in `/proc/net/unix`. A read-only mount does not prevent a connection to a socket, so the
 * sandbox hides each one. Pure.
 */
export function socketPaths(table: string): readonly string[] {
  const paths = table.split('\n').flatMap((line) => {
    // Num RefCount Protocol Flags Type St Inode Path; an abstract name begins with @.
    const path = /^(?:\S+\s+){7}(\/.*)$/.exec(line)?.[1];
    return path === undefined ? [] : [path];
  });
  return [...new Set(paths)];
}
