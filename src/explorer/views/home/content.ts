import type { Content, Term } from './queries.ts';

const OTHERS: Readonly<Record<string, string>> = {
  json: 'A JSON value',
  blob_ref: 'A file',
  declared_belief: 'A belief that somebody declared',
  conflict_resolution: 'The end of a conflict',
};

/** What an event holds, in one line. */
export function inWords(content: Content): string {
  if ('text' in content) return content.text;
  if (!('triple' in content)) return OTHERS[content.kind] ?? content.kind;
  const { subject, predicate, object, polarity } = content.triple;
  const is = predicate.replaceAll('_', ' ');
  return `${polarity === 'negative' ? 'Not any more: ' : ''}${termInWords(subject)} ${is} ${termInWords(object)}`;
}

/** An entity or a value as a text. */
export function termInWords(term: Term): string {
  if (term.type === 'entity') return term.name ?? term.id;
  return typeof term.value === 'string' ? term.value : JSON.stringify(term.value);
}
