import { type AnyProcedure, procedure } from '../../procedure/declare.ts';

/** The sections of the procedures that MS-WORDSSP2 specifies word for word as MS-WORDSSP does. */
const sections: Readonly<Record<string, string>> = {
  proc_AddGroup: '3.2.5.15',
  proc_AddJob: '3.2.5.14',
  proc_CancelAllActiveJobs: '3.2.5.13',
  proc_CancelJob: '3.2.5.12',
  proc_GetConversionBatch: '3.2.5.11',
  proc_GetGroups: '3.2.5.10',
  proc_GetItems: '3.2.5.9',
  proc_GetJobs: '3.2.5.8',
  proc_GetJobStatus: '3.2.5.7',
  proc_HasActiveJobs: '3.2.5.6',
  proc_SubmitJob: '3.2.5.4',
  proc_UpdateConversionBatch: '3.2.5.3',
  proc_UpdateFailedItem: '3.2.5.2',
  proc_UpdateSucceededItem: '3.2.5.1',
};

/** The procedures of version 1 that version 2 has unchanged, each with its own section. */
export const asInVersion1 = (first: readonly AnyProcedure[]): readonly AnyProcedure[] =>
  first.flatMap((declared) => {
    const section = sections[declared.name];
    return section === undefined ? [] : [procedure({ ...declared, section: `MS-WORDSSP2 ${section}` })];
  });
