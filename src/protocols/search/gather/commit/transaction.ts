import type { RecordValue, transactionCommit } from '../../records/index.ts';
import { flag } from '../values.ts';

type Packed = RecordValue<(typeof transactionCommit)['fields']>;

/**
 * Values that are only stored: no rule reads them, and NULL, which a packed record cannot contain, is stored as NULL.
 */
type OnlyStored =
  | ('LastModifiedTime' | 'EndPathFlag' | 'PropMD5' | 'MD5' | 'HostDepth' | 'EnumerationDepth' | 'IndexType')
  | ('DocPropsMD5' | 'LinksBitmap' | 'TitleLCID' | 'PHFlags' | 'ProtocolLength' | 'ErrorSource');

/** A component's report on one transaction, with defaults filled in. */
export type Reported = Omit<
  Packed,
  OnlyStored | 'ParentCompactURL' | 'ParentCompactHash' | 'UseSecurityInfo' | 'MarkDelete'
> & { readonly [K in OnlyStored]: Packed[K] | null } & {
  readonly MarkDelete: boolean;
  readonly FolderDelCount: number | null;
};

/** The same with derived properties. */
export interface Committed extends Reported {
  /** True if it concerns only the security of the item. */
  readonly isSecurityOnly: boolean;
  readonly isFolder: boolean;
  /** The type of the cookie as received, even if the item does not use the change log. */
  readonly givenCookieType: number;
}

/** Without the change log, its properties are ignored (3.1.5.66). */
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

/** The type of the cookie to store: none without a cookie, since a record cannot contain NULL. */
export const keptCookieType = ({ ChangeLogCookie, ChangeLogCookieType }: Committed): number | null =>
  ChangeLogCookie === null ? null : ChangeLogCookieType;
