import type { Bindable, StoredValue } from '../base/stored.ts';
import { type BoundKind, kindOf, toStored, wholeOrStored } from './bind.ts';
import { EngineFault } from './fault.ts';
import { type EachEngine, type Fragment, Hole, type Piece, type Sql } from './sql.ts';

/** The SQL dialect of an engine, where the two differ. */
export interface Dialect {
  readonly engine: keyof EachEngine;
  /** True if NULL has to be written into the text and the text depends on the kind of each value. */
  readonly typed: boolean;
  /** The placeholder for a value; positions count from 1. */
  placeholder(place: number, kind: BoundKind): string;
  /** The text of a fragment whose first parameter has this position. */
  fragment(fragment: Fragment, place: number): string;
  /** The parameters of a fragment, as many as its text has placeholders. */
  fragmentValues(fragment: Fragment): readonly Parameter[];
}

/** What is passed to the driver; an array is a whole column of a fragment. */
export type Parameter = StoredValue | readonly StoredValue[];

/** A statement ready for a driver. */
export interface Compiled {
  readonly text: string;
  readonly parameters: readonly Parameter[];
}

/**
 * A node of the tree of texts of one call site: each piece leads to the next node, so call sites whose pieces are of
 * the same form share one text.
 */
class Step {
  text: string | undefined;
  /** The next node if a value is bound here, whatever its kind. */
  #bound: Step | undefined;
  #others: Map<readonly string[] | string, Step> | undefined;

  get bound(): Step {
    this.#bound ??= new Step();
    return this.#bound;
  }

  /** The next node if the piece here is identified by its `strings`, or by a text. */
  to(key: readonly string[] | string): Step {
    this.#others ??= new Map();
    let step = this.#others.get(key);
    if (step === undefined) {
      step = new Step();
      this.#others.set(key, step);
    }
    return step;
  }
}

/** The maximum number of texts cached per call site. */
const mostTexts = 100;

/**
 * Flattens statements into text and parameters for one dialect. The text of a call site is generated once: the cache
 * key is the identity of its `strings` and, where pieces are nested or the text depends on the kinds of values, of
 * theirs as well, in order.
 */
export class Compiler {
  readonly #dialect: Dialect;
  readonly #sites = new WeakMap<readonly string[], { readonly first: Step; texts: number }>();

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  compile(statement: Sql): Compiled {
    const parameters: Parameter[] = [];
    let site = this.#sites.get(statement.strings);
    if (site === undefined) {
      site = { first: new Step(), texts: 0 };
      this.#sites.set(statement.strings, site);
    }
    const last = this.#gather(statement, parameters, site.first);
    if (last.text === undefined) {
      last.text = this.#write(statement, { place: 1 });
      // A call site that nests ever new pieces must not fill the cache with every text it has had.
      if (++site.texts >= mostTexts) this.#sites.delete(statement.strings);
    }
    return { text: last.text, parameters };
  }

  /** Appends the parameters in order and returns the node that the pieces lead to. */
  #gather({ values }: Sql, parameters: Parameter[], from: Step): Step {
    let step = from;
    for (let at = 0; at < values.length; at++) {
      const value = values[at] as Piece; // at is below the length
      if (isBindable(value)) {
        const kind = this.#dialect.typed ? kindOf(value) : undefined;
        step = kind === undefined ? step.bound : step.to(kind);
        if (kind !== 'null') parameters.push(toStored(value));
      } else if (isFragment(value)) {
        step = step.to(`[${value.fragment} ${JSON.stringify(value.columns)}]`);
        parameters.push(...this.#dialect.fragmentValues(value));
      } else {
        const piece = this.#own(value);
        step = this.#gather(piece, parameters, step.to(piece.strings));
      }
    }
    return step;
  }

  #write(statement: Sql, next: { place: number }): string {
    let text = statement.strings[0] ?? '';
    statement.values.forEach((value, index) => {
      if (isBindable(value)) {
        const kind = kindOf(value);
        text += this.#dialect.placeholder(next.place, kind);
        if (!(this.#dialect.typed && kind === 'null')) next.place += 1;
      } else if (isFragment(value)) {
        text += this.#dialect.fragment(value, next.place);
        next.place += this.#dialect.fragmentValues(value).length;
      } else {
        text += this.#write(this.#own(value), next);
      }
      text += statement.strings[index + 1] ?? '';
    });
    return text;
  }

  #own(piece: Sql | EachEngine | Hole): Sql {
    if (piece instanceof Hole) throw new EngineFault('A statement was run without values for its holes.');
    return 'strings' in piece ? piece : piece[this.#dialect.engine];
  }
}

function isBindable(value: Piece): value is Bindable {
  return typeof value !== 'object' || value === null || value instanceof Uint8Array || value instanceof Date;
}

function isFragment(value: Exclude<Piece, Bindable>): value is Fragment {
  return 'fragment' in value;
}

/** One column of a fragment; each value must be of the kind that the column was declared with. */
export function fragmentColumn(fragment: Fragment, name: string, index: number): StoredValue[] {
  const wanted: BoundKind = fragment.columns[name] === 'text' ? 'text' : 'integer';
  return fragment.rows.map((row) => {
    const value = row[index] ?? null;
    const kind = kindOf(value);
    if (kind !== 'null' && kind !== wanted) {
      throw new EngineFault(`The column ${name} of a ${fragment.fragment} holds ${wanted}s, not a ${kind}.`);
    }
    return wholeOrStored(value);
  });
}
