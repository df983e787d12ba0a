export { fetchUser } from './client.js';
export { greet } from './greet.js';
