import { LAYERS, type Layer, type RecallPack } from '../../schemas/recall.ts';
import { StrataError } from '../errors.ts';
import { RECALL_EVENT_BYTES } from '../limits/recall.ts';
import type { Call } from './access.ts';
import type { LayerReadings } from './recall-layers.ts';
import type { RecallPacks } from './recall-packs.ts';

/** What the service needs. */
export interface PackAgainParts {
  readonly packs: Pick<RecallPacks, 'find'>;
  readonly readings: LayerReadings;
}

/** Finds a pack again, and looks again whether the caller may still read what it holds. */
export class PackAgain {
  private readonly parts: PackAgainParts;

  constructor(parts: PackAgainParts) {
    this.parts = parts;
  }

  /**
   * A pack that this caller recalled from this scope. Throws `NOT_FOUND` where there is none any more, or where a record of it is gone or
   * closed to the caller by now: which of these is not told.
   */
  async find(call: Call, id: string, scope: string): Promise<RecallPack> {
    const pack = await this.parts.packs.find(call, id, scope);
    if (pack === null || !(await this.isReadable(call, pack)))
      throw new StrataError('NOT_FOUND', 'pack not found: it is over, or of another scope or caller', {
        details: { field_path: 'use_pack_id' },
      });
    return pack;
  }

  private async isReadable(call: Call, pack: RecallPack): Promise<boolean> {
    const { valid, recorded } = pack.as_of;
    const known = recorded === null ? {} : { as_of_recorded: recorded };
    const layers = await Promise.all(
      LAYERS.map(async (layer) => {
        const ids = pack.layers[layer].map(({ id }) => id);
        // What a recall brought holds at its instant, or it was asked for whenever it holds.
        const gone = await this.missing(call, layer, ids, known);
        const then = layer === 'understanding' ? known : { ...known, as_of_valid: valid };
        return this.missing(call, layer, gone, then);
      }),
    );
    return layers.every((gone) => gone.length === 0);
  }

  /** Those of the ids that cannot be read at the instants. */
  private async missing(
    call: Call,
    layer: Layer,
    ids: readonly string[],
    at: Record<string, string>,
  ): Promise<string[]> {
    if (ids.length === 0) return [];
    const read = new Set((await this.read(call, layer, ids, at)).map((one) => one?.id));
    return ids.filter((id) => !read.has(id));
  }

  private read(
    call: Call,
    layer: Layer,
    ids: readonly string[],
    at: Record<string, string>,
  ): Promise<({ readonly id: string } | null)[]> {
    const { event, fact, belief, episode, concept } = this.parts.readings;
    switch (layer) {
      case 'events':
        return event.getSome(call, ids, at, { bytes: RECALL_EVENT_BYTES, deriving: 0 });
      case 'facts':
        return fact.getMany(call, ids, at);
      case 'beliefs':
        return belief.getMany(call, ids, at);
      case 'episodes':
        return episode.getShort(call, ids, at);
      case 'understanding':
        return concept.getMany(call, ids, at);
    }
  }
}
