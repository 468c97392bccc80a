import { type AnyProcedure, procedure } from '../../procedure/declare.ts';
import { done } from './outcomes.ts';

/** A call that asks the server to look after itself: the engine does, so that there is nothing to do and nothing to see. */
const maintenance = (name: string, section: string, summary: string): AnyProcedure =>
  procedure({
    name,
    section: `MS-SQLPGAT2 ${section}`,
    summary,
    access: 'none',
    params: {},
    outcomes: done,
    handle: () => ({ outcome: 'done' }),
  });

export const recompile = maintenance(
  'proc_MSS_Recompile',
  '3.1.5.69',
  'Compiles procedures anew: Granary compiles none.',
);

export const defragGathererIndexes = maintenance(
  'proc_MSS_DefragGathererIndexes',
  '3.1.5.70',
  'Rebuilds indexes: the engine underneath keeps them in order.',
);
