import { html, type View } from '../html.ts';

/** A column of a table: its title, and what it shows of a row. */
interface TableColumn<R> {
  readonly title: string;
  readonly align?: 'number';
  /** True for words of machines: names, addresses, identifiers. */
  readonly code?: boolean;
  show(row: R): View;
}

interface TableProps<R> {
  readonly caption: string;
  readonly columns: readonly TableColumn<R>[];
  readonly rows: readonly R[];
  keyOf(row: R): string | number;
  readonly rowClass?: (row: R) => string | undefined;
}

/**
 * Rows under titles; wide ones scroll by themselves, by keyboard too, and on a phone each row is a card: the roles stay
 * those of a table.
 */
export const Table = <R>({ caption, columns, rows, keyOf, rowClass }: TableProps<R>): View => html`
  <div class="scroll" role="region" aria-label=${caption} tabindex="0">
    <table class="cards" role="table">
      <caption class="sr">${caption}</caption>
      <thead role="rowgroup"><tr role="row">${columns.map(({ title, align }) => html`<th key=${title} scope="col" role="columnheader" class=${align}>${title}</th>`)}</tr></thead>
      <tbody role="rowgroup">
        ${rows.map(
          (row) => html`<tr key=${keyOf(row)} role="row" class=${rowClass?.(row)}>
            ${columns.map(
              ({ title, align, code, show }) =>
                html`<td key=${title} role="cell" class=${[align, code && 'code'].filter(Boolean).join(' ')} data-title=${title}><div>${show(row)}</div></td>`,
            )}
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
