import { declaredStatements } from '../../../graph/statement.ts';

/** A deletion that is taken out of a statement, the case that has to notice, and by what. */
export interface Mutation {
  readonly name: string;
  /** Name of the statement. */
  readonly statement: string;
  /** What is taken out of its text, and what stands there instead. */
  readonly without: readonly (readonly [string | RegExp, string])[];
  /** The case: way, selector (empty for none), removal. */
  readonly of: readonly [string, string, string];
  /** The place of the find. */
  readonly caught: RegExp;
  /** The place that the check of each step names, by which the removal is refused; none where the deletion is not that of a step. */
  readonly refused?: string;
}

/** Makes the check of each step find nothing, so that it is seen what the drill itself notices. */
export const UNCHECKED: Pick<Mutation, 'statement' | 'without'> = {
  statement: 'forget.left_by_step',
  without: [[/^[^]*$/, `UNWIND [] AS nothing RETURN '' AS place, 0 AS count`]],
};

export const MUTATIONS: readonly Mutation[] = [
  {
    name: 'answers of models',
    statement: 'forget.redact_events',
    without: [['DETACH DELETE x', 'SET x.touched = true']],
    of: ['stored model answer', 'events', 'redact_events'],
    caught: /^Extraction\.answer$/,
    refused: ':Extraction(event_id)',
  },
  {
    name: 'what frames say',
    statement: 'forget.redact_events',
    without: [['REMOVE f.actor, f.modality, f.data', 'SET f.touched = true']],
    of: ['modality', 'events', 'redact_events'],
    caught: /^LifecycleEvent\.modality$/,
    refused: ':LifecycleEvent(event_id)',
  },
  {
    name: 'idempotency keys',
    statement: 'forget.redact_events',
    without: [['DELETE key', 'SET key.touched = true']],
    of: ['idempotency key', 'labels', 'redact_events'],
    caught: /^IdempotencyKey\.key$/,
    refused: ':IdempotencyKey(key)',
  },
  {
    name: 'labels of events',
    statement: 'forget.redact_events',
    without: [['labels: []', 'labels: e.labels']],
    of: ['label', 'subject', 'redact_events'],
    caught: /^Event\.labels$/,
    refused: ':Event(id)',
  },
  {
    name: 'envelopes',
    statement: 'forget.redact_events',
    without: [['envelope: $p.envelope', 'envelope: e.envelope']],
    of: ['metadata', 'valid time', 'redact_events'],
    caught: /^Event\.envelope$/,
    refused: ':Event(id)',
  },
  {
    name: 'what is searchable',
    statement: 'passage.remove',
    without: [['DETACH DELETE turn', 'SET turn.touched = true']],
    of: ['text', 'events', 'redact_events'],
    caught: /^Passage\b/,
    refused: ':Passage(event_id)',
  },
  {
    name: 'statements',
    statement: 'claim.withdraw',
    without: [['DETACH DELETE gone', 'SET gone.touched = true']],
    of: ['literal', 'predicate', 'redact_events'],
    caught: /^(Statement|Retracted)\b/,
  },
  {
    name: 'entities',
    statement: 'claim.withdraw',
    without: [
      [
        /WITH n WHERE NOT EXISTS \{ \(n\)<-\[:SUBJECT\|OBJECT\|NAMED\]-\(\) \}\s+DETACH DELETE n/,
        'SET n.touched = true',
      ],
    ],
    of: ['object id', 'records', 'derived_only'],
    caught: /^Entity\b/,
  },
  {
    name: 'names of entities',
    statement: 'claim.withdraw',
    without: [['DETACH DELETE gone)\n', 'SET gone.touched = true)\n']],
    of: ['alias', 'events', 'redact_events'],
    caught: /^EntityName\b/,
  },
  {
    name: 'topics of syntheses',
    statement: 'synthesis.strip_topics',
    without: [['WHERE NOT topic IN row.topics', 'WHERE true']],
    of: ['topic', 'entity', 'redact_events'],
    caught: /Synthesis.*\.topics$/,
  },
  {
    name: 'links',
    statement: 'entity_link.remove',
    without: [
      ['FOREACH (l IN links | DETACH DELETE l)', ''],
      ['FOREACH (u IN ends | DETACH DELETE u)', ''],
    ],
    of: ['link that was taken back', 'events', 'redact_events'],
    caught: /EntityLink|LinkEntry|LinkedEntity/,
  },
  {
    name: 'what names may stand for',
    statement: 'forget.write_ambiguity',
    without: [['SET e.ambiguous = row.ambiguous', 'SET e.touched = true']],
    of: ['ambiguous name', 'events', 'redact_events'],
    caught: /^Event\.ambiguous$/,
  },
];

/** Takes a deletion out of its statement; answers what puts it back. Fails where the text has no such words. */
export function apply({ statement: name, without }: Pick<Mutation, 'statement' | 'without'>): () => void {
  const found = declaredStatements().get(name) as { text: string } | undefined;
  if (found === undefined) throw new Error(`there is no statement ${name}`);
  const { text } = found;
  let mutated = text;
  for (const [what, instead] of without) {
    const next =
      typeof what === 'string' ? mutated.replaceAll(what, instead) : mutated.replace(what, instead);
    if (next === mutated) throw new Error(`${name} does not say ${String(what)}`);
    mutated = next;
  }
  found.text = mutated;
  return () => {
    found.text = text;
  };
}
