import type { ObjectName } from '../../procedure/object-name.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import type { ArithmeticOperator } from '../../values/arithmetic.ts';
import type { Condition, Expression } from './expression.ts';

export interface OrderItem {
  readonly expression: Expression;
  readonly descending: boolean;
}

export type SelectItem =
  | { readonly kind: 'star'; readonly qualifier?: readonly string[] }
  | { readonly kind: 'value'; readonly expression: Expression; readonly alias?: string }
  /** SELECT @x = …, or @x += …. */
  | {
      readonly kind: 'assign';
      readonly variable: string;
      readonly operator?: ArithmeticOperator;
      readonly expression: Expression;
    };

export type JoinKind = 'inner' | 'left' | 'right' | 'full' | 'cross' | 'cross apply' | 'outer apply';

export type FromItem =
  /** Hints in upper case. */
  | { readonly kind: 'table'; readonly name: ObjectName; readonly alias?: string; readonly hints?: readonly string[] }
  /** A function that yields rows. */
  | {
      readonly kind: 'function';
      readonly name: ObjectName;
      readonly args: readonly Expression[];
      /** The columns that WITH gives OPENJSON. */
      readonly schema?: readonly JsonColumn[];
      readonly alias?: string;
    }
  /** A table variable. */
  | { readonly kind: 'variable'; readonly name: string; readonly alias?: string }
  | { readonly kind: 'derived'; readonly query: Query; readonly alias: string; readonly columns: readonly string[] }
  | {
      readonly kind: 'join';
      readonly type: JoinKind;
      readonly left: FromItem;
      readonly right: FromItem;
      readonly on?: Condition;
    };

/** A column of OPENJSON … WITH. */
export interface JsonColumn {
  readonly name: string;
  readonly type: AnyType;
  /** Undefined where the column's name is the path. */
  readonly path?: string;
  /** AS JSON: objects and arrays as they are written. */
  readonly isJson: boolean;
}

export interface Top {
  readonly count: Expression;
  readonly percent: boolean;
  readonly ties: boolean;
}

export interface Select {
  readonly kind: 'select';
  readonly distinct: boolean;
  readonly top?: Top;
  readonly items: readonly SelectItem[];
  readonly into?: ObjectName;
  /** The items that commas part; none for SELECT without FROM. */
  readonly from: readonly FromItem[];
  readonly where?: Condition;
  readonly groupBy: readonly Expression[];
  readonly having?: Condition;
}

export type SetOperator = 'union' | 'union all' | 'except' | 'intersect';

/** A query of a UNION or the like, with what combines it with those before it. */
export interface SetMember {
  readonly operator: SetOperator;
  readonly body: QueryBody;
}

export type QueryBody =
  | Select
  | { readonly kind: 'values'; readonly rows: readonly (readonly (Expression | 'default')[])[] }
  /** From left to right. As a list, since there may be thousands of them. */
  | { readonly kind: 'set'; readonly first: QueryBody; readonly rest: readonly SetMember[] }
  | { readonly kind: 'nested'; readonly query: Query };

/** A common table expression. */
export interface Cte {
  readonly name: string;
  readonly columns: readonly string[];
  readonly query: Query;
}

/** FOR XML: the rows as one text. */
export interface ForXml {
  readonly kind: 'forXml';
  readonly mode: 'raw' | 'auto' | 'path';
  /** The element of a row; empty for none. */
  readonly row: string;
  /** Columns are elements rather than attributes. */
  readonly elements: boolean;
  /** XSINIL: a NULL is an element marked as NULL. */
  readonly showsNull: boolean;
  readonly root?: string;
  /** TYPE: the result is xml, and is embedded in an outer FOR XML unchanged. */
  readonly typed: boolean;
}

/** FOR JSON: the rows as one text. */
export interface ForJson {
  readonly kind: 'forJson';
  readonly mode: 'auto' | 'path';
  readonly root?: string;
  /** INCLUDE_NULL_VALUES. */
  readonly showsNull: boolean;
  /** False for WITHOUT_ARRAY_WRAPPER. */
  readonly wrapped: boolean;
}

export interface Query {
  readonly with: readonly Cte[];
  readonly body: QueryBody;
  readonly orderBy: readonly OrderItem[];
  readonly offset?: Expression;
  readonly fetch?: Expression;
  /** OPTION (MAXRECURSION n); 0 for no limit. */
  readonly maxRecursion?: number;
  /** FOR BROWSE. */
  readonly isBrowsed?: boolean;
  /** What the rows become. */
  readonly as?: ForXml | ForJson;
  /** FOR READ ONLY, or FOR UPDATE [OF columns]: all of them if none is named. */
  readonly purpose?: 'read only' | { readonly update: readonly string[] };
  /** True if a cursor rereads the rows; not part of the syntax. */
  readonly isPositioned?: boolean;
  /** True if a statement changes tables through this query; not part of the syntax. */
  readonly carriesRows?: boolean;
  /** True for the query of a whole statement; not part of the syntax. */
  readonly isOutermost?: boolean;
}
