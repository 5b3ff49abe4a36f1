/** Media type that carries a status of its own. */
export const GRAPHQL_RESPONSE = 'application/graphql-response+json';
/** Media type of clients that know no other. */
export const JSON_RESPONSE = 'application/json';

/** A media type of answers. */
export type MediaType = typeof GRAPHQL_RESPONSE | typeof JSON_RESPONSE;

interface Range {
  readonly type: string;
  readonly quality: number;
}

/** The media type that a caller likes best, JSON where it says nothing; `null` when it takes neither. */
export function chooseMediaType(accept: string | undefined): MediaType | null {
  if (accept === undefined || accept.trim() === '') return JSON_RESPONSE;
  const ranges = accept.split(',').map(rangeOf);
  const json = standing(ranges, JSON_RESPONSE);
  const graphql = standing(ranges, GRAPHQL_RESPONSE);
  if (json.quality <= 0 && graphql.quality <= 0) return null;
  if (json.quality !== graphql.quality)
    return json.quality > graphql.quality ? JSON_RESPONSE : GRAPHQL_RESPONSE;
  return graphql.place < json.place ? GRAPHQL_RESPONSE : JSON_RESPONSE;
}

function rangeOf(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  const value = quality === undefined ? 1 : Number(quality);
  return { type, quality: Number.isFinite(value) ? value : 0 };
}

/** How much a type is liked, by the most specific range that covers it, and where that range stands. */
function standing(ranges: readonly Range[], type: MediaType): { quality: number; place: number } {
  for (const covering of [type, 'application/*', '*/*']) {
    const place = ranges.findIndex((range) => range.type === covering);
    if (place >= 0) return { quality: ranges[place]?.quality ?? 0, place };
  }
  return { quality: 0, place: ranges.length };
}
