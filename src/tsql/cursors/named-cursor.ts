import type { Query } from '../../syntax/ast/query.ts';
import { Cursor, type CursorTraits } from './cursor.ts';

/** A cursor that DECLARE CURSOR made. */
export class NamedCursor extends Cursor {
  readonly name: string;
  /** Its query, with the values that variables had when it was declared. */
  readonly query: Query;

  constructor(name: string, query: Query, traits: CursorTraits) {
    super(traits);
    this.name = name;
    this.query = query;
  }
}
