import type { ObjectName } from '../../procedure/object-name.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import type { ArithmeticOperator } from '../../values/arithmetic.ts';
import type { Condition, Expression } from './expression.ts';
import type { Merge } from './merge.ts';
import type { Cte, FromItem, Query, Top } from './query.ts';
import type { ColumnDefinition, TableDefinition } from './table.ts';

interface At {
  /** The line of the batch it begins on, counted from 1. */
  readonly line: number;
}

interface Block extends At {
  readonly kind: 'block';
  readonly body: readonly Statement[];
}
export type Declaration =
  | { readonly name: string; readonly type: AnyType; readonly value?: Expression }
  | { readonly name: string; readonly table: TableDefinition };
export interface Declare extends At {
  readonly kind: 'declare';
  readonly variables: readonly Declaration[];
}
export interface Assign extends At {
  readonly kind: 'assign';
  readonly variable: string;
  readonly operator?: ArithmeticOperator;
  readonly value: Expression;
}
export interface SetOption extends At {
  readonly kind: 'setOption';
  /** Names in upper case: `SET A, B ON` has two. */
  readonly names: readonly string[];
  readonly value: string | Expression;
  /** The table of IDENTITY_INSERT. */
  readonly table?: ObjectName;
}
export interface SelectStatement extends At {
  readonly kind: 'select';
  readonly query: Query;
}
export interface ExecuteArgument {
  readonly name?: string;
  /** Undefined for DEFAULT, and for a table. */
  readonly value?: Expression;
  /** The table variable that is passed. */
  readonly table?: string;
  readonly output: boolean;
}
export interface Execute extends At {
  readonly kind: 'execute';
  /** The variable that takes the return code. */
  readonly result?: string;
  readonly procedure: ObjectName | { readonly variable: string };
  readonly args: readonly ExecuteArgument[];
}
export interface ExecuteText extends At {
  readonly kind: 'executeText';
  readonly text: Expression;
}
export interface TransactionStatement extends At {
  readonly kind: 'transaction';
  readonly action: 'begin' | 'commit' | 'rollback' | 'save';
  readonly name?: string | Expression;
  /** BEGIN DISTRIBUTED TRANSACTION. */
  readonly isDistributed?: boolean;
}
export interface If extends At {
  readonly kind: 'if';
  readonly condition: Condition;
  readonly body: Statement;
  readonly otherwise?: Statement;
}
export interface While extends At {
  readonly kind: 'while';
  readonly condition: Condition;
  readonly body: Statement;
}
export interface TryCatch extends At {
  readonly kind: 'try';
  readonly body: readonly Statement[];
  readonly handler: readonly Statement[];
}
export interface Raise extends At {
  readonly kind: 'raiserror';
  readonly message: Expression;
  readonly severity: Expression;
  readonly state: Expression;
  readonly args: readonly Expression[];
  /** NOWAIT, LOG, SETERROR, in upper case. */
  readonly options: readonly string[];
}
export interface Throw extends At {
  readonly kind: 'throw';
  /** Absent to raise the caught error again. */
  readonly error?: { readonly number: Expression; readonly message: Expression; readonly state: Expression };
}
export interface WaitFor extends At {
  readonly kind: 'waitfor';
  readonly unit: 'delay' | 'time';
  readonly value: Expression;
}
export type Target = ObjectName | { readonly variable: string };
/** What the statements that change rows of a table have in common. */
interface Change extends At {
  readonly with: readonly Cte[];
  readonly top?: Top;
  readonly target: Target;
  readonly output?: OutputClause;
}
export interface Insert extends Change {
  readonly kind: 'insert';
  readonly columns: readonly string[];
  readonly source: Query | Execute | ExecuteText | 'default values';
}
/** OUTPUT inserted.x, deleted.y; `inserted` and `deleted` are the names of its two tables. */
export interface OutputClause {
  readonly items: Query['body'] & { readonly kind: 'select' };
  readonly into?: Target;
  /** The columns of the target; by default all that are not filled by themselves. */
  readonly columns?: readonly string[];
}
/** Which of its rows are considered. */
interface ChangeOfRows extends Change {
  readonly from: readonly FromItem[];
  readonly where?: Condition;
  readonly current?: Current;
}
export interface Update extends ChangeOfRows {
  readonly kind: 'update';
  readonly assignments: readonly UpdateItem[];
}
/**
 * WHERE CURRENT OF: the cursor by its name, or, for a cursor of the API, by its handle, and a row of its block, from 1.
 */
