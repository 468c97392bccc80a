import type { DateOrder } from '../tds/convert/parse-date.ts';

/** The isolation levels of SET TRANSACTION ISOLATION LEVEL, numbered as sys.dm_exec_sessions does. */
export const isolationLevels = {
  'read uncommitted': 1,
  'read committed': 2,
  'repeatable read': 3,
  serializable: 4,
  snapshot: 5,
} as const;
export type IsolationLevel = keyof typeof isolationLevels;

/** What SET changes, for one session. */
export interface SessionOptions {
  ansiDefaults: boolean;
  ansiNulls: boolean;
  ansiNullDefaultOff: boolean;
  ansiNullDefaultOn: boolean;
  ansiPadding: boolean;
  ansiWarnings: boolean;
  arithAbort: boolean;
  arithIgnore: boolean;
  concatNullYieldsNull: boolean;
  cursorCloseOnCommit: boolean;
  dateFirst: number;
  /** True once SET DATEFIRST was given: SET LANGUAGE then leaves it alone. */
  dateFirstIsSet: boolean;
  dateFormat: DateOrder;
  /** True once SET DATEFORMAT was given. */
  dateFormatIsSet: boolean;
  deadlockPriority: number;
  fmtOnly: boolean;
  forcePlan: boolean;
  implicitTransactions: boolean;
  isolation: IsolationLevel;
  language: string;
  /** Milliseconds, -1 for ever. */
  lockTimeout: number;
  /** True when every SELECT is answered as FOR BROWSE asks. */
  noBrowseTable: boolean;
  noCount: boolean;
  noExec: boolean;
  /** SET SHOWPLAN_TEXT: queries tell how they would run. */
  showPlan: boolean;
  /** SET SHOWPLAN_ALL: the same as a table. */
  showPlanAll: boolean;
  numericRoundAbort: boolean;
  parseOnly: boolean;
  quotedIdentifier: boolean;
  /** The greatest number of rows of a statement; 0 for all. */
  rowCount: number;
  textSize: number;
  xactAbort: boolean;
}

/** True when two sessions were told the same. */
export function sameOptions(one: SessionOptions, other: SessionOptions): boolean {
  for (const name in one) if (one[name as keyof SessionOptions] !== other[name as keyof SessionOptions]) return false;
  return true;
}

/** An option that is on or off. */
export type Switch = {
  [K in keyof SessionOptions]: SessionOptions[K] extends boolean ? K : never;
}[keyof SessionOptions];

/** What a session starts with, as SQL Server gives it to ODBC and OLE DB clients. */
export function defaultOptions(): SessionOptions {
  return {
    ansiDefaults: false,
    ansiNulls: true,
    ansiNullDefaultOff: false,
    ansiNullDefaultOn: true,
    ansiPadding: true,
    ansiWarnings: true,
    arithAbort: false,
    arithIgnore: false,
    concatNullYieldsNull: true,
    cursorCloseOnCommit: false,
    dateFirst: 7,
    dateFirstIsSet: false,
    dateFormat: 'mdy',
    dateFormatIsSet: false,
    deadlockPriority: 0,
    fmtOnly: false,
    forcePlan: false,
    implicitTransactions: false,
    isolation: 'read committed',
    language: 'us_english',
    lockTimeout: -1,
    noBrowseTable: false,
    noCount: false,
    noExec: false,
    showPlan: false,
    showPlanAll: false,
    numericRoundAbort: false,
    parseOnly: false,
    quotedIdentifier: true,
    rowCount: 0,
    textSize: 2_147_483_647,
    xactAbort: false,
  };
}

/** What clients other than ODBC and OLE DB start with instead: DB-Library is older than the standard. */
export const withoutAnsi = {
  ansiNulls: false,
  ansiNullDefaultOn: false,
  ansiPadding: false,
  ansiWarnings: false,
  concatNullYieldsNull: false,
  quotedIdentifier: false,
} as const satisfies Partial<SessionOptions>;

/** @@OPTIONS: a bit for each option, as "user options" numbers them. */
export function optionBits(options: SessionOptions): number {
  const bits: readonly [boolean, number][] = [
    [options.implicitTransactions, 2],
    [options.cursorCloseOnCommit, 4],
    [options.ansiWarnings, 8],
    [options.ansiPadding, 16],
    [options.ansiNulls, 32],
    [options.arithAbort, 64],
    [options.arithIgnore, 128],
    [options.quotedIdentifier, 256],
    [options.noCount, 512],
    [options.ansiNullDefaultOn, 1024],
    [options.ansiNullDefaultOff, 2048],
    [options.concatNullYieldsNull, 4096],
    [options.numericRoundAbort, 8192],
    [options.xactAbort, 16_384],
  ];
  return bits.reduce((sum, [on, bit]) => (on ? sum | bit : sum), 0);
}
