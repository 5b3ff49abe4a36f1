import type { ForgetLayer } from '../../schemas/forget.ts';
import type { KeyedIds } from '../../src/derive/keyed-ids.ts';
import type { Footprint } from '../../src/forget/footprint.ts';
import type { ByLayer } from '../../src/forget/layers.ts';
import type { Selector } from '../../src/forget/selector.ts';
import type { Reader } from '../driver.ts';
import { readFootprint, type FootprintRequest } from './footprint.ts';
import { selectRecords } from './selection.ts';
import type { RecordSpan } from './walk.ts';

/** Reads what a forgetting is about; every scope that it is handed was authorised before. */
export class ForgetReader {
  private readonly reader: Reader;
  private readonly ids: KeyedIds;

  constructor(reader: Reader, ids: KeyedIds) {
    this.reader = reader;
    this.ids = ids;
  }

  /** The records of a scope that a selector matches; see {@link selectRecords}. */
  select(
    span: RecordSpan,
    asked: { readonly layers: readonly ForgetLayer[]; readonly selector: Selector },
  ): Promise<ByLayer<readonly string[]>> {
    return selectRecords(this.reader, this.ids, span, asked);
  }

  /** What is around a selection; see {@link readFootprint}. */
  footprint(request: FootprintRequest): Promise<Footprint> {
    return readFootprint(this.reader, this.ids, request);
  }
}
