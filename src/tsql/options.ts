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

/** What is known of an option that is on or off. */
interface SwitchFacts {
  /** What SET calls it. */
  readonly name: string;
  /** Whether a session starts with it, as SQL Server gives it to ODBC and OLE DB clients. */
  readonly isOn?: true;
  /**
   * Its bit of @@OPTIONS, as "user options" numbers them; DBCC USEROPTIONS lists those that have one, in this order.
   */
  readonly bit?: number;
  /** True for one that SESSIONPROPERTY reports. */
  readonly isProperty?: true;
}

/** Every option that is on or off. */
const switches = {
  quotedIdentifier: { name: 'QUOTED_IDENTIFIER', isOn: true, bit: 256, isProperty: true },
  arithAbort: { name: 'ARITHABORT', bit: 64, isProperty: true },
  arithIgnore: { name: 'ARITHIGNORE', bit: 128 },
  noCount: { name: 'NOCOUNT', bit: 512 },
  ansiNullDefaultOn: { name: 'ANSI_NULL_DFLT_ON', isOn: true, bit: 1024 },
  ansiNullDefaultOff: { name: 'ANSI_NULL_DFLT_OFF', bit: 2048 },
  ansiWarnings: { name: 'ANSI_WARNINGS', isOn: true, bit: 8, isProperty: true },
  ansiPadding: { name: 'ANSI_PADDING', isOn: true, bit: 16, isProperty: true },
  ansiNulls: { name: 'ANSI_NULLS', isOn: true, bit: 32, isProperty: true },
  concatNullYieldsNull: { name: 'CONCAT_NULL_YIELDS_NULL', isOn: true, bit: 4096, isProperty: true },
  implicitTransactions: { name: 'IMPLICIT_TRANSACTIONS', bit: 2 },
  cursorCloseOnCommit: { name: 'CURSOR_CLOSE_ON_COMMIT', bit: 4 },
  numericRoundAbort: { name: 'NUMERIC_ROUNDABORT', bit: 8192, isProperty: true },
  xactAbort: { name: 'XACT_ABORT', bit: 16_384 },
  ansiDefaults: { name: 'ANSI_DEFAULTS' },
  fmtOnly: { name: 'FMTONLY' },
  forcePlan: { name: 'FORCEPLAN' },
  /** Every SELECT is answered as FOR BROWSE asks. */
  noBrowseTable: { name: 'NO_BROWSETABLE' },
  noExec: { name: 'NOEXEC' },
  parseOnly: { name: 'PARSEONLY' },
  /** Queries return their plan instead of running. */
  showPlan: { name: 'SHOWPLAN_TEXT' },
  /** The same as a table. */
  showPlanAll: { name: 'SHOWPLAN_ALL' },
} as const satisfies Readonly<Record<string, SwitchFacts>>;

/** An option that is on or off. */
export type Switch = keyof typeof switches;

/** The same as a list. */
export const allSwitches: readonly (SwitchFacts & { readonly option: Switch })[] = Object.entries(switches).map(
  ([option, facts]) => ({ option: option as Switch, ...facts }), // its own keys
);

/** What SET changes, for one session. */
export interface SessionOptions extends Record<Switch, boolean> {
  dateFirst: number;
  /** True once SET DATEFIRST was given: SET LANGUAGE then leaves it alone. */
  dateFirstIsSet: boolean;
  dateFormat: DateOrder;
  /** True once SET DATEFORMAT was given. */
  dateFormatIsSet: boolean;
  deadlockPriority: number;
  isolation: IsolationLevel;
  language: string;
  /** Milliseconds, -1 for ever. */
  lockTimeout: number;
  /** The greatest number of rows of a statement; 0 for all. */
  rowCount: number;
  textSize: number;
}

/** True if two sessions have the same options. */
export function sameOptions(one: SessionOptions, other: SessionOptions): boolean {
  for (const name in one) if (one[name as keyof SessionOptions] !== other[name as keyof SessionOptions]) return false;
  return true;
}

const defaults: SessionOptions = {
  ...(Object.fromEntries(allSwitches.map(({ option, isOn = false }) => [option, isOn])) as Record<Switch, boolean>), // all
  dateFirst: 7,
  dateFirstIsSet: false,
  dateFormat: 'mdy',
  dateFormatIsSet: false,
  deadlockPriority: 0,
  isolation: 'read committed',
  language: 'us_english',
  lockTimeout: -1,
  rowCount: 0,
  textSize: 2_147_483_647,
};

/** What a session starts with. */
export const defaultOptions = (): SessionOptions => ({ ...defaults });

/** Does work under SET FMTONLY ON: columns of results are described, nothing is read and nothing changed. */
export async function underFmtOnly<T>(options: SessionOptions, work: () => Promise<T>): Promise<T> {
  const before = options.fmtOnly;
  options.fmtOnly = true;
  try {
    return await work();
  } finally {
    options.fmtOnly = before;
  }
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

/** @@OPTIONS: the bits of the options that are on. */
export const optionBits = (options: SessionOptions): number =>
  allSwitches.reduce((sum, { option, bit = 0 }) => (options[option] ? sum | bit : sum), 0);
