import type { RequestOptions, Client } from '../../support/client.ts';

/** A GraphQL answer, read. */
export interface Asked {
  readonly status: number;
  readonly headers: Headers;
  readonly data: any;
  readonly errors: any[] | undefined;
}

/** Sends an operation by POST. */
export async function ask(
  service: Client,
  query: string,
  variables?: unknown,
  options: RequestOptions = {},
): Promise<Asked> {
  const body = { query, ...(variables === undefined ? {} : { variables }) };
  const { status, headers, json } = await service.post('/graphql', body, options);
  return { status, headers, data: json?.data, errors: json?.errors };
}
