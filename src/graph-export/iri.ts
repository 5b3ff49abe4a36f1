/** The namespaces of exported graphs, by their prefixes. */
export const NAMESPACES = {
  /** Records and entities, by their ids. */
  node: 'urn:strata:node:',
  /** What made a record, by the id of the record; `activity` itself is a word of PROV-N that its parser takes for nothing else. */
  act: 'urn:strata:activity:',
  /** Actors, by their ids. */
  actor: 'urn:strata:actor:',
  /** What reads facts out of events, by its name. */
  extractor: 'urn:strata:extractor:',
  /** Kinds, properties and edges. */
  strata: 'urn:strata:term:',
} as const;

/** What may stand in a namespace: letters, digits and `_` as they are, all else percent-encoded, which IRIs and PROV-N take alike. */
export function localName(id: string): string {
  return encodeURIComponent(id.toWellFormed()).replace(
    /[-.!~*'()]/gu,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** A name in a namespace, with its prefix. */
export function prefixed(prefix: keyof typeof NAMESPACES, id: string): string {
  return `${prefix}:${localName(id)}`;
}

/** The same in full. */
export function iri(prefix: keyof typeof NAMESPACES, id: string): string {
  return NAMESPACES[prefix] + localName(id);
}

/** The kind of a node as a name of the vocabulary: `Fact`. */
export function className(type: string): string {
  return type.charAt(0).toUpperCase() + type.slice(1);
}
