import type { Bindable } from '../../base/stored.ts';
import { filled, flattened, Hole } from '../../engine/sql.ts';
import {
  type EngineFrom,
  type EngineQuery,
  type EngineStatement,
  mostPieces,
  type Output,
  type Predicate,
  type Reference,
  written,
} from './engine-query.ts';

/** The statements of a plan, which has one list of outputs, by what but for values they are made of. */
const statements = new WeakMap<readonly Output[], Map<string, EngineStatement>>();

/** A plan asks for one of a few statements: which conditions the engine tests depends on their values. */
const mostStatements = 16;

/** The statement of a query. A query that a plan runs a second time is kept, and only its values are replaced. */
export function engineSql(query: EngineQuery): EngineStatement {
  const known = statements.get(query.outputs);
  if (known === undefined) {
    statements.set(query.outputs, new Map());
    return written(query);
  }
  const making = new HoleMaker();
  const withHoles = making.query(query);
  if (!making.isPossible) return written(query);
  let kept = known.get(making.key);
  if (kept === undefined) {
    const { shape, query: text } = written(withHoles);
    kept = { shape, query: flattened(text) };
    if (known.size >= mostStatements) known.clear();
    known.set(making.key, kept);
  }
  return { shape: kept.shape, query: filled(kept.query, making.values) };
}

/** Separates the values from a query; the key identifies the rest. */
class HoleMaker {
  key = '';
  readonly values: Bindable[] = [];
  isPossible = true;

  query(query: EngineQuery): EngineQuery {
    const { from, where, outputs, groupBy, orderBy, limit, offset, isFixed } = query;
    const built = {
      from: this.#from(from),
      where: this.#all(where),
      outputs,
      orderBy,
      ...(groupBy === undefined ? {} : { groupBy }),
    };
    this.key += `${groupBy === undefined ? '' : 'g'}${orderBy.length}`;
    if (limit === undefined && offset === undefined) return built;
    if (isFixed) {
      this.key += `limit ${limit} ${offset}`;
      return { ...query, ...built };
    }
    const reach = this.#hole(Number(limit ?? 0) + Number(offset ?? 0));
    return {
      ...built,
      reach,
      ...(limit === undefined ? {} : { limit: this.#hole(Number(limit)) }),
      ...(offset === undefined || offset === 0 ? {} : { offset: this.#hole(Number(offset)) }),
    };
  }

  #hole(value: Bindable | Hole): Hole {
    this.key += '?';
    this.values.push(value instanceof Hole ? null : value);
    return new Hole(this.values.length - 1);
  }

  #from(from: EngineFrom): EngineFrom {
    if (from.kind === 'relation') return from;
    return { ...from, left: this.#from(from.left), right: this.#from(from.right), on: this.#all(from.on) };
  }

  #all(predicates: readonly Predicate[]): Predicate[] {
    this.key += `${predicates.length};`;
    return predicates.map((each) => this.#predicate(each));
  }

  #note({ source, column, form }: Reference): void {
    this.key += `${source}.${column} ${form},`;
  }

  #predicate(predicate: Predicate): Predicate {
    this.key += predicate.kind;
    if ('left' in predicate) this.#note(predicate.left);
    switch (predicate.kind) {
      case 'compare': {
        this.key += predicate.operator;
        const { right } = predicate;
        if ('value' in right) return { ...predicate, right: { value: this.#hole(right.value) } };
        this.#note(right);
        return predicate;
      }
      case 'in':
        if (predicate.values.length > mostPieces) this.isPossible = false;
        return { ...predicate, values: predicate.values.map((value) => this.#hole(value)) };
      case 'isNull':
        return predicate;
      case 'startsWith':
        this.isPossible = false;
        return predicate;
      case 'and':
      case 'or':
        return { ...predicate, parts: this.#all(predicate.parts) };
      case 'not':
        return { ...predicate, part: this.#predicate(predicate.part) };
      case 'exists':
      case 'inQuery':
        return { ...predicate, from: this.#from(predicate.from), where: this.#all(predicate.where) };
    }
  }
}
