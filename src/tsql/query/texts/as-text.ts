import { sqlError } from '../../../base/messages/sql-error.ts';
import { inTurns } from '../../../base/threads/steps.ts';
import type { ForJson, ForXml, Query } from '../../../syntax/ast/query.ts';
import { ntext, nvarchar, xml } from '../../../tds/types/index.ts';
import { eachOf, inBatches } from '../batches.ts';
import type { Plan, PlanColumn } from '../plan.ts';
import { hold, type Run, sizeOf } from '../run.ts';
import { jsonWriter } from './for-json.ts';
import { xmlWriter } from './for-xml.ts';

/** The column name by which clients recognise such texts. */
const columnNames = {
  forXml: 'XML_F52E2B61-18A1-11d1-B105-00805F49916B',
  forJson: 'JSON_F52E2B61-18A1-11d1-B105-00805F49916B',
};

/** How many characters SQL Server sends per row. */
const pieceLength = 2033;

const writerOf = (wish: ForXml | ForJson, columns: readonly PlanColumn[]) =>
  wish.kind === 'forXml' ? xmlWriter(wish, columns) : jsonWriter(wish, columns);

/** FOR XML and FOR JSON: the rows of a query as one text, or no row if there are none. */
export function asText(plan: Plan, wish: ForXml | ForJson, run: Run): Plan {
  writerOf(wish, plan.columns); // refused before anything runs
  const column: PlanColumn = {
    name: '',
    type: wish.kind === 'forXml' && wish.typed ? xml : nvarchar('max'),
    nullable: true,
    ...(wish.kind === 'forJson' && wish.wrapped ? { isJson: true } : {}),
  };
  return {
    columns: [column],
    correlated: plan.correlated,
    async *rows(env) {
      using held = hold(run);
      const writer = writerOf(wish, plan.columns);
      const take = (row: readonly unknown[]): void => {
        held.grow(sizeOf(row));
        writer.take(row);
      };
      await eachOf(plan.rows(env), take, run.turn);
      const text = await inTurns(writer.result(), run.turn);
      if (text !== undefined) yield [[text]];
    },
  };
}

/** 6819 or 13602 where rows are required. */
export function refuseText({ as: wish }: Query, statement: string): void {
  if (wish !== undefined) throw sqlError(wish.kind === 'forXml' ? 6819 : 13602, statement);
}

/** Such a text as sent to a client: in pieces, one per row, under the name that it expects. */
export function inPieces(plan: Plan, wish: ForXml | ForJson): Plan {
  if (wish.kind === 'forXml' && wish.typed) return plan;
  return {
    columns: [{ name: columnNames[wish.kind], type: ntext, nullable: true }],
    correlated: plan.correlated,
    async *rows(env) {
      for await (const batch of plan.rows(env)) {
        for (const row of batch) {
          const text = String(row[0]);
          const count = Math.ceil(text.length / pieceLength);
          const pieces = Array.from({ length: count }, (_, at) => [
            text.slice(at * pieceLength, (at + 1) * pieceLength),
          ]);
          yield* inBatches(pieces);
        }
      }
    },
  };
}
