import { guardConnections, isLocal } from './guard-connections.ts';
import './resolve-imports.ts';

guardConnections(isLocal);
