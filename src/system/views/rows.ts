import type { SystemCall } from '../../procedure/system-call.ts';

/** What a view says in a row, besides what its text says of every row. */
export type Given = Readonly<Record<string, unknown>>;

/** The rows of views, by name: those that no query over other views tells. */
export type RowsByView = Readonly<Record<string, (call: SystemCall) => Iterable<Given> | Promise<Iterable<Given>>>>;
