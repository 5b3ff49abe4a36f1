import type { OperationExample } from '../../../schemas/example.ts';
import { exampleOf } from '../../../schemas/examples.ts';
import { operationOf, type OperationId } from '../../../schemas/operation.ts';

/** Where the commands of the reference find the service. */
export const ADDRESS = 'http://127.0.0.1:3141';
/** Characters of a line of JSON, where it can be broken. */
const WIDTH = 100;

/** The example of an operation in markdown: a command, and what it answers; nothing for one that is off. */
export function exampleText(id: OperationId): string {
  const example = exampleOf(id);
  if (example === null) return '';
  return `Example:\n\n\`\`\`sh\n${commandOf(id, example)}\n\`\`\`\n\n${answerText(example)}`;
}

/** The command that sends a request of an operation to {@link ADDRESS}, with the operator key where one is asked for. */
export function commandOf(id: OperationId, example: OperationExample): string {
  const { method, access, answers } = operationOf(id);
  const { key, body, upload, status } = example;
  const streams = answers[status]?.mediaType === 'text/event-stream';
  const sends = body !== undefined || upload !== undefined;
  const implied = sends ? 'POST' : 'GET';
  return [
    `curl -sS${streams ? 'N' : ''}${method === implied ? '' : ` -X ${method}`} ${quoted(addressOf(id, example))}`,
    ...('open' in access ? [] : ['-H "Authorization: Bearer $STRATA_API_KEY"']),
    ...(key === undefined ? [] : [`-H ${quoted(`X-Strata-Idempotency-Key: ${key}`)}`]),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json' -d ${quoted(jsonText(body))}`]),
    ...(upload === undefined
      ? []
      : [`-H ${quoted(`Content-Type: ${upload.mediaType}`)} --data-binary ${quoted(upload.text)}`]),
  ].join(' \\\n  ');
}

function addressOf(id: OperationId, { params = {}, query = {} }: OperationExample): string {
  const path = operationOf(id).path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${readable(value)}`);
  return `${ADDRESS}${path}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`;
}

/** A value of a query, of which what may stand there as it is does so. */
function readable(value: string): string {
  return encodeURIComponent(value).replaceAll(/%(?:3A|2F|2C)/g, decodeURIComponent);
}

/** A text as one word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function answerText({ status, answer, excerpt }: OperationExample): string {
  if (answer === undefined) return `Answer ${status}, without a body.`;
  const [language, text] = typeof answer === 'string' ? ['text', answer.trim()] : ['json', jsonText(answer)];
  return `Answer ${status}${excerpt === true ? ', in part' : ''}:\n\n\`\`\`${language}\n${text}\n\`\`\``;
}

/** A value as JSON, on one line where it fits, else a line for each part. */
export function jsonText(value: unknown, indent = '', before = 0): string {
  const line = onOneLine(value);
  if (typeof value !== 'object' || value === null || indent.length + before + line.length <= WIDTH)
    return line;
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((part) => jsonText(part, inner))
    : Object.entries(value).map(([name, part]) => {
        const key = `${JSON.stringify(name)}: `;
        return `${key}${jsonText(part, inner, key.length)}`;
      });
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${parts.map((part) => `${inner}${part}`).join(',\n')}\n${indent}${close}`;
}

function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const parts = Object.entries(value).map(([name, part]) => `${JSON.stringify(name)}: ${onOneLine(part)}`);
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}
