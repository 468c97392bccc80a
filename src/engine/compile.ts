import type { Bindable, StoredValue } from '../base/stored.ts';
import { type BoundKind, kindOf, toStored, wholeOrStored } from './bind.ts';
import { EngineFault } from './fault.ts';
import { type EachEngine, type Fragment, Hole, type Piece, type Sql } from './sql.ts';

/** The SQL dialect of an engine, where the two differ. */
export interface Dialect {
  readonly engine: keyof EachEngine;
  /** True where NULL must stand in the text and a value's kind is part of the text. */
  readonly typed: boolean;
  /** The text of the value at a place, counted from 1. */
  placeholder(place: number, kind: BoundKind): string;
  /** The text of a fragment whose first parameter is at a place. */
  fragment(fragment: Fragment, place: number): string;
  /** The parameters of a fragment: as many as its text names. */
  fragmentValues(fragment: Fragment): readonly Parameter[];
}

/** What a driver is given; an array is a whole column of a fragment. */
export type Parameter = StoredValue | readonly StoredValue[];

/** A statement ready for a driver. */
export interface Compiled {
  readonly text: string;
  readonly parameters: readonly Parameter[];
}

/**
 * What the text of a call site depends on, one step a piece: the texts of pieces that follow others the same way are
 * shared.
 */
class Step {
  text: string | undefined;
  /** Where a value follows, of whatever kind. */
  #bound: Step | undefined;
  #others: Map<readonly string[] | string, Step> | undefined;

  get bound(): Step {
    this.#bound ??= new Step();
    return this.#bound;
  }

  /** Where a piece follows that is known by its `strings`, or something that is known by a text. */
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

/** Texts that are kept of one call site. */
const mostTexts = 100;

/**
 * Flattens statements into text and parameters for one dialect. The text of a call site is generated once: the key is the
 * identity of its `strings` and, where pieces are nested or the text depends on kinds, of those, in their order.
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
      // A call site that nests ever new pieces must not cache every text it ever had.
      if (++site.texts >= mostTexts) this.#sites.delete(statement.strings);
    }
    return { text: last.text, parameters };
  }

  /** Adds the parameters in order and returns the step that the pieces lead to. */
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
    if (piece instanceof Hole) throw new EngineFault('A statement with a hole was run.');
    return 'strings' in piece ? piece : piece[this.#dialect.engine];
  }
}

function isBindable(value: Piece): value is Bindable {
  return typeof value !== 'object' || value === null || value instanceof Uint8Array || value instanceof Date;
}

function isFragment(value: Exclude<Piece, Bindable>): value is Fragment {
  return 'fragment' in value;
}

/** A column of a fragment, each value of the kind that the column was said to have. */
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
