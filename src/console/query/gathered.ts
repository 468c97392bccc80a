import type { Token } from '../../tds/token/token-parser.ts';
import type { TypeName } from '../../tds/types/sql-type.ts';
import type { QueryAnswer, QueryError } from '../api/query.ts';
import { valueText } from '../value-text.ts';

/** Characters of a value that are shown. */
const longestValue = 4000;

/** Rows beyond the shown ones that are still read, to reach the result sets after them. */
const readOn = 10;

/** Bytes, about, that an answer may have. */
const mostText = 16 * 1024 * 1024;

/**
 * What a value, a row, a column and a message take besides their texts: NULLs and columns without names take room too.
 */
const costs = { value: 16, row: 32, column: 100, message: 100 };

/** Result sets and messages, errors among them, that are kept: a loop can bring them without end. */
const mostSets = 1000;
const mostMessages = 1000;

const numbers: ReadonlySet<TypeName> = new Set([
  ...(['bigint', 'int', 'smallint', 'tinyint', 'decimal', 'numeric', 'money', 'smallmoney', 'float', 'real'] as const),
]);

/** Bit of a DONE that has a count. */
const hasCount = 0x10;

type Said = Extract<Token, { token: 'info' | 'error' }>;

const messageOf = ({ number, text }: Said) => ({ number, text });

const failureOf = ({ number, text, severity, line, procedure }: Said): QueryError => ({
  message: text,
  number,
  severity,
  line,
  procedure,
});

interface GatheredSet {
  readonly columns: { readonly name: string; readonly type: string; readonly isNumber: boolean }[];
  readonly rows: (string | null)[][];
  isCut: boolean;
}

/** The results of a query, as text, within limits; beyond them the query is stopped. */
export class Gathered {
  readonly #limit: number;
  readonly #stop: () => void;
  readonly #room: (bytes: number) => boolean;
  readonly #sets: GatheredSet[] = [];
  readonly #messages: { number: number; text: string }[] = [];
  readonly #errors: QueryError[] = [];
  #types: Parameters<typeof valueText>[1][] = [];
  #count = 0;
  #beyond = 0;
  #length = 0;
  #isSilent = false;
  #isPastSets = false;

  /** `room` says whether there is memory for this many more bytes: other queries use it too. */
  constructor(limit: number, stop: () => void, room: (bytes: number) => boolean = () => true) {
    this.#limit = limit;
    this.#stop = stop;
    this.#room = room;
  }

  take(token: Token): void {
    if (token.token === 'columns') this.#open(token.columns);
    else if (token.token === 'row') this.#row(token.values);
    else if (token.token === 'info') this.#say(token.text, () => this.#messages.push(messageOf(token)));
    else if (token.token === 'error') this.#say(token.text, () => this.#errors.push(failureOf(token)));
    else if ((token.token === 'done' || token.token === 'doneInProc') && (token.status & hasCount) !== 0) {
      this.#count += token.count;
    }
  }

  get answer(): Pick<QueryAnswer, 'sets' | 'messages' | 'count'> {
    return { sets: this.#sets, messages: this.#messages, count: this.#count };
  }

  /** The errors in order. */
  get errors(): readonly QueryError[] {
    return this.#errors;
  }

  /** Keeps a message or an error if there is room for it. */
  #say(text: string, keep: () => void): void {
    const isRoom = this.#messages.length + this.#errors.length < mostMessages;
    if (isRoom && this.#takes(costs.message + text.length)) {
      keep();
      return;
    }
    this.#tellOfMore();
    this.#passOver(mostMessages);
  }

  /** True if there is room for something more, which is then reserved. */
  #takes(bytes: number): boolean {
    if (this.#length + bytes > mostText || !this.#room(bytes)) return false;
    this.#length += bytes;
    return true;
  }

  #tellOfMore(): void {
    if (!this.#isSilent) this.#messages.push({ number: 0, text: '… and more that is not shown.' });
    this.#isSilent = true;
  }

  /** Notes that something is not shown; where very much is not, the query stops. */
  #passOver(limit: number): void {
    this.#beyond++;
    if (this.#beyond > limit * readOn) this.#stop();
  }

  #open(columns: (Token & { token: 'columns' })['columns']): void {
    this.#types = columns.map(({ type }) => type);
    const bytes = columns.reduce((sum, { name }) => sum + costs.column + name.length, 0);
    this.#isPastSets = this.#sets.length >= mostSets || !this.#takes(bytes);
    if (this.#isPastSets) {
      this.#tellOfMore();
      this.#passOver(mostSets);
      return;
    }
    const shown = columns.map(({ name, type }) => ({ name, type: type.declaration, isNumber: numbers.has(type.name) }));
    this.#sets.push({ columns: shown, rows: [], isCut: false });
  }

  #row(values: readonly unknown[]): void {
    const set = this.#sets.at(-1);
    if (set === undefined || this.#isPastSets) return;
    if (!set.isCut && set.rows.length < this.#limit) {
      const row = values.map((value, i) => {
        const type = this.#types[i];
        return type === undefined ? null : valueText(value, type, longestValue);
      });
      if (this.#takes(row.reduce((sum, text) => sum + costs.value + (text?.length ?? 0), costs.row))) {
        set.rows.push(row);
        return;
      }
    }
    set.isCut = true;
    this.#passOver(this.#limit);
  }
}
