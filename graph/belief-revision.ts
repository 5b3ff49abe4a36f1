import type { StoredOpinion } from '../src/derive/belief-item.ts';
import { Columns, TextRow } from './columns.ts';

/** What of a row of a belief no statement looks for. */
type Told = Pick<StoredOpinion, 'lower' | 'upper' | 'holds_to' | 'evidence' | 'caused_by'>;

/** That as text. */
export const REVISION_TOLD = new TextRow<Told>({
  lower: true,
  upper: true,
  holds_to: true,
  evidence: true,
  caused_by: true,
});

/** Properties of a row as it is stored. */
export const REVISION_PROPS = new Columns([
  'belief_id',
  'claim',
  'valid_from',
  'valid_to',
  'recorded_from',
  'recorded_to',
  'stance',
  'confidence',
  'holds_from',
  'revised_at',
  'revision',
  'told',
]);

/** A row as it is read. */
export type StoredRevision = readonly [
  told: string,
  valid_from: number,
  valid_to: number,
  recorded_from: number,
  recorded_to: number,
  stance: StoredOpinion['stance'],
  confidence: number,
  holds_from: number,
  revised_at: number,
  revision: number,
];

/** What is read of a row `x`. */
export const REVISION = `[x.told, x.valid_from, x.valid_to, x.recorded_from, x.recorded_to, x.stance, x.confidence, x.holds_from, x.revised_at,
     x.revision]`;

/** A row as it was read. */
export function revisionOf([
  told,
  valid_from,
  valid_to,
  recorded_from,
  recorded_to,
  stance,
  confidence,
  holds_from,
  revised_at,
  revision,
]: StoredRevision): StoredOpinion {
  return {
    ...REVISION_TOLD.row(told),
    valid_from,
    valid_to,
    recorded_from,
    recorded_to,
    stance,
    confidence,
    holds_from,
    revised_at,
    revision,
  };
}
