import type { SystemCall } from '../../procedure/system-call.ts';

/** The values of a row of a view, besides those that its text gives for every row. */
export type Given = Readonly<Record<string, unknown>>;

/** The rows of views by name, for views that are not queries over other views. */
export type RowsByView = Readonly<Record<string, (call: SystemCall) => Iterable<Given> | Promise<Iterable<Given>>>>;
