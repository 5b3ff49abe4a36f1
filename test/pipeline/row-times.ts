import type { StoredRow } from '../../graph/claim/stored-row.ts';
import { OPEN_END } from '../../schemas/time.ts';

/** When each value is true as known when, however rows are cut. */
export function timesOf(rows: readonly StoredRow[]): string[] {
  const instants = rows.flatMap((row) => [row.valid_from, row.valid_to, row.recorded_from, row.recorded_to]);
  const all = [...new Set(instants)].filter((at) => at < OPEN_END).sort((a, b) => a - b);
  return all.flatMap((valid) =>
    all.map((recorded) => {
      const visible = rows.filter(
        (row) =>
          row.valid_from <= valid &&
          valid < row.valid_to &&
          row.recorded_from <= recorded &&
          recorded < row.recorded_to,
      );
      return `${valid} ${recorded} ${visible
        .map(({ fact_id }) => fact_id)
        .sort()
        .join()}`;
    }),
  );
}
