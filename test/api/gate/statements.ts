import type { Metrics } from '../../../src/metrics.ts';
import type { TestService } from '../../support/service.ts';

/** Statements that serve requests; others the service sends by itself. */
const OF_REQUESTS =
  /^(access\.rules|place\.|provenance\.|record\.|supersession\.|event\.|entity_link\.by_id|fact\.|episode\.(scan_|by_ids|contents)|entity\.|belief\.(by_|scan_|walked|objects|revisions)|concept\.(by_|scan_|versions|coverage)|derivation\.(progress|key_|scope_)|lifecycle\.(by_sequence|of_events|sequences|scan|scopes_of)|scope\.(record|below|walk|one|details|lock_access|exists)|blob\.(by_|retire_key)|audit\.(by_id|walk_down|row)|job\.by_id|conflict\.(page|open_page|total|by_id|with_evidence)|recall\.)/;

/** What was counted of a service since it was asked about first. */
const countsOf = new WeakMap<Metrics, Map<string, number>>();

/**
 * How many statements each name was sent, without those of the background: what the metrics of the service are told, as it is told them.
 * To read them as text takes longer than most of what is counted.
 */
export function statementCounts({ context: { metrics } }: TestService): Map<string, number> {
  return new Map(countsOf.get(metrics) ?? countingFrom(metrics));
}

function countingFrom(metrics: Metrics): Map<string, number> {
  const counts = new Map<string, number>();
  countsOf.set(metrics, counts);
  const observe = metrics.observe.bind(metrics);
  metrics.observe = (name, value, label = '') => {
    if (name === 'strata_statement_seconds' && OF_REQUESTS.test(label))
      counts.set(label, (counts.get(label) ?? 0) + 1);
    observe(name, value, label === '' ? undefined : label);
  };
  return counts;
}

/** The names of the statements sent between two readings, each as often as it was sent. */
export function namesBetween(before: Map<string, number>, after: Map<string, number>): string[] {
  return [...after].flatMap(([name, count]) =>
    Array.from({ length: count - (before.get(name) ?? 0) }, () => name),
  );
}

/** Statements sent between two readings. */
export function sentBetween(before: Map<string, number>, after: Map<string, number>): number {
  return [...after].reduce((sum, [name, count]) => sum + count - (before.get(name) ?? 0), 0);
}

/** Statements that a read takes: the fewest of three times, since stages of the background ask some of the same. */
export async function statementsOf(
  service: TestService,
  read: () => Promise<unknown>,
  counted: (name: string) => boolean = () => true,
): Promise<number> {
  // Planning ahead sends the statements of recalls.
  await service.context.planned;
  const sent: number[] = [];
  while (sent.length < 3) {
    const before = statementCounts(service);
    await read();
    const after = [...statementCounts(service)].filter(([name]) => counted(name));
    sent.push(sentBetween(before, new Map(after)));
  }
  return Math.min(...sent);
}
