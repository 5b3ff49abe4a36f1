import type { StoredFrame } from '../../graph/lifecycle.ts';
import type { ScopeWithRules } from '../access/rules.ts';
import { lifecycleId, type LifecycleItem } from '../../schemas/lifecycle.ts';
import { toRfc3339 } from '../../schemas/time.ts';

/** The wire form of a stored frame. */
export function toItem(frame: StoredFrame): LifecycleItem {
  const captured =
    frame.type === 'captured'
      ? {
          wal_offset: frame.wal_offset,
          actor: frame.actor,
          modality: frame.modality,
          ts: toRfc3339(frame.ts),
        }
      : {};
  const extra = frame.data === null ? {} : (JSON.parse(frame.data) as Record<string, unknown>);
  return {
    lifecycle_id: lifecycleId(frame.sequence),
    ts: toRfc3339(frame.ts),
    scope: frame.scope,
    event: frame.type,
    data: {
      ...(frame.event_id === null ? {} : { event_id: frame.event_id }),
      ...captured,
      ...(frame.batch_id === null ? {} : { batch_id: frame.batch_id }),
      ...extra,
    },
  };
}

/** What tells a reader that frames are not to be had here, and after which frame to go on. */
export function laggingItem(resumeFrom: number, reason: string, now: number): LifecycleItem {
  const id = lifecycleId(resumeFrom);
  return {
    lifecycle_id: id,
    ts: toRfc3339(now),
    scope: null,
    event: 'lagging',
    data: { resume_from: id, reason },
  };
}

/** What took the right to a stream away. */
export interface LostRight {
  /** Path of the scope that may not be followed any more. */
  readonly scope: string;
  /** Actor who made the newest change of the rules along that path; null where that is not known. */
  readonly by: string | null;
  /** When, epoch milliseconds; null where that is not known. */
  readonly at: number | null;
}

/** What tells a reader that it may not follow a scope any more, and after which frame to go on should it be let in again. */
export function revokedItem(resumeFrom: number, { scope, by, at }: LostRight, now: number): LifecycleItem {
  const reason = 'a change of the rules of the scope took away the right to follow it';
  const { data, ...item } = laggingItem(resumeFrom, reason, now);
  const change = { revoked_by: by, revoked_at: at === null ? null : toRfc3339(at) };
  return { ...item, scope, event: 'policy_revoked', data: { ...data, ...change } };
}

/** What tells a reader that frames behind its cursor were removed; `gone` is the number of the newest of them. */
export function goneItem(gone: number, now: number): LifecycleItem {
  return laggingItem(gone, 'older frames are no longer kept; the oldest kept ones follow', now);
}

/** A frame on its way to readers; the wire form is made once for all of them. */
export class Frame {
  readonly stored: StoredFrame;
  /** The rules along its scope when it was read. */
  readonly place: ScopeWithRules;
  private made: LifecycleItem | null = null;

  constructor(stored: StoredFrame, place: ScopeWithRules) {
    this.stored = stored;
    this.place = place;
  }

  /** Frame number. */
  get sequence(): number {
    return this.stored.sequence;
  }

  /** The wire form. */
  get item(): LifecycleItem {
    return (this.made ??= toItem(this.stored));
  }
}

/** Knows the rules along scope paths. */
export interface ScopeRulesSource {
  places(scopes: readonly { readonly tenant: string; readonly path: string }[]): Promise<ScopeWithRules[]>;
}

/** Frames with the rules along their scopes as they are now: at most one round trip. Throws `DATABASE_UNAVAILABLE`. */
export async function withScopeRules(
  frames: readonly StoredFrame[],
  source: ScopeRulesSource,
): Promise<Frame[]> {
  const keyOf = ({ tenant, scope }: StoredFrame): string => `${tenant}\n${scope}`;
  const names = new Map(frames.map((frame) => [keyOf(frame), { tenant: frame.tenant, path: frame.scope }]));
  const places = await source.places([...names.values()]);
  const byKey = new Map([...names.keys()].map((key, i) => [key, places[i]]));
  return frames.map(
    (frame) => new Frame(frame, byKey.get(keyOf(frame)) ?? { path: frame.scope, levels: [] }),
  );
}
