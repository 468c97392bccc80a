import { sqlError } from '../base/messages/sql-error.ts';

/** One condition on a step: its place among what the step finds in one parent, or the value of an attribute. */
type Predicate = { readonly place: number } | { readonly attribute: string; readonly value: string };

/** One step of a path; `anywhere` below, or a child. */
export interface PathStep {
  readonly kind: 'element' | 'attribute' | 'text';
  /** Undefined for `*`. */
  readonly name: string | undefined;
  readonly anywhere: boolean;
  readonly predicates: readonly Predicate[];
}

/** A path of XQuery, as far as it is supported here. */
export interface XmlPath {
  /** None for the document itself. */
  readonly steps: readonly PathStep[];
  /** Which of all that it finds is meant: `(path)[2]`. */
  readonly place: number | undefined;
  /** Whether it finds one thing at most, as its form has it. */
  readonly isSingle: boolean;
}

/** Reads a path out of `(/a/b[@c="d"]//@e)[1]`; 9335 for what XQuery has beyond that, 2229 for a prefix. */
export function readXmlPath(text: string, method: string): XmlPath {
  const reader = new PathReader(text, method);
  return reader.path();
}

const tokens = /\s*(?:(\/\/|[/()[\]@.*=])|(\d+)|"([^"]*)"|'([^']*)'|([\p{L}_][\p{L}\p{N}_.:-]*))/uy;

class PathReader {
  readonly #text: string;
  readonly #method: string;
  readonly #tokens: string[] = [];
  #at = 0;

  constructor(text: string, method: string) {
    this.#text = text;
    this.#method = method;
    tokens.lastIndex = 0;
    const end = text.trimEnd().length;
    while (tokens.lastIndex < end) {
      const [, mark, number, double, single, name] = tokens.exec(text) ?? [];
      const quoted = double ?? single;
      const token = quoted === undefined ? (mark ?? number ?? name) : `"${quoted}`;
      if (token === undefined) throw this.#unknown();
      this.#tokens.push(token);
    }
  }

  path(): XmlPath {
    const isGrouped = this.#accept('(');
    const steps = this.#steps();
    if (isGrouped) this.#expect(')');
    const place = isGrouped && this.#accept('[') ? this.#place() : undefined;
    if (this.#at < this.#tokens.length) throw this.#unknown();
    const isSingle =
      place !== undefined ||
      steps.every(({ kind, anywhere, predicates }) => !anywhere && (kind === 'attribute' || predicates.some(isPlace)));
    return { steps, place, isSingle };
  }

  #steps(): PathStep[] {
    const steps: PathStep[] = [];
    const isHere = this.#accept('.');
    let mark = this.#mark();
    if (mark === undefined && !isHere) steps.push(this.#step(false));
    while (true) {
      mark ??= this.#mark();
      if (mark === undefined) return steps;
      const isEnd = this.#at === this.#tokens.length || this.#peek() === ')';
      if (isEnd && mark === '/' && steps.length === 0) return steps;
      steps.push(this.#step(mark === '//'));
      mark = undefined;
    }
  }

  #mark(): '/' | '//' | undefined {
    if (this.#accept('//')) return '//';
    return this.#accept('/') ? '/' : undefined;
  }

  #step(anywhere: boolean): PathStep {
    if (this.#accept('@')) return { kind: 'attribute', name: this.#name(), anywhere, predicates: [] };
    if (this.#peek() === 'text' && this.#peek(1) === '(') {
      this.#at++;
      this.#expect('(');
      this.#expect(')');
      return { kind: 'text', name: undefined, anywhere, predicates: this.#predicates() };
    }
    return { kind: 'element', name: this.#name(), anywhere, predicates: this.#predicates() };
  }

  #predicates(): Predicate[] {
    const predicates: Predicate[] = [];
    while (this.#accept('[')) {
      if (!this.#accept('@')) predicates.push({ place: this.#place() });
      else {
        const attribute = this.#name();
        this.#expect('=');
        const value = this.#tokens[this.#at++];
        if (attribute === undefined || !value?.startsWith('"')) throw this.#unknown();
        this.#expect(']');
        predicates.push({ attribute, value: value.slice(1) });
      }
    }
    return predicates;
  }

  /** The number of a place, and its bracket. */
  #place(): number {
    const number = this.#tokens[this.#at++] ?? '';
    if (!/^\d+$/.test(number)) throw this.#unknown();
    this.#expect(']');
    return Number(number);
  }

  /** A name; undefined for any. */
  #name(): string | undefined {
    if (this.#accept('*')) return undefined;
    const name = this.#tokens[this.#at++] ?? '';
    if (!/^[\p{L}_]/u.test(name)) throw this.#unknown();
    const [prefix, local] = name.split(':');
    if (local !== undefined) throw sqlError(2229, this.#method, prefix ?? '');
    return name;
  }

  #peek(ahead = 0): string | undefined {
    return this.#tokens[this.#at + ahead];
  }

  #accept(token: string): boolean {
    if (this.#peek() !== token) return false;
    this.#at++;
    return true;
  }

  #expect(token: string): void {
    if (!this.#accept(token)) throw this.#unknown();
  }

  #unknown() {
    return sqlError(9335, this.#method, this.#text);
  }
}

const isPlace = (predicate: Predicate): boolean => 'place' in predicate;
