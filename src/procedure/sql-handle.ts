import { createHash } from 'node:crypto';

/** What stands for a text of T-SQL in sys.dm_exec_requests: as long as SQL Server's handles, made of the text alone. */
export const handleOf = (text: string): Uint8Array =>
  Buffer.concat([Buffer.of(2, 0, 0, 0), createHash('sha256').update(text).digest().subarray(0, 16)]);
