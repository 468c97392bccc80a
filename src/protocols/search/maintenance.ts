import { type AnyProcedure, procedure } from '../../procedure/declare.ts';
import { done } from './outcomes.ts';

/** A maintenance request to the server: the engine maintains itself, so it has no effect. */
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
  'Recompiles procedures: no effect, since Granary compiles none.',
);

export const defragGathererIndexes = maintenance(
  'proc_MSS_DefragGathererIndexes',
  '3.1.5.70',
  'Rebuilds indexes: no effect, since the engine maintains them.',
);
