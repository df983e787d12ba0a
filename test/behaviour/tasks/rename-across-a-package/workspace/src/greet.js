import { fetchUser } from './client.js';

/** A greeting for an account. */
export async function greet(id) {
  const user = await fetchUser(id);
  return user === undefined ? 'Who are you?' : `Hello, ${user.name}!`;
}
