import { codeOf, messageOf, OperatorError } from './errors.ts';

/** The message of a command if PostgreSQL fails. */
interface Told {
  /** What the lost connection was needed for. */
  readonly before: string;
  /** What there is then. */
  readonly afterLoss: string;
  /** What PostgreSQL has refused, and what there is then. */
  readonly refused: string;
  readonly afterRefusal: string;
}

/** PostgreSQL's codes have five characters with a digit, unlike those of the system. */
const sqlState = /^(?=.*\d)[0-9A-Z]{5}$/;

/** The line for an operator where PostgreSQL, or the way to it, has failed; undefined for any other fault. */
export async function postgresFault(error: unknown, told: Told): Promise<OperatorError | undefined> {
  const { isLoss } = await import('../engine/postgres/errors.ts');
  const why = messageOf(error);
  if (isLoss(error))
    return new OperatorError(
      `The connection to PostgreSQL was lost before ${told.before}: ${why}. ${told.afterLoss} when PostgreSQL is available.`,
      { cause: error },
    );
  if (!sqlState.test(codeOf(error) ?? '')) return undefined;
  return new OperatorError(`PostgreSQL refused ${told.refused}: ${why}. ${told.afterRefusal}.`, { cause: error });
}
