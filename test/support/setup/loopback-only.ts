import { guardConnections, isLocal } from './guard-connections.ts';

guardConnections(isLocal);
