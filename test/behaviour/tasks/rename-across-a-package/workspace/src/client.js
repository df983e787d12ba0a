const USERS = new Map([
  ['1', { id: '1', name: 'Ada' }],
  ['2', { id: '2', name: 'Grace' }],
]);

/** The account of an id. */
export async function fetchUser(id) {
  return USERS.get(id);
}
