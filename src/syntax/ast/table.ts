import type { ObjectName } from '../../procedure/object-name.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import type { Condition, Expression, Literal } from './expression.ts';

/** What sp_addextendedproperty says of a table or column. */
export interface ExtendedProperty {
  readonly name: string;
  readonly value: Literal;
}

/** A column of CREATE TABLE or of a table variable. */
export interface ColumnDefinition {
  readonly name: string;
  readonly type: AnyType;
  readonly nullable: boolean;
  /** True where the definition says neither NULL nor NOT NULL: SET ANSI_NULL_DFLT_ON decides. */
  readonly nullableByDefault?: true;
  readonly identity?: { readonly seed: bigint; readonly increment: bigint };
  /** True for a column made under ANSI_PADDING OFF that keeps no blanks or zeros at the end. */
  readonly unpadded?: boolean;
  readonly default?: Expression;
  /** The default as the catalog writes it. */
  readonly defaultText?: string;
  /** WITH VALUES: rows that are there when the column is added get the default even where it may be NULL. */
  readonly fillsRows?: true;
  /** The name of the default, where it was given one. */
  readonly defaultName?: string;
  /** AS expression. */
  readonly computed?: Expression;
  readonly properties?: readonly ExtendedProperty[];
}

/** PRIMARY KEY or UNIQUE. */
export interface KeyDefinition {
  readonly name?: string;
  readonly primary: boolean;
  readonly columns: readonly string[];
  /** IGNORE_DUP_KEY: a row that is there already is left out, and the client told so (3604). */
  readonly ignoresDuplicates?: boolean;
}

export interface CheckDefinition {
  readonly name?: string;
  readonly condition: Condition;
  /** NOCHECK CONSTRAINT: it is there, and nothing is held against it. */
  readonly isDisabled?: boolean;
}

/** What becomes of a row when the one that it refers to goes, or gets another key. */
export type ReferentialAction = 'no action' | 'cascade' | 'set null' | 'set default';

/** FOREIGN KEY. */
export interface ReferenceDefinition {
  readonly name?: string;
  readonly columns: readonly string[];
  readonly table: ObjectName;
  /** The columns referred to; none for the primary key. */
  readonly referred: readonly string[];
  readonly onDelete: ReferentialAction;
  readonly onUpdate: ReferentialAction;
  readonly isDisabled?: boolean;
}

export interface TableDefinition {
  readonly columns: readonly ColumnDefinition[];
  readonly keys: readonly KeyDefinition[];
  readonly checks: readonly CheckDefinition[];
  readonly references: readonly ReferenceDefinition[];
  /** ADD DEFAULT … FOR: defaults of columns that are there already. */
  readonly defaults?: readonly DefaultDefinition[];
  readonly properties?: readonly ExtendedProperty[];
}

/** DEFAULT … FOR a column. */
export interface DefaultDefinition {
  readonly name?: string;
  readonly column: string;
  readonly value: Expression;
  readonly text: string;
  readonly fillsRows?: true;
}
