import { StrataError } from '../errors.ts';
import { MAX_MEDIA_TYPE_LENGTH } from '../limits.ts';

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const TYPE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)\/([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*/;
const PARAMETER =
  /^;[ \t]*(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+)=([!#$%&'*+.^_`|~0-9A-Za-z-]+|"(?:[\t !#-[\]-~]|\\[\t -~])*")[ \t]*)?/;
/** What bytes are when nobody says. */
const UNKNOWN = 'application/octet-stream';

/**
 * The canonical spelling of a media type, under which bytes are stored: type, subtype and names of parameters in lower case,
 * parameters in the order of their names, the value of `charset` in lower case, values quoted only where they have to be;
 * `application/octet-stream` for none. Throws `unsupported_media_type` for multipart, `INVALID_HEADER` for what is no media type.
 */
export function canonicalMediaType(text: string | null): string {
  const label = text?.trim() ?? '';
  if (label === '') return UNKNOWN;
  const head = label.length > MAX_MEDIA_TYPE_LENGTH ? null : TYPE.exec(label);
  if (head === null) throw invalid();
  const [whole, type = '', subtype = ''] = head;
  if (type.toLowerCase() === 'multipart') {
    throw new StrataError('unsupported_media_type', 'send the bytes themselves, not a multipart body');
  }
  const parameters = [...parametersOf(label.slice(whole.length))].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    `${type}/${subtype}`.toLowerCase(),
    ...parameters.map(([name, value]) => `${name}=${quoted(value)}`),
  ].join('; ');
}

function parametersOf(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (let rest = text; rest !== '';) {
    const [whole, name, value = ''] = PARAMETER.exec(rest) ?? [];
    if (whole === undefined) throw invalid();
    rest = rest.slice(whole.length);
    if (name === undefined) continue;
    const key = name.toLowerCase();
    if (found.has(key)) throw invalid();
    const plain = value.startsWith('"') ? value.slice(1, -1).replaceAll(/\\(.)/g, '$1') : value;
    found.set(key, key === 'charset' ? plain.toLowerCase() : plain);
  }
  return found;
}

function quoted(value: string): string {
  return TOKEN.test(value) ? value : `"${value.replaceAll(/["\\]/g, '\\$&')}"`;
}

function invalid(): StrataError {
  return new StrataError(
    'INVALID_HEADER',
    `Content-Type is no media type such as image/png, of at most ${MAX_MEDIA_TYPE_LENGTH} characters`,
    { details: { header: 'content-type' } },
  );
}
