import { COMPILED } from './temporary-home.ts';

// Only for the processes that this one starts: Node has read the variable of this process when it began.
Object.assign(process.env, { NODE_COMPILE_CACHE: COMPILED });
