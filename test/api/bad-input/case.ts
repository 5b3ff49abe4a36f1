import type { RequestOptions } from '../../support/client.ts';

/** One bad request and what it has to be answered with. */
export interface BadCase {
  readonly what: string;
  readonly method: string;
  readonly path: string;
  /** Made when it is sent: some bodies are large. */
  readonly options?: () => RequestOptions;
  readonly status: number;
  /** The code of the problem; `null` for an answer in plain text. */
  readonly code: string | null;
  /** `details.field_path`; not looked at when left out. */
  readonly field?: string;
}

/** A good envelope for bad ones to differ from. */
export const GOOD = {
  scope: 'org:bad/user:input',
  modality: 'conversation',
  content: { kind: 'message', role: 'user', text: 'good' },
} as const;

/** A text whose UTF-8 form has so many bytes. */
export const ofBytes = (bytes: number, character = 'x'): string =>
  character.repeat(Math.ceil(bytes / Buffer.byteLength(character)));

/** The rows of these names, in their order; a name that no row has is a mistake. */
export function picked<R>(rows: readonly R[], nameOf: (row: R) => string, names: readonly string[]): R[] {
  return names.map((name) => {
    const row = rows.find((one) => nameOf(one) === name);
    if (row === undefined) throw new Error(`no row is called: ${name}`);
    return row;
  });
}
