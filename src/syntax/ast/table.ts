import type { ObjectName } from '../../procedure/object-name.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import type { Condition, Expression, Literal } from './expression.ts';

/** An extended property of a table or column. */
export interface ExtendedProperty {
  readonly name: string;
  readonly value: Literal;
}

/** A column of CREATE TABLE or of a table variable. */
export interface ColumnDefinition {
  readonly name: string;
  readonly type: AnyType;
  readonly nullable: boolean;
  /** True if the definition says neither NULL nor NOT NULL: SET ANSI_NULL_DFLT_ON decides. */
  readonly nullableByDefault?: true;
  readonly identity?: { readonly seed: bigint; readonly increment: bigint };
  /** True for a column made under ANSI_PADDING OFF that keeps no blanks or zeros at the end. */
  readonly unpadded?: boolean;
  readonly default?: Expression;
  /** The default as the catalog writes it. */
  readonly defaultText?: string;
  /** WITH VALUES: existing rows get the default of an added column even if it may be NULL. */
  readonly fillsRows?: true;
  /** The name of the default, if it has one. */
  readonly defaultName?: string;
  /** AS expression. */
  readonly computed?: Expression;
  /** The expression as the catalog writes it. */
  readonly computedText?: string;
  readonly isPersisted?: true;
  readonly properties?: readonly ExtendedProperty[];
}

/** PRIMARY KEY or UNIQUE. */
export interface KeyDefinition {
  readonly name?: string;
  readonly primary: boolean;
  /** CLUSTERED or NONCLUSTERED, where the definition says one of them. */
  readonly clustered?: boolean;
  readonly columns: readonly string[];
  /** Those of them that are sorted downwards. */
  readonly descending?: readonly string[];
  /** IGNORE_DUP_KEY: a duplicate row is skipped, which the client is told (3604). */
  readonly ignoresDuplicates?: boolean;
}

export interface CheckDefinition {
  readonly name?: string;
  readonly condition: Condition;
  /** As the catalog writes it. */
  readonly text: string;
  /** NOCHECK CONSTRAINT: it exists, but is not enforced. */
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
  /** ADD DEFAULT … FOR: defaults of existing columns. */
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
