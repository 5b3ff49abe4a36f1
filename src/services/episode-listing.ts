import type { EpisodeFilter, EpisodeReader, ReadEpisode } from '../../graph/episode/read.ts';
import { admittedRecords } from './placed-rows.ts';
import type { RecordWalk } from './record-page.ts';
import type { ReadableSelection } from './scope-selection.ts';

/** Walks the episodes of a selection; leaves of each row its place alone when it may not be read. */
export function episodeWalk(
  reader: EpisodeReader,
  selection: ReadableSelection,
  filter: EpisodeFilter,
): RecordWalk<ReadEpisode> {
  return async (position, rows) => {
    const walked = await reader.scan(selection, filter, position, rows);
    const admitted = await admittedRecords(selection, walked, (ids) => reader.byIds(ids, null, filter));
    return walked.map(({ position: at, id, episode }) => ({
      position: at,
      id,
      record: episode ?? admitted.get(id) ?? null,
    }));
  };
}
