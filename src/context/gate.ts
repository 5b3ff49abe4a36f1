import type { Base } from './base.ts';
import { AccessReader } from '../../graph/access.ts';
import type { Database } from '../../graph/driver.ts';
import { RecordScopeReader } from '../../graph/record-place.ts';
import { ScopeReader } from '../../graph/scope.ts';
import { SigningKeyStore, TenantStore } from '../../graph/token.ts';
import type { Config } from '../config.ts';
import { AccessFeed } from '../services/access-feed.ts';
import { AccessService } from '../services/access.ts';
import { RecordGate } from '../services/record-gate.ts';
import { ScopeDirectory } from '../services/scope-directory.ts';
import { SelectionService } from '../services/scope-selection.ts';
import type { CallerWatch } from '../services/caller-watch.ts';
import { SignedUpTenants } from '../services/tenant-directory.ts';
import { TokenCallers } from '../services/token-recognition.ts';
import type { KeyRing } from '../tokens/key-ring.ts';
import type { Revocations } from '../tokens/revocations.ts';
import { TokenIds } from '../tokens/token-ids.ts';
import { agreeOnTokenKeys, createTokenState } from './tokens.ts';

/** What decides who may do what. */
export interface Gate {
  readonly feed: AccessFeed;
  readonly directory: ScopeDirectory;
  readonly access: AccessService;
  readonly gate: RecordGate;
  readonly scopes: ScopeReader;
  readonly selection: SelectionService;
  readonly keys: KeyRing;
  readonly revocations: Revocations;
  readonly callers: CallerWatch;
  readonly tenantStore: TenantStore;
  readonly tokenIds: TokenIds;
}

/**
 * Builds the gate, and takes over what there is of rosters, signing keys and revocations. Throws `DATABASE_UNAVAILABLE`, and a
 * `StartupError` when this process does not hold the signing key of the deployment.
 */
export async function openGate(
  database: Database,
  options: {
    readonly config: Config;
    readonly operatorKey: string | null;
    readonly acceptKey?: boolean;
  },
  { log, clock, jobs }: Pick<Base, 'log' | 'clock' | 'jobs'>,
): Promise<Gate> {
  const { config, operatorKey } = options;
  const held = await agreeOnTokenKeys(new SigningKeyStore(database), config, clock, {
    replace: options.acceptKey ?? false,
  });
  const reader = new AccessReader(database, clock);
  const feed = new AccessFeed(reader);
  const directory = new ScopeDirectory(reader, feed);
  const tokens = createTokenState(held, { config, clock, log, feed });
  const tenantStore = new TenantStore(database);
  const access = new AccessService({
    posture: operatorKey === null ? { kind: 'open' } : { kind: 'keyed', key: operatorKey },
    preset: config.access.preset,
    tenants: [...config.access.tenants, ...config.tokens.trustedIssuers.map(({ tenant }) => tenant)],
    policies: config.access.policies,
    rules: directory,
    tokens: new TokenCallers({ ...tokens, feed, clock }),
    signedUp: new SignedUpTenants(tenantStore),
  });
  const scopes = new ScopeReader(database);
  const selection = new SelectionService({ access, directory, scopes });
  const gate = new RecordGate(access, new RecordScopeReader(database));
  await feed.start(jobs);
  const tokenIds = new TokenIds(operatorKey ?? '');
  return { feed, directory, access, gate, scopes, selection, ...tokens, tenantStore, tokenIds };
}
