import { convert } from '../../tds/convert/convert.ts';
import { decimal, varchar } from '../../tds/types/index.ts';
import type { Case, Cast, Condition, Expression, FunctionCall, Literal } from '../ast/expression.ts';
import { stripped } from './default-value.ts';
import { isCondition } from './expression.ts';

/** A longer text stays as it was written, also if only the catalog's would be so long: lists are written out there. */
const longest = 8000;

/** What stays a word of its own as the first argument of these. */
const takePart: ReadonlySet<string> = new Set(
  'DATEADD DATEDIFF DATEDIFF_BIG DATENAME DATEPART DATETRUNC DATE_BUCKET'.split(' '),
);

const products: ReadonlySet<string> = new Set(['*', '/', '%']);

/** `([a]>=(1) AND [a]<=(5))`: CHECK as the catalog of SQL Server writes it, with IN and BETWEEN as comparisons. */
export function checkText(condition: Condition, written: string): string {
  const text = written.length > longest ? undefined : new Writer().whole(condition);
  return `(${text ?? (written.length > longest ? written : stripped(written))})`;
}

/** Writes one condition; a query in it, or a variable, has no such text. */
class Writer {
  #isWritable = true;

  whole(condition: Condition): string | undefined {
    const text = this.#condition(condition);
    return this.#isWritable ? text : undefined;
  }

  #unwritable(): string {
    this.#isWritable = false;
    return '';
  }

  /** Nothing grows beyond the limit on its way up. */
  #bounded(text: string): string {
    return text.length > longest ? this.#unwritable() : text;
  }

  #condition(condition: Condition): string {
    switch (condition.kind) {
      case 'comparison':
        return this.#bounded(`${this.#value(condition.left)}${condition.operator}${this.#value(condition.right)}`);
      case 'and':
        return this.#bounded(`${this.#part(condition.left)} AND ${this.#part(condition.right)}`);
      case 'or':
        return this.#bounded(`${this.#condition(condition.left)} OR ${this.#condition(condition.right)}`);
      case 'not':
        return this.#negated(condition.operand);
      case 'isNull':
        return `${this.#value(condition.operand)} IS NULL`;
      case 'in':
        return this.#oneOf(this.#value(condition.operand), condition.list);
      case 'between': {
        const operand = this.#value(condition.operand);
        return this.#bounded(
          `${operand}>=${this.#value(condition.low)} AND ${operand}<=${this.#value(condition.high)}`,
        );
      }
      case 'like': {
        const { operand, pattern, escape: by } = condition;
        const behind = by === undefined ? '' : ` escape ${this.#value(by)}`;
        return this.#bounded(`${this.#value(operand)} like ${this.#value(pattern)}${behind}`);
      }
      default:
        return this.#unwritable();
    }
  }

  #negated(operand: Condition): string {
    if (operand.kind === 'isNull') return `${this.#value(operand.operand)} IS NOT NULL`;
    const isOne = operand.kind === 'comparison' || operand.kind === 'like' || operand.kind === 'not';
    return isOne ? `NOT ${this.#condition(operand)}` : `NOT (${this.#condition(operand)})`;
  }

  /** A side of AND, in parentheses if OR is in it. */
  #part(condition: Condition): string {
    const text = this.#condition(condition);
    return condition.kind === 'or' || (condition.kind === 'in' && condition.list.length > 1) ? `(${text})` : text;
  }

  /** The values of a list, the last one first. */
  #oneOf(operand: string, list: readonly Expression[]): string {
    if (operand.length * list.length > longest) return this.#unwritable();
    return this.#bounded(
      list
        .toReversed()
        .map((each) => `${operand}=${this.#value(each)}`)
        .join(' OR '),
    );
  }

  #value(expression: Expression): string {
    switch (expression.kind) {
      case 'literal':
        return constant(expression);
      case 'column':
        return bracketed(expression.parts.at(-1) ?? '');
      case 'unary':
        if (expression.operand.kind === 'literal' && isNumber(expression.operand))
          return `(${expression.operator}${digits(expression.operand)})`;
        return this.#bounded(`${expression.operator}${this.#operand(expression.operand, true)}`);
      case 'binary': {
        const { operator, left, right } = expression;
        const isProduct = products.has(operator);
        return this.#bounded(`${this.#operand(left, isProduct)}${operator}${this.#operand(right, isProduct, true)}`);
      }
      case 'call':
        return this.#call(expression);
      case 'cast':
        return this.#cast(expression);
      case 'case':
        return this.#case(expression);
      case 'collate':
        return `${this.#value(expression.operand)} collate ${expression.collation}`;
      default:
        return this.#unwritable();
    }
  }

  /** What an operator takes: in parentheses if it would not be computed first otherwise. */
  #operand(expression: Expression, ofProduct: boolean, isRight = false): string {
    const text = this.#value(expression);
    if (expression.kind !== 'binary') return text;
    const isProduct = products.has(expression.operator);
    return (ofProduct && !isProduct) || (isRight && isProduct === ofProduct) ? `(${text})` : text;
  }

  #call({ name, args, over, star }: FunctionCall): string {
    if (over !== undefined || star) return this.#unwritable();
    const shown = args.map((each, at) =>
      at === 0 && each.kind === 'column' && takePart.has(name) ? each.parts.join('.') : this.#value(each),
    );
    return this.#bounded(`${name === 'CURRENT_TIMESTAMP' ? 'getdate' : name.toLowerCase()}(${shown.join(',')})`);
  }

  #cast({ operand, type, style, attempt }: Cast): string {
    const to = type.declaration.replace(/^\w+/, '[$&]');
    const how = style === undefined ? '' : `,${this.#value(style)}`;
    return this.#bounded(`${attempt ? 'TRY_CONVERT' : 'CONVERT'}(${to},${this.#value(operand)}${how})`);
  }

  #case({ input, branches, otherwise }: Case): string {
    const parts = branches.map(({ when, result }) => {
      const met = isCondition(when) ? this.#condition(when) : this.#value(when);
      return ` when ${met} then ${this.#value(result)}`;
    });
    const first = input === undefined ? '' : ` ${this.#value(input)}`;
    const last = otherwise === undefined ? '' : ` else ${this.#value(otherwise)}`;
    return this.#bounded(`case${first}${parts.join('')}${last} end`);
  }
}

const bracketed = (name: string): string => `[${name.replaceAll(']', ']]')}]`;

const isNumber = ({ value, bare }: Literal): boolean =>
  !bare && value !== null && typeof value !== 'string' && !(value instanceof Uint8Array);

const constant = (literal: Literal): string => (isNumber(literal) ? `(${digits(literal)})` : quoted(literal));

function quoted({ type, value }: Literal): string {
  if (value === null) return 'NULL';
  if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString('hex').toUpperCase()}`;
  return `${type.name.startsWith('n') ? 'N' : ''}'${String(value).replaceAll("'", "''")}'`;
}

/** A whole number that is no int ends in a point, a float has all its digits. */
function digits({ type, value }: Literal): string {
  if (type.name === 'float')
    return Number(value)
      .toExponential(15)
      .replace(/e([+-])(\d+)$/, (_, sign: string, power: string) => `e${sign}${power.padStart(3, '0')}`);
  if (type.name === 'money') return `$${convert(convert(value, type, decimal(19, 4)), decimal(19, 4), varchar(40))}`;
  const text = String(convert(value, type, varchar(100)));
  return (type.name === 'decimal' || type.name === 'numeric') && !text.includes('.') ? `${text}.` : text;
}
