import type { FactItem } from '../../schemas/fact.ts';
import { LAYERS, type Layer, type RecallPack } from '../../schemas/recall.ts';
import { toEpochMs } from '../../schemas/time.ts';
import { StrataError } from '../errors.ts';
import { RECALL_EVENT_BYTES } from '../limits/recall.ts';
import type { NamedInstants } from '../time/as-of.ts';
import type { ContextEntry } from '../recall/context-block.ts';
import type { Call } from './access.ts';
import { beliefEntry, conceptEntry, episodeEntry, factEntry } from './recall-entry.ts';
import type { LayerReadings } from './recall-layers.ts';
import type { KeptPack, RecallPacks } from './recall-packs.ts';

/** What the service needs. */
export interface PackAgainParts {
  readonly packs: Pick<RecallPacks, 'find'>;
  readonly readings: LayerReadings;
}

/** Finds a pack again, and looks again whether what it holds still says the same, and whether the caller may read it. */
export class PackAgain {
  private readonly parts: PackAgainParts;

  constructor(parts: PackAgainParts) {
    this.parts = parts;
  }

  /**
   * A pack that this caller recalled from this scope. Throws `NOT_FOUND` where there is none any more, or where a record of it is gone,
   * closed to the caller, or was told otherwise because something was taken out: which of these is not told.
   */
  async find(call: Call, id: string, scope: string): Promise<RecallPack> {
    const kept = await this.parts.packs.find(call, id, scope);
    if (kept === null || !(await this.isStillSo(call, kept)))
      throw new StrataError('NOT_FOUND', 'pack not found: it is over, or of another scope or caller', {
        details: { field_path: 'use_pack_id' },
      });
    return kept.pack;
  }

  private async isStillSo(call: Call, { pack, recalled_at }: KeptPack): Promise<boolean> {
    const valid = toEpochMs(pack.as_of.valid);
    const known = pack.as_of.recorded === null ? null : toEpochMs(pack.as_of.recorded);
    // What came since does not count: as of the recall a record says the same, unless something of it was taken out.
    const then = known ?? recalled_at;
    const layers = await Promise.all(
      LAYERS.map(async (layer) => {
        let open = textsIn(pack, layer);
        for (const recorded of [known, then])
          // What a recall brought holds at its instant, or it was asked for whenever it holds.
          for (const at of layer === 'understanding' ? [null] : [null, valid])
            open = await this.otherwise(call, layer, open, { valid: at, recorded, shown: valid });
        return layer === 'facts'
          ? this.otherwiseAtTheirTimes(call, pack.layers.facts, open, [known, then])
          : open;
      }),
    );
    return layers.every((open) => open.size === 0);
  }

  /** Those of the facts that do not say the same at the beginning of the interval that the pack shows of them, which others may have interrupted. */
  private async otherwiseAtTheirTimes(
    call: Call,
    facts: readonly FactItem[],
    textOf: ReadonlyMap<string, string>,
    recorded: readonly (number | null)[],
  ): Promise<ReadonlyMap<string, string>> {
    let open = textOf;
    const begins = new Set(facts.flatMap(({ id, valid_from }) => (textOf.has(id) ? [valid_from] : [])));
    for (const begin of begins)
      for (const at of recorded)
        open = await this.otherwise(call, 'facts', open, {
          valid: null,
          recorded: at,
          shown: toEpochMs(begin),
        });
    return open;
  }

  /** Those of the records that do not say the same at the instants, or cannot be read. */
  private async otherwise(
    call: Call,
    layer: Layer,
    textOf: ReadonlyMap<string, string>,
    at: ReadInstants,
  ): Promise<ReadonlyMap<string, string>> {
    if (textOf.size === 0) return textOf;
    const read = await this.read(call, layer, [...textOf.keys()], at);
    const now = new Map(read.flatMap((one) => (one === null ? [] : [[one.id, one.text] as const])));
    return new Map([...textOf].filter(([id, text]) => now.get(id) !== text));
  }

  private async read(
    call: Call,
    layer: Layer,
    ids: readonly string[],
    at: ReadInstants,
  ): Promise<(RecordText | null)[]> {
    const { event, fact, belief, episode, concept } = this.parts.readings;
    switch (layer) {
      case 'events':
        return (await event.getSome(call, ids, at, { bytes: RECALL_EVENT_BYTES })).events.map(({ id }) => ({
          id,
          text: '',
        }));
      case 'facts':
        return (await fact.readMany(call, ids, at, at.shown)).map(textOf(factEntry));
      case 'beliefs':
        return (await belief.readMany(call, ids, at)).map(textOf(beliefEntry));
      case 'episodes':
        return (await episode.getShort(call, ids, at)).map(textOf(episodeEntry));
      case 'understanding':
        return (await concept.readMany(call, ids, at)).map(textOf(conceptEntry));
    }
  }
}

/** The instants that records are read at again, and that of which the interval of a fact is shown, epoch milliseconds. */
interface ReadInstants extends NamedInstants {
  readonly shown: number;
}

/** A record, and what it says. */
interface RecordText {
  readonly id: string;
  readonly text: string;
}

function textOf<Item>(entryOf: (item: Item) => ContextEntry): (item: Item | null) => RecordText | null {
  return (item) => {
    if (item === null) return null;
    const { id, text } = entryOf(item);
    return { id, text };
  };
}

/** What the records of a layer say in a pack; events never say anything else. */
function textsIn({ layers }: RecallPack, layer: Layer): ReadonlyMap<string, string> {
  const entries: Record<Layer, readonly (RecordText | null)[]> = {
    events: layers.events.map(({ id }) => ({ id, text: '' })),
    facts: layers.facts.map(textOf(factEntry)),
    beliefs: layers.beliefs.map(textOf(beliefEntry)),
    episodes: layers.episodes.map(textOf(episodeEntry)),
    understanding: layers.understanding.map(textOf(conceptEntry)),
  };
  return new Map(entries[layer].flatMap((one) => (one === null ? [] : [[one.id, one.text] as const])));
}
