import { createHash } from 'node:crypto';

/** The handle of a T-SQL text in sys.dm_exec_requests: as long as SQL Server's handles, derived from the text alone. */
export const handleOf = (text: string): Uint8Array =>
  Buffer.concat([Buffer.of(2, 0, 0, 0), createHash('sha256').update(text).digest().subarray(0, 16)]);
