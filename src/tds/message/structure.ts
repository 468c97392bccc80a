import { SqlError, sqlError } from '../../base/messages/sql-error.ts';

/** Runs a decoder and converts whatever error it throws: 17828 for PRELOGIN, 17832 for LOGIN7. */
export function structurally<T>(number: 17828 | 17832, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    const { message, severity, state } = sqlError(number);
    throw new SqlError(number, message, { severity, state, cause: error });
  }
}
