import type { AnyType } from '../../tds/types/sql-type.ts';

/** An output value on its way back to the caller. */
export interface OutputValue {
  readonly name: string;
  readonly type: AnyType;
  readonly value: unknown;
  /** The position of the argument in the call, counted from 0. */
  readonly argument: number;
}

/** How a call ended. */
export interface Executed {
  readonly status: number;
  readonly outputs: readonly OutputValue[];
  /** The number of rows of the last result set; absent if there was none. */
  readonly rowCount?: number;
}
