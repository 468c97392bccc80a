import type { SqlError } from '../../base/messages/sql-error.ts';
import * as t from '../../tds/types/index.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import type { FunctionSpec } from '../evaluate/context.ts';

/** A fact of the error that the CATCH block around handles; NULL outside one. */
const ofError = (type: AnyType, fact: (error: SqlError) => unknown): FunctionSpec => ({
  min: 0,
  max: 0,
  compile: (_, { frame }) => ({
    type,
    nullable: true,
    evaluate() {
      const error = frame.caught.at(-1);
      return error === undefined ? null : fact(error);
    },
  }),
});

export const errorFunctions: Readonly<Record<string, FunctionSpec>> = {
  ERROR_NUMBER: ofError(t.int, ({ number }) => number),
  ERROR_SEVERITY: ofError(t.int, ({ severity }) => severity),
  ERROR_STATE: ofError(t.int, ({ state }) => state),
  ERROR_LINE: ofError(t.int, ({ line }) => line),
  ERROR_MESSAGE: ofError(t.nvarchar(4000), ({ message }) => message),
  ERROR_PROCEDURE: ofError(t.nvarchar(128), ({ procedure }) => procedure || null),
};
