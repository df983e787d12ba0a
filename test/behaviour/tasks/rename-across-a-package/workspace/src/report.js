import { fetchUser } from './client.js';

export const report = async (ids) => (await Promise.all(ids.map(fetchUser))).map((user) => user?.name ?? 'nobody');
