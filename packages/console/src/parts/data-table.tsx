import type { ReactNode } from "react";
import { classes } from "./classes.ts";
import css from "./table.module.css";

export interface Column<Row> {
  readonly name: string;
  /** In a table that is drawn as a table; the rest is shared by the columns without a width. */
  readonly widthRem?: number;
  /** Where the cell stands if the table is drawn as a list. */
  readonly at: "status" | "main" | "left" | "right" | "when" | "dropped";
  readonly isNumber?: boolean;
  readonly cell: (row: Row) => ReactNode;
}

interface DataTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly selected?: string | undefined;
}

const PLACES = {
  status: "atStatus",
  main: "atMain",
  left: "atLeft",
  right: "atRight",
  when: "atWhen",
  dropped: "dropped",
} as const;

/** A table. The roles keep it a table where it is drawn as a list of three-line rows. */
export function DataTable<Row>({ label, columns, rows, keyOf, selected }: DataTableProps<Row>) {
  return (
    <div className={css["sheet"]}>
      <table className={css["table"]} role="table" aria-label={label}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ name, widthRem, isNumber }) => (
              <th
                key={name}
                role="columnheader"
                scope="col"
                className={isNumber === true ? css["number"] : undefined}
                style={widthRem === undefined ? undefined : { width: `${widthRem}rem` }}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => {
            const key = keyOf(row);
            return (
              <tr key={key} role="row" aria-selected={key === selected} data-id={key}>
                {columns.map(({ name, at, isNumber, cell }) => (
                  <td
                    key={name}
                    role="cell"
                    className={classes(css[PLACES[at]], isNumber === true && css["number"])}
                    data-name={
                      isNumber === true && name !== "Actions" && (at === "left" || at === "right") ? name : undefined
                    }
                  >
                    {cell(row)}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
