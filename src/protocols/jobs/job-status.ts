import { orNull } from '../../procedure/declare.ts';
import { int, nvarchar } from '../../tds/types/index.ts';

/** proc_GetJobStatus.ResultSet0, the same in the three protocols. */
export const jobStatus = {
  Total: orNull(int),
  NotSubmitted: orNull(int),
  NotStarted: orNull(int),
  InProgress: orNull(int),
  Succeeded: orNull(int),
  Failed: orNull(int),
  Canceled: orNull(int),
  Name: orNull(nvarchar('max')),
};
