import type { Content } from '../../schemas/content.ts';

/** The words that an event is found by; empty when it has none. */
export function searchableText(content: Content): string {
  switch (content.kind) {
    case 'message':
    case 'text':
      return content.text;
    case 'json':
      return leaves(content.data).join(' ');
    case 'blob_ref':
      return content.transcript ?? '';
    case 'triple': {
      const { subject, predicate, object } = content.triple;
      return [termText(subject), predicate.replaceAll('_', ' '), termText(object)].join(' ');
    }
    case 'declared_belief':
      return content.declared_belief.statement;
    case 'conflict_resolution':
      return content.conflict_resolution.reason ?? '';
  }
}

function termText(
  term: { type: 'entity'; id: string; name?: string | undefined } | { type: 'literal'; value?: unknown },
): string {
  return term.type === 'entity' ? (term.name ?? term.id) : leaves(term.value).join(' ');
}

/** Keys, texts, numbers and booleans of a JSON value, in document order. */
function leaves(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)];
  if (Array.isArray(value)) return value.flatMap(leaves);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...leaves(inner)]);
}
