import type { Bindable, StoredValue } from '../base/stored.ts';
import { type BoundKind, kindOf, toStored } from './bind.ts';
import { EngineFault } from './fault.ts';
import { type EachEngine, type Fragment, Hole, type Piece, type Sql } from './sql.ts';

/** How an engine writes what the two write differently. */
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
 * Flattens statements into text and parameters for one dialect. The text of a call site is made once: the key is the
 * identity of its `strings`, and, where pieces are nested or the text depends on kinds, a signature of those.
 */
export class Compiler {
  readonly #dialect: Dialect;
  readonly #plain = new WeakMap<readonly string[], string>();
  readonly #signed = new WeakMap<readonly string[], Map<string, string>>();
  readonly #ids = new WeakMap<readonly string[], number>();
  #lastId = 0;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  compile(statement: Sql): Compiled {
    const parameters: Parameter[] = [];
    if (!this.#dialect.typed && statement.values.every(isBindable)) {
      for (const value of statement.values) if (isBindable(value)) parameters.push(toStored(value));
      return { text: this.#plainText(statement), parameters };
    }
    const signature = this.#gather(statement, parameters);
    let texts = this.#signed.get(statement.strings);
    if (texts === undefined) {
      texts = new Map();
      this.#signed.set(statement.strings, texts);
    }
    let text = texts.get(signature);
    if (text === undefined) {
      text = this.#write(statement, { place: 1 });
      // A call site that nests ever new pieces must not keep every text it ever had.
      if (texts.size >= 100) texts.clear();
      texts.set(signature, text);
    }
    return { text, parameters };
  }

  #plainText(statement: Sql): string {
    let text = this.#plain.get(statement.strings);
    if (text === undefined) {
      text = this.#write(statement, { place: 1 });
      this.#plain.set(statement.strings, text);
    }
    return text;
  }

  /** Adds the parameters in order and returns what the text depends on. */
  #gather(statement: Sql, parameters: Parameter[]): string {
    let signature = '';
    for (const value of statement.values) {
      if (isBindable(value)) {
        const kind = kindOf(value);
        if (this.#dialect.typed) {
          signature += kind[0];
          if (kind === 'null') continue;
        } else signature += '?';
        parameters.push(toStored(value));
      } else if (isFragment(value)) {
        signature += `[${value.fragment} ${JSON.stringify(value.columns)}]`;
        parameters.push(...this.#dialect.fragmentValues(value));
      } else {
        const piece = this.#own(value);
        signature += `(${this.#idOf(piece.strings)} ${this.#gather(piece, parameters)})`;
      }
    }
    return signature;
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

  #idOf(strings: readonly string[]): number {
    let id = this.#ids.get(strings);
    if (id === undefined) {
      id = ++this.#lastId;
      this.#ids.set(strings, id);
    }
    return id;
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
    return toStored(value);
  });
}
