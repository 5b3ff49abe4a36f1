import { captioned } from '../../schemas/text.ts';
import type { ValueTerms } from './claim/change.ts';
import { objectText } from './why.ts';

/** What is stated, as somebody who looks at the graph reads it: `Ann lives_in Oslo`, on one line and cut where it is long. */
export function captionOf({ subject, predicate, object, of_itself }: ValueTerms): string {
  const said = objectText(object);
  return captioned(of_itself ? said : [subject.name ?? subject.id, predicate, said].join(' '));
}
