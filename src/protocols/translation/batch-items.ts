import { orNull } from '../../procedure/declare.ts';
import { bigint, bit, datetime, int, nvarchar, smallint, tinyint, uniqueidentifier } from '../../tds/types/index.ts';

/** The columns of both batches (2.2.4.1, 2.2.4.2). */
export const batchItems = {
  JobId: bigint,
  GroupId: smallint,
  ItemId: int,
  InProgress: orNull(bit),
  InputFile: nvarchar('max'),
  OutputFile: nvarchar('max'),
  AttemptsRemaining: tinyint,
  WorkerServerInstance: orNull(uniqueidentifier),
  StartTime: orNull(datetime),
  CreateTime: datetime,
};
