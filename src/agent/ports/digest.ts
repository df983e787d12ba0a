/** Lower-case hexadecimal SHA-256 of a byte sequence. */
export type Digest = string;

/** Computes the digest of bytes. Pure; a port because `core` and `tools` must not import the platform's crypto. */
export type ComputeDigest = (bytes: Uint8Array) => Digest;
