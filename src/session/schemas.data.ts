import * as z from 'zod';
import { dataSchema } from '../schema/data-schema.ts';

/** The content of a lock: the process that holds it. The build replaces this module by its values. */
export const LOCK = dataSchema(z.object({ pid: z.int().positive(), started: z.string(), host: z.string() }));

/** The announced removals: the time of each announcement, by the name of the session. */
export const ANNOUNCED = dataSchema(z.record(z.string(), z.number()));
