import { guardConnections } from './guard-connections.ts';

guardConnections(() => false);
