import type { AnyType, TypedValue } from '../../tds/types/sql-type.ts';
import type { ParamDescription } from '../describe.ts';
import type { ObjectName } from '../object-name.ts';
import type { Column } from '../run/sink.ts';

/** A column of a table that a client made. */
export interface TemporaryColumn extends Column {
  readonly identity?: { readonly seed: bigint; readonly increment: bigint };
  /** Its default as the catalog writes it: `((1))`, `('text')`, `(getdate())`. */
  readonly byDefault?: string;
  /** The name of the default, if it has one. */
  readonly defaultName?: string;
  /** Of a computed column, as the catalog writes it. */
  readonly computed?: { readonly definition: string; readonly isPersisted: boolean };
  readonly properties?: readonly ExtendedProperty[];
}

/** What a client has stored about a table or column. */
export interface ExtendedProperty {
  readonly name: string;
  readonly value: TypedValue;
}

/** A key or an index of such a table. */
export interface TableKey {
  readonly name: string;
  readonly kind: 'PRIMARY KEY' | 'UNIQUE KEY' | 'index';
  readonly isUnique: boolean;
  readonly isClustered: boolean;
  readonly ignoresDuplicates: boolean;
  readonly columns: readonly string[];
  /** Those of them that are sorted downwards. */
  readonly descending?: readonly string[];
  /** Columns that are in the index beside those that it is sorted by. */
  readonly included?: readonly string[];
  /** WHERE of a filtered index, as the catalog writes it. */
  readonly filter?: string;
}

/** A foreign key of such a table. */
export interface TableReference {
  readonly name: string;
  readonly columns: readonly string[];
  /** The table that it refers to, and the key there. */
  readonly to: {
    readonly schema: string;
    readonly name: string;
    readonly key: string;
    readonly columns: readonly string[];
  };
  readonly onDelete: 'no action' | 'cascade' | 'set null' | 'set default';
  readonly onUpdate: 'no action' | 'cascade' | 'set null' | 'set default';
  readonly isDisabled: boolean;
}

/** A CHECK of such a table. */
export interface TableCheck {
  readonly name: string;
  /** The condition as the catalog writes it. */
  readonly definition: string;
  /** The columns that it is about. */
  readonly columns: readonly string[];
  readonly isDisabled: boolean;
}

/** A temporary table of the session, or one of tempdb, as tempdb lists it. */
export interface TemporaryTable {
  readonly schema: string;
  readonly name: string;
  readonly objectId: number;
  readonly columns: readonly TemporaryColumn[];
  readonly keys: readonly TableKey[];
  readonly references: readonly TableReference[];
  readonly checks: readonly TableCheck[];
  readonly properties: readonly ExtendedProperty[];
  readonly rows: bigint;
  /** The last number that a column that numbers rows gave. */
  readonly lastNumber?: bigint;
}

/** A table type that a client made, as tempdb lists it. */
export interface ClientType {
  /** Its user_type_id. */
  readonly id: number;
  /** A table of this type. */
  readonly table: TemporaryTable;
}

/** A procedure that a client made, as tempdb lists it. */
export interface ClientProcedure {
  readonly schema: string;
  readonly name: string;
  readonly objectId: number;
  readonly params: readonly ParamDescription[];
  /** The statement that made it. */
  readonly definition: string;
}

/** A column of a result set, and where its values come from if that was asked for. */
export interface DescribedColumn extends Column {
  /** Present for a column of a table. */
  readonly origin?: {
    readonly table: ObjectName;
    readonly column: string;
    readonly isKey: boolean;
  };
  /** True for a key that the query itself leaves out. */
  readonly isHidden?: boolean;
}

/** A view that a client made, as tempdb lists it. */
export interface ClientView {
  readonly schema: string;
  readonly name: string;
  readonly objectId: number;
  readonly columns: readonly TemporaryColumn[];
  readonly module: ViewModule;
}

/** What the catalog shows of the statement that made a view. */
export interface ViewModule {
  /** Null for one that is not to be shown. */
  readonly definition: string | null;
  readonly isSchemaBound: boolean;
  /** WITH CHECK OPTION. */
  readonly isChecked: boolean;
  /** The tables and views that it names. */
  readonly reads: readonly ObjectName[];
}

/** A variable that a batch of the system's own begins with. */
export interface InnerVariable {
  /** With its @. */
  readonly name: string;
  readonly type: AnyType;
  readonly value: unknown;
}

/** A result set of such a batch. */
export interface InnerSet {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly unknown[])[];
}

/** What only the session's T-SQL knows. The texts of declarations are `@a int, @b nvarchar(20)`. */
export interface TsqlView {
  /** The schemas that clients made in tempdb. */
  readonly schemas: readonly string[];
  temporaryTables(): Iterable<TemporaryTable>;
  clientProcedures(): Iterable<ClientProcedure>;
  clientViews(): Iterable<ClientView>;
  clientTypes(): Iterable<ClientType>;
  /**
   * The columns of the first result set of a batch, without running it; none if it sends no rows. `isBrowsed`: with
   * their origins, and with the keys that it leaves out.
   */
  columns(batch: string, declarations: string, isBrowsed: boolean): Promise<readonly DescribedColumn[]>;
  /**
   * The undeclared variables of a batch, with the types that their context requires; 11502 if it does not determine
   * them.
   */
  undeclared(
    batch: string,
    declarations: string,
  ): Promise<readonly { readonly name: string; readonly type: AnyType }[]>;
  /**
   * Runs a batch of the server's own in a database, independent of the client's: for the parts of the catalog written
   * in T-SQL.
   */
  run(database: string, batch: string, variables: readonly InnerVariable[]): Promise<readonly InnerSet[]>;
}
