import type { FactReader } from '../../graph/fact/read.ts';
import type { StoredFact, HydratedFact } from '../derive/fact-item.ts';

/** Reads what facts leave out while they are walked over. */
export class FactHydrator {
  private readonly reader: FactReader;

  constructor(reader: FactReader) {
    this.reader = reader;
  }

  /** Facts with their objects, in the order given; large objects are read now, in one statement. */
  async hydrate(facts: readonly StoredFact[]): Promise<HydratedFact[]> {
    const missing = facts.filter(({ object }) => object === null).map(({ id }) => id);
    const large = await this.reader.objects(missing);
    // A fact that went between the two readings is left out, as it would be a moment later.
    return facts.flatMap((fact) => {
      const object = fact.object ?? large.get(fact.id);
      return object === undefined ? [] : [{ ...fact, object }];
    });
  }
}
