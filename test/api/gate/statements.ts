import type { Client } from '../../support/client.ts';

/** Statements that serve requests; others the service sends by itself. */
const OF_REQUESTS =
  /^(access\.rules|provenance\.|supersession\.|event\.|fact\.|episode\.(scan_|by_ids|contents)|entity\.|belief\.(by_|scan_|objects|revisions)|concept\.(by_|scan_|versions|coverage)|derivation\.(progress|key_|scope_)|lifecycle\.(by_sequence|sequences|scan)|scope\.(record|below|list|exists|by_)|blob\.by_|audit\.(by_id|page|list|row)|job\.by_id|conflict\.(page|open_page|total|by_id)|recall\.)/;

/** How many statements each name was sent, without those of the background. */
export async function statementCounts(service: Client): Promise<Map<string, number>> {
  const { text } = await service.get('/v1/admin/metrics');
  const counts = new Map<string, number>();
  for (const [, labels = '', value] of text.matchAll(/^strata_statement_seconds_count\{([^}]*)\} (\d+)$/gm)) {
    const name = /"([^"]+)"/.exec(labels)?.[1] ?? labels;
    if (OF_REQUESTS.test(name)) counts.set(name, Number(value));
  }
  return counts;
}

/** Statements sent between two readings. */
export function sentBetween(before: Map<string, number>, after: Map<string, number>): number {
  return [...after].reduce((sum, [name, count]) => sum + count - (before.get(name) ?? 0), 0);
}

/** Statements that a read takes: the fewest of three times, since stages of the background ask some of the same. */
export async function statementsOf(
  service: Client,
  read: () => Promise<unknown>,
  counted: (name: string) => boolean = () => true,
): Promise<number> {
  const sent: number[] = [];
  while (sent.length < 3) {
    const before = await statementCounts(service);
    await read();
    const after = [...(await statementCounts(service))].filter(([name]) => counted(name));
    sent.push(sentBetween(before, new Map(after)));
  }
  return Math.min(...sent);
}