export type Current = CursorName | { readonly handle: number; readonly row: number };
export type UpdateItem = { readonly operator?: ArithmeticOperator; readonly value: Expression | 'default' } & (
  | { readonly column: string }
  | { readonly variable: string }
);
export interface Delete extends ChangeOfRows {
  readonly kind: 'delete';
}
export interface CreateTable extends At {
  readonly kind: 'createTable';
  readonly name: ObjectName;
  readonly definition: TableDefinition;
}
/** CREATE TYPE … AS TABLE. */
export interface CreateType extends At {
  readonly kind: 'createType';
  readonly name: ObjectName;
  readonly definition: TableDefinition;
}
export type AlterTable = At & {
  readonly kind: 'alterTable';
  readonly table: ObjectName;
} /** The rows that are there must keep new constraints where it `verifies`. */ & (
    | { readonly action: 'add'; readonly definition: TableDefinition; readonly verifies: boolean }
    | { readonly action: 'drop'; readonly dropped: readonly DroppedPart[] }
    /** CHECK or NOCHECK CONSTRAINT; without names, of all of them. */
    | {
        readonly action: 'check constraints';
        readonly names?: readonly string[];
        readonly isEnabled: boolean;
        readonly verifies: boolean;
      }
    | { readonly action: 'alter column'; readonly column: ColumnDefinition }
    /** DISABLE or ENABLE TRIGGER ALL: no table has any. */
    | { readonly action: 'triggers' }
  );
/** A column or a constraint that ALTER TABLE drops. */
export interface DroppedPart {
  readonly what: 'column' | 'constraint';
  readonly name: string;
  readonly ifExists: boolean;
}
export interface CreateIndex extends At {
  readonly kind: 'createIndex';
  readonly name: string;
  readonly unique: boolean;
  readonly clustered?: boolean;
  readonly table: ObjectName;
  readonly columns: readonly string[];
  /** Those of them that are sorted downwards. */
  readonly descending?: readonly string[];
  readonly included?: readonly string[];
  readonly ignoresDuplicates?: boolean;
  /** Its WHERE as the catalog writes it. */
  readonly filter?: string;
  /** The columns that its WHERE requires to be NOT NULL. */
  readonly present?: readonly string[];
}
export interface ProcedureParameter {
  /** With its @. */
  readonly name: string;
  readonly type: AnyType;
  readonly default?: Expression;
  readonly output: boolean;
}
export interface CreateProcedure extends At {
  readonly kind: 'createProcedure';
  readonly name: ObjectName;
  readonly alter: boolean;
  /** CREATE OR ALTER. */
  readonly orAlter?: boolean;
  /** What follows CREATE or ALTER, as written. */
  readonly text: string;
  readonly params: readonly ProcedureParameter[];
  readonly body: readonly Statement[];
}
export interface CreateView extends At {
  readonly kind: 'createView';
  readonly name: ObjectName;
  readonly alter: boolean;
  /** CREATE OR ALTER. */
  readonly orAlter: boolean;
  /** What follows CREATE or ALTER, as written. */
  readonly text: string;
  /** Names for its columns; none if those of the query are. */
  readonly columns: readonly string[];
  readonly query: Query;
  /** WITH SCHEMABINDING: what it reads stays. */
  readonly isSchemaBound: boolean;
  /** WITH CHECK OPTION: no row that is changed through it may leave it. */
  readonly isChecked: boolean;
  /** WITH ENCRYPTION: nobody is shown its text. */
  readonly isEncrypted: boolean;
}
/** CREATE, ALTER or DROP LOGIN. */
export interface LoginStatement extends At {
  readonly kind: 'login';
  readonly action: 'create' | 'alter' | 'drop';
  readonly name: string;
  readonly password?: string;
  /** What ALTER LOGIN proves that its login is the caller's own with. */
  readonly oldPassword?: string;
  readonly mustChange: boolean;
  /** Present for CREATE LOGIN … FROM WINDOWS; a group may be told by its security identifier. */
  readonly windows?: { readonly sid?: Uint8Array };
}
export interface Drop extends At {
  readonly kind: 'drop';
  readonly what: 'table' | 'procedure' | 'view' | 'database' | 'schema' | 'type' | 'other';
  /** As the message names it: `table`, `procedure`, `view`. */
  readonly type: string;
  readonly names: readonly ObjectName[];
  readonly ifExists: boolean;
}
export interface DropIndex extends At {
  readonly kind: 'dropIndex';
  readonly ifExists: boolean;
  readonly indexes: readonly { readonly name: string; readonly table: ObjectName }[];
}
export interface InsertBulk extends At {
  readonly kind: 'insertBulk';
  readonly target: ObjectName;
  /** `collation` is what COLLATE names: in its code page the text of the column comes. */
  readonly columns: readonly { readonly name: string; readonly type: AnyType; readonly collation?: string }[];
  /** The order of the rows, as announced by the client. */
  readonly order: readonly { readonly column: string; readonly descending: boolean }[];
  /** In upper case: KEEP_NULLS, CHECK_CONSTRAINTS, FIRE_TRIGGERS, TABLOCK, …. */
  readonly options: readonly string[];
}
/** A cursor by name; `global` if the statement says GLOBAL. */
export interface CursorName {
  readonly name: string;
  readonly global: boolean;
}
/**
 * The rows that a cursor sees: a copy; those that existed at OPEN, with their current values; or those that exist now.
 * A fast forward cursor is a copy that only moves forward.
 */
