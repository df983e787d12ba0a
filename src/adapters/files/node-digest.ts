import { createHash } from 'node:crypto';
import type { ComputeDigest } from '../../ports/digest.ts';

/** SHA-256 from the platform's own crypto. */
export const computeDigest: ComputeDigest = (bytes) => createHash('sha256').update(bytes).digest('hex');
