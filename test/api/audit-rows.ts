import type { Client } from '../support/client.ts';

/** The newest rows of the audit log that a query string filters, a thousand at most. */
export async function auditRows(service: Client, filter: string, options = {}): Promise<any[]> {
  const { status, json } = await service.get(`/v1/audit?limit=1000&${filter}`, options);
  expect(status).toBe(200);
  return json.items;
}
