import type { AnyType, TypedValue } from '../../tds/types/sql-type.ts';
import type { ArithmeticOperator } from '../../values/arithmetic.ts';
import type { OrderItem, Query } from './query.ts';

export type ComparisonOperator = '=' | '<>' | '<' | '<=' | '>' | '>=';

/** A constant; `bare` marks the untyped NULL. */
export interface Literal extends TypedValue {
  readonly kind: 'literal';
  readonly bare?: true;
}
interface VariableRef {
  readonly kind: 'variable';
  /** With its @. */
  readonly name: string;
}
/** @@VERSION and the like. */
export interface GlobalRef {
  readonly kind: 'global';
  readonly name: string;
}
interface ColumnRef {
  readonly kind: 'column';
  /** The parts of the name, the column last. */
  readonly parts: readonly string[];
}
export interface Unary {
  readonly kind: 'unary';
  readonly operator: '-' | '+' | '~';
  readonly operand: Expression;
}
interface Binary {
  readonly kind: 'binary';
  readonly operator: ArithmeticOperator;
  readonly left: Expression;
  readonly right: Expression;
}
export interface FunctionCall {
  readonly kind: 'call';
  /** In upper case, without a schema. */
  readonly name: string;
  readonly args: readonly Expression[];
  readonly distinct: boolean;
  /** COUNT(*). */
  readonly star: boolean;
  /** WITHIN GROUP: the order of STRING_AGG. */
  readonly within?: readonly OrderItem[];
  readonly over?: Over;
}
interface Over {
  readonly partitionBy: readonly Expression[];
  readonly orderBy: readonly OrderItem[];
  readonly frame?: WindowFrame;
}
/** ROWS or RANGE BETWEEN: how far from the current row, or its peers, the rows are that a function sees; infinite for UNBOUNDED. */
export interface WindowFrame {
  readonly unit: 'rows' | 'range';
  readonly from: number;
  readonly to: number;
}
export interface Cast {
  readonly kind: 'cast';
  readonly operand: Expression;
  readonly type: AnyType;
  readonly style?: Expression;
  /** TRY_CAST and TRY_CONVERT answer NULL instead of failing. */
  readonly attempt: boolean;
}
export interface Case {
  readonly kind: 'case';
  readonly input?: Expression;
  readonly branches: readonly { readonly when: Expression | Condition; readonly result: Expression }[];
  readonly otherwise?: Expression;
}
interface Subquery {
  readonly kind: 'subquery';
  readonly query: Query;
}
/** An expression COLLATE name. */
interface Collate {
  readonly kind: 'collate';
  readonly operand: Expression;
  readonly collation: string;
}
/** What yields a value. */
export type Expression =
  | Literal
  | VariableRef
  | GlobalRef
  | ColumnRef
  | Unary
  | Binary
  | FunctionCall
  | Cast
  | Case
  | Subquery
  | Collate;

/** What yields true, false or unknown: T-SQL keeps conditions apart from values. */
export type Condition =
  | {
      readonly kind: 'comparison';
      readonly operator: ComparisonOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly kind: 'quantified';
      readonly operator: ComparisonOperator;
      readonly all: boolean;
      readonly left: Expression;
      readonly query: Query;
    }
  | { readonly kind: 'and' | 'or'; readonly left: Condition; readonly right: Condition }
  | { readonly kind: 'not'; readonly operand: Condition }
  | { readonly kind: 'isNull'; readonly operand: Expression }
  | { readonly kind: 'in'; readonly operand: Expression; readonly list: readonly Expression[] }
  | { readonly kind: 'inQuery'; readonly operand: Expression; readonly query: Query }
  | { readonly kind: 'between'; readonly operand: Expression; readonly low: Expression; readonly high: Expression }
  | { readonly kind: 'like'; readonly operand: Expression; readonly pattern: Expression; readonly escape?: Expression }
  | { readonly kind: 'exists'; readonly query: Query };
