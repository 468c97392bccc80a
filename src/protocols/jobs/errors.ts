import { type SqlError, sqlError } from '../../base/messages/sql-error.ts';

/** Error 2627: the JobId is in use. */
export const duplicateJob = (JobId: bigint): SqlError =>
  sqlError(2627, 'PRIMARY KEY', 'PK_Jobs', 'dbo.Jobs', `(${JobId})`);

/** Error 2627: the job already has a group with that GroupId. */
export const duplicateGroup = (JobId: bigint, GroupId: number): SqlError =>
  sqlError(2627, 'PRIMARY KEY', 'PK_Groups', 'dbo.Groups', `(${JobId}, ${GroupId})`);

/** Error 2627: two items of a group have that ItemId. */
export const duplicateItem = (JobId: bigint, GroupId: number, ItemId: number): SqlError =>
  sqlError(2627, 'PRIMARY KEY', 'PK_Items', 'dbo.Items', `(${JobId}, ${GroupId}, ${ItemId})`);

/** Error 547: a group is to be added to a job that does not exist. */
export const unknownJob = (database: string): SqlError =>
  sqlError(547, 'INSERT', 'FOREIGN KEY', 'FK_Groups_Jobs', database, 'dbo.Jobs', ", column 'JobId'", '', '');
