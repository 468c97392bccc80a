import type { RecordValue, transactionCommit } from '../../records/index.ts';
import { flag } from '../values.ts';

/** What a component reports of one transaction, with nothing left out. */
export type Reported = Omit<
  RecordValue<(typeof transactionCommit)['fields']>,
  'ParentCompactURL' | 'ParentCompactHash' | 'UseSecurityInfo' | 'MarkDelete'
> & { readonly MarkDelete: boolean; readonly FolderDelCount: number };

/** The same as the steps look at it. */
export interface Committed extends Reported {
  /** True where it is about the security of the item alone. */
  readonly isSecurityOnly: boolean;
  readonly isFolder: boolean;
  /** The type of the cookie as it came, also where the item does not use the change log. */
  readonly givenCookieType: number;
}

/** Without the change log what is said of it is ignored (3.1.5.66). */
export function committed(reported: Reported): Committed {
  const usesChangeLog = reported.UseChangeLog !== 0;
  return {
    ...reported,
    ChangeLogCookie: usesChangeLog ? reported.ChangeLogCookie : null,
    ChangeLogBatchID: usesChangeLog ? reported.ChangeLogBatchID : 0,
    givenCookieType: reported.ChangeLogCookieType,
    isSecurityOnly: (reported.TransactionFlags & flag.securityOnly) !== 0,
    isFolder: (reported.TransactionFlags & flag.folder) !== 0,
  };
}

/** The type of the cookie that is kept: none without a cookie, as a record cannot say NULL. */
export const keptCookieType = ({ ChangeLogCookie, ChangeLogCookieType }: Committed): number | null =>
  ChangeLogCookie === null ? null : ChangeLogCookieType;
