import type { FactItem } from '../../schemas/fact.ts';
import type { RecallRequest } from '../../schemas/recall.ts';
import type { View } from '../../schemas/scope.ts';
import { toRfc3339 } from '../../schemas/time.ts';
import { stemmedWords } from '../capture/search-words.ts';
import { RECALL_ENTITIES, RECALL_ENTITY_FACTS } from '../limits/recall.ts';
import type { ListHit } from '../recall/fusion.ts';
import { possibleNames } from '../recall/query-words.ts';
import type { RecallWindow } from '../recall/window.ts';
import type { Call } from './access.ts';
import type { NamedEntities } from './named-entities.ts';
import type { FactOperations } from './operations.ts';
import { factText } from './recall-entry.ts';
import type { ReadableSelection } from './scope-selection.ts';

/** What is asked. */
export interface StatedQuestion {
  readonly call: Call;
  readonly request: RecallRequest;
  readonly view: View;
  readonly window: RecallWindow;
  readonly selection: ReadableSelection;
  readonly words: readonly string[];
  readonly now: number;
}

/** Finds what is stated of the entities that a query names: the bounded walk of a recall. */
export class StatedFacts {
  private readonly named: NamedEntities;
  private readonly facts: Pick<FactOperations, 'list'>;

  constructor(named: NamedEntities, facts: Pick<FactOperations, 'list'>) {
    this.named = named;
    this.facts = facts;
  }

  /**
   * Facts about at most four entities that the query names, the longest names first, and the events that state them, best first by how
   * much of the query they say. One round trip for the names; a page of facts for each entity.
   */
  async of(question: StatedQuestion): Promise<{ facts: FactItem[]; events: ListHit[] }> {
    const { call, request, selection, view } = question;
    if (view === 'raw') return { facts: [], events: [] };
    const names = await this.named.amongst(call, selection, possibleNames(request.query ?? ''));
    const pages = await Promise.all(
      names.slice(0, RECALL_ENTITIES).map((subject) =>
        this.facts.list(call, {
          scope: request.scope,
          view,
          subject,
          limit: RECALL_ENTITY_FACTS,
          ...instants(question),
        }),
      ),
    );
    const facts = [...new Map(pages.flatMap(({ items }) => items).map((fact) => [fact.id, fact])).values()];
    return { facts, events: eventsOf(facts, question.words) };
  }
}

/** The events that state facts which hold words of the query; what they share with it is what counts. */
function eventsOf(facts: readonly FactItem[], words: readonly string[]): ListHit[] {
  const scores = new Map<string, number>();
  for (const fact of facts) {
    const has = new Set(stemmedWords(factText(fact)));
    const score = words.filter((word) => has.has(word)).length / Math.max(1, words.length);
    for (const id of score === 0 ? [] : fact.supports) scores.set(id, Math.max(scores.get(id) ?? 0, score));
  }
  return [...scores]
    .map(([id, score]) => ({ id, score }))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}

function instants({ window, request, now }: StatedQuestion): Record<string, string | boolean> {
  const { valid, recorded, during } = window;
  const whenever = request.include_superseded === true || (valid === null && during !== null);
  return {
    ...(whenever ? { include_superseded: true } : { as_of_valid: toRfc3339(valid ?? now) }),
    ...(recorded === null ? {} : { as_of_recorded: toRfc3339(recorded) }),
  };
}
