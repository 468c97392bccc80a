import { constants } from 'node:os';

/** The code of an error of the system (`EACCES`). Node calls an exhausted quota unknown, and gives only its number. */
export function systemCode(error: object): string | undefined {
  if ('errno' in error && error.errno === -constants.errno.EDQUOT) return 'EDQUOT';
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
