import { SqlError } from '../base/messages/sql-error.ts';
import type { Steps } from '../base/threads/steps.ts';
import type { ObjectName } from '../procedure/object-name.ts';
import type { ExecuteArgument } from '../syntax/ast/statement.ts';
import { variablesIn } from '../syntax/lexer/variables-in.ts';
import { parseSteps } from '../syntax/parser/parse.ts';

/** A batch that is one call of a procedure. */
export interface ExecCall {
  readonly procedure: ObjectName;
  /** The variable that takes the return code. */
  readonly result?: string;
  readonly args: readonly ExecuteArgument[];
}

/** Reads `EXEC [@r =] name [@p =] @v [OUTPUT], …`, which is how drivers write a call; undefined for any other batch. */
export function* readExec(batch: string): Steps<ExecCall | undefined> {
  try {
    const variables = yield* variablesIn(batch, true);
    const [only, another] = (yield* parseSteps(batch, { variables })).statements;
    if (only?.kind !== 'execute' || another !== undefined || 'variable' in only.procedure) return undefined;
    const { procedure, result, args } = only;
    return { procedure, args, ...(result === undefined ? {} : { result }) };
  } catch (error) {
    // The error of a batch that cannot be parsed is reported by the interpreter when it describes the batch.
    if (error instanceof SqlError) return undefined;
    throw error;
  }
}