export type CursorType = 'static' | 'keyset' | 'dynamic' | 'fast forward';
export interface DeclareCursor extends At {
  readonly kind: 'declareCursor';
  readonly name: string;
  readonly local: boolean;
  readonly scroll: boolean;
  readonly type: CursorType;
  readonly isReadOnly: boolean;
  /** True for SCROLL_LOCKS: what was fetched is kept from others. */
  readonly locks: boolean;
  /** True if the client requests a message (TYPE_WARNING) when its keyset or dynamic cursor becomes a copy. */
  readonly warns: boolean;
  readonly query: Query;
}
export interface FetchCursor extends At {
  readonly kind: 'fetch';
  readonly direction: 'first' | 'next' | 'prior' | 'last' | 'absolute' | 'relative';
  /** For ABSOLUTE and RELATIVE. */
  readonly at?: Expression;
  readonly cursor: CursorName;
  readonly into: readonly string[];
}
export interface CursorStatement extends At {
  readonly kind: 'openCursor' | 'closeCursor' | 'deallocateCursor';
  readonly cursor: CursorName;
}

export interface Kill extends At {
  readonly kind: 'kill';
  readonly spid: number;
  readonly statusOnly: boolean;
}

export interface Dbcc extends At {
  readonly kind: 'dbcc';
  /** In upper case. */
  readonly command: string;
  /** WITH NO_INFOMSGS. */
  readonly quiet: boolean;
}

/** Everything between semicolons. */
export type Statement =
  | Block
  | Declare
  | Assign
  | SetOption
  | SelectStatement
  | Execute
  | ExecuteText
  | TransactionStatement
  | If
  | While
  | TryCatch
  | Raise
  | Throw
  | WaitFor
  | Insert
  | Update
  | Delete
  | Merge
  | CreateTable
  | CreateType
  | AlterTable
  | CreateIndex
  | DropIndex
  | CreateProcedure
  | CreateView
  | Drop
  | LoginStatement
  | InsertBulk
  | DeclareCursor
  | FetchCursor
  | CursorStatement
  | Kill
  | Dbcc
  | (At & { readonly kind: 'break' | 'continue' | 'empty' })
  | (At & { readonly kind: 'return'; readonly value?: Expression })
  | (At & { readonly kind: 'goto' | 'label'; readonly label: string })
  | (At & { readonly kind: 'use'; readonly database: string })
  | (At & { readonly kind: 'print'; readonly value: Expression })
  | (At & { readonly kind: 'truncate'; readonly table: ObjectName })
  | Unsupported
  | (At & { readonly kind: 'createDatabase'; readonly name: string })
  | (At & { readonly kind: 'createSchema'; readonly name: string });

/** A statement of SQL Server's that there is not here: CREATE TRIGGER. */
export interface Unsupported extends At {
  readonly kind: 'unsupported';
  readonly what: string;
  /** ALTER DATABASE … SET: its first option; without a name, of the current database. */
  readonly set?: { readonly database?: string; readonly option: string };
}

/** A parameter in the declaration list of sp_executesql and sp_prepare. */
export interface PreparedParam {
  /** With its @. */
  readonly name: string;
  readonly type: AnyType;
  readonly output: boolean;
}

/** The statement of a kind. */
export type StatementOf<K extends Statement['kind']> = Extract<Statement, { kind: K }>;
