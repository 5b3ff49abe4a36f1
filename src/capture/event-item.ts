import { typeOfId } from '../../schemas/actor.ts';
import type { Envelope } from '../../schemas/envelope.ts';
import type { EventItem } from '../../schemas/event.ts';
import { toRfc3339 } from '../../schemas/time.ts';

/** An event as the store gives it. */
export interface StoredEnvelope {
  readonly id: string;
  readonly tenant: string;
  readonly scope: string;
  readonly caller: string;
  readonly wal_offset: number;
  /** Epoch milliseconds. */
  readonly recorded_at: number;
  /** Epoch milliseconds. */
  readonly observed_at: number;
  /** JSON text of the normalised envelope. */
  readonly envelope: string;
  /** Ids of the records derived from it; left out where nothing was derived. */
  readonly derives?: readonly string[];
}

/** The wire form of an event. */
export function toEventItem(stored: StoredEnvelope): EventItem {
  const sent = JSON.parse(stored.envelope) as Envelope;
  const actor = sent.observed_actor ?? { id: stored.caller };
  const subject = sent.subject ?? { id: stored.caller };
  const {
    observed_at: observedAt = sent.observed_at,
    intent = null,
    labels = [],
    ...circumstances
  } = sent.context ?? {};
  return {
    id: stored.id,
    scope: stored.scope,
    caller: stored.caller,
    observed_actor: { ...actor, type: actor.type ?? typeOfId(actor.id) },
    subject: { id: subject.id, type: subject.type ?? typeOfId(subject.id) },
    scope_key: stored.tenant,
    modality: sent.modality,
    content: sent.content,
    context: {
      ...circumstances,
      observed_at: observedAt ?? toRfc3339(stored.observed_at),
      recorded_at: toRfc3339(stored.recorded_at),
      intent,
      labels,
    },
    wal_offset: stored.wal_offset,
    derives: [...(stored.derives ?? [])].sort(),
    ...(sent.source === undefined ? {} : { source: sent.source }),
    ...(sent.language === undefined ? {} : { language: sent.language, language_source: 'explicit' }),
    ...(sent.scripts === undefined ? {} : { scripts: sent.scripts }),
    ...(sent.content.kind === 'blob_ref' ? { source_blob_ids: [sent.content.blob_id] } : {}),
    ...(sent.directives === undefined ? {} : { directives: sent.directives }),
    ...(sent.metadata === undefined ? {} : { metadata: sent.metadata }),
  };
}
