import type { ComponentChildren } from 'preact';

/** A column of a table. */
export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Numbers stand at the right, one below the other. */
  readonly isNumber?: boolean;
}

/** A table that scrolls within itself where it is wider than the page. The first column names the row. */
export function Table<Row>({
  caption,
  columns,
  rows,
  keyOf,
}: {
  /** Read to who does not see the heading above. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}) {
  return (
    <div class="table-frame" tabIndex={0} role="region" aria-label={caption}>
      <table class="table">
        <caption class="sr-only">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, isNumber }) => (
              <th scope="col" key={title} class={isNumber === true ? 'number' : ''}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>{columns.map((column, i) => cellOf(row, column, i === 0))}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function cellOf<Row>(row: Row, { title, cell, isNumber }: Column<Row>, isName: boolean) {
  return isName ? (
    <th scope="row" key={title}>
      {cell(row)}
    </th>
  ) : (
    <td key={title} class={isNumber === true ? 'number' : ''}>
      {cell(row)}
    </td>
  );
}
