import { AccessReader } from '../../graph/access.ts';
import type { Database } from '../../graph/driver.ts';
import { ScopeReader } from '../../graph/scope.ts';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { AccessFeed } from '../services/access-feed.ts';
import { AccessService } from '../services/access.ts';
import { ScopeDirectory } from '../services/scope-directory.ts';
import { SelectionService } from '../services/scope-selection.ts';

/** What decides who may do what. */
export interface Gate {
  readonly feed: AccessFeed;
  readonly directory: ScopeDirectory;
  readonly access: AccessService;
  readonly scopes: ScopeReader;
  readonly selection: SelectionService;
}

/** Builds the gate, and takes over what there is of rosters. Throws `DATABASE_UNAVAILABLE`. */
export async function openGate(
  database: Database,
  options: { readonly config: Config; readonly operatorKey: string | null },
  log: Log,
): Promise<Gate> {
  const { config, operatorKey } = options;
  const reader = new AccessReader(database);
  const feed = new AccessFeed(reader, log);
  const directory = new ScopeDirectory(reader, feed);
  const access = new AccessService({
    posture: operatorKey === null ? { kind: 'open' } : { kind: 'keyed', key: operatorKey },
    preset: config.access.preset,
    tenants: config.access.tenants,
    rules: directory,
  });
  const scopes = new ScopeReader(database);
  const selection = new SelectionService({ access, directory, scopes });
  await feed.start();
  return { feed, directory, access, scopes, selection };
}
