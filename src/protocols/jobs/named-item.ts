import { type Piece, type Sql, sql } from '../../engine/sql.ts';

/** What identifies an item. */
export interface ItemName {
  readonly JobId: bigint;
  readonly GroupId: number;
  readonly ItemId: number;
}

/** The same of several items at once: columns of a table of their names. */
type NamePieces = Readonly<Record<keyof ItemName, Piece>>;

/** The key by which an item is looked up: the key of its job, and its position there. */
export const itemKey = (job: bigint | null | undefined, group: number, item: number): string =>
  `${job}/${group}/${item}`;

/** Selects the item in an update of `items` from `jobs j`, unless proc_JobsExpire has deleted it individually. */
export const isNamed = ({ JobId, GroupId, ItemId }: NamePieces): Sql => sql`
  j.job_id = ${JobId} and items.job_key = j.job_key and items.group_id = ${GroupId} and items.item_id = ${ItemId}
  and (items.stop_time is null or items.stop_time >= j.expired_before)`;

/** The StopTime of an item of the job `j` that stops now: never before the moment up to which its items are deleted. */
export const stopTime = (now: Piece): Sql =>
  sql`case when ${now} < j.expired_before then j.expired_before else ${now} end`;
