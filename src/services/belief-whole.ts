import type { BeliefReader } from '../../graph/belief/read.ts';
import type { StoredBeliefItem, WholeBelief } from '../derive/belief/item.ts';

/** Reads what beliefs leave out while they are walked over. */
export class WholeBeliefs {
  private readonly reader: BeliefReader;

  constructor(reader: BeliefReader) {
    this.reader = reader;
  }

  /** Beliefs with their objects, in the order given; large objects are read now, in one statement. */
  async whole(beliefs: readonly StoredBeliefItem[]): Promise<WholeBelief[]> {
    const missing = beliefs.filter(({ object }) => object === null).map(({ id }) => id);
    const large = await this.reader.objects(missing);
    // A belief that went between the two readings is left out, as it would be a moment later.
    return beliefs.flatMap((belief) => {
      const object = belief.object ?? large.get(belief.id);
      return object === undefined ? [] : [{ ...belief, object }];
    });
  }
}
