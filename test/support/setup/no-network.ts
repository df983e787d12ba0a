import { guardConnections } from './guard-connections.ts';
import './resolve-imports.ts';

guardConnections(() => false);
