import { DEPLOYMENT_PRESETS } from '../../schemas/policy.ts';
import { BELIEF_SETTINGS } from './belief-settings.ts';
import { PRODUCTION_MEMORY } from '../local-neo4j/conf.ts';
import { RELEASES } from '../local-neo4j/versions.ts';
import { CONSOLIDATION_INTERVAL_MS, MIN_OPERATOR_KEY_LENGTH } from '../limits.ts';
import { LOG_LEVELS } from '../log.ts';
import { OPERATOR_KEY_TEXT } from '../operator-key.ts';
import { SECRET_KEY_TEXT } from '../tokens/key.ts';
import { SUPPRESSION_KEY_TEXT } from '../tokens/suppression-key.ts';
import { choice, integer, issuers, list, memory, TENANT_ID, text, toggle, type Kind } from './kinds.ts';
import { CONTRACT_SETTINGS } from './contract-settings.ts';
import { EMBEDDING_SETTINGS } from './embedding-settings.ts';
import { HTTP_SETTINGS } from './http-settings.ts';
import { MODEL_SETTINGS } from './model-settings.ts';
import { RETENTION_SETTINGS } from './retention-settings.ts';
import { setting, type Setting } from './setting.ts';

export type { Setting } from './setting.ts';

const ANYTHING = /^[^\0]+$/;
const HOST = /^[A-Za-z0-9:._%-]{1,253}$/;
const DATABASE_URI = /^(neo4j|bolt)(\+s|\+ssc)?:\/\/[^\s/?#@]+(\?[^\s#]*)?$/;
const DATABASE = /^[A-Za-z][A-Za-z0-9.-]{2,62}$/;
const HEADER_FAMILY = /^[A-Za-z][A-Za-z0-9-]{0,31}$/;
const SCOPE_TYPE = /^[a-z][a-z0-9_]{0,31}$/;

const service = {
  host: setting(text(HOST, 'an address or a host name'), {
    env: 'STRATA_HOST',
    fallback: '127.0.0.1',
    description: 'Address to listen on.',
  }),
  port: setting(integer({ min: 0, max: 65_535 }), {
    env: 'STRATA_PORT',
    fallback: 3141,
    description: 'Port to listen on; 0 takes a free one.',
  }),
  data_dir: setting(text(ANYTHING, 'a path'), {
    env: 'STRATA_DATA_DIR',
    fallback: './data',
    description:
      'Directory of everything that must survive: the managed database, the operator key, the signing keys and the suppression key.',
  }),
  api_key: setting(
    text(OPERATOR_KEY_TEXT, `at least ${MIN_OPERATOR_KEY_LENGTH} visible ASCII characters without spaces`),
    {
      env: 'STRATA_API_KEY',
      fallbackText: 'generated on first start into the data directory',
      secret: true,
      description: 'Operator key that callers send as bearer.',
    },
  ),
  token_secret_key: setting(list(SECRET_KEY_TEXT, 'secret keys k4.secret.…'), {
    env: 'STRATA_TOKEN_SECRET_KEY',
    fallbackText: 'generated on first start into the data directory',
    secret: true,
    description:
      'Keys that tokens are signed with. The first one signs, all are held. Processes on one database have to hold the key that signs there.',
  }),
  suppression_key: setting(text(SUPPRESSION_KEY_TEXT, '32 to 256 visible characters'), {
    env: 'STRATA_SUPPRESSION_KEY',
    fallbackText: 'generated on first start into the data directory',
    secret: true,
    description:
      'Key that contents are hashed with which are not to be captured again. Processes on one database have to hold the same one.',
  }),
  v1_minter_enable: setting(toggle(), {
    env: 'STRATA_V1_MINTER_ENABLE',
    fallback: false,
    description:
      'Whether a server with a key mints tokens for its callers; else minting answers 503 `NOT_CONFIGURED`.',
  }),
  signup_enable: setting(toggle(), {
    env: 'STRATA_SIGNUP_ENABLE',
    fallbackText: 'on a loopback address as v1_minter_enable, else false; true with insecure_no_auth',
    description:
      'Whether strangers may sign up: they get a tenant and a token of their own. Else signing up answers 503 `NOT_CONFIGURED`, as it does with `rate_limit.signup` 0.',
  }),
  trusted_issuers: setting(issuers(), {
    env: 'STRATA_TRUSTED_ISSUERS',
    fallback: [],
    description:
      'Issuers whose tokens are taken: `aud` has to be `audience`, and the caller belongs to `tenant`.',
  }),
  insecure_no_auth: setting(toggle(), {
    env: 'STRATA_INSECURE_NO_AUTH',
    fallback: false,
    description: 'Serves requests without a key. Refused on an address other machines can reach.',
  }),
  insecure_bind_all: setting(toggle(), {
    env: 'STRATA_INSECURE_BIND_ALL',
    fallback: false,
    description:
      'Allows `insecure_no_auth` on an address other machines can reach, and requests under any host.',
  }),
  header_aliases: setting(list(HEADER_FAMILY, 'header family names'), {
    env: 'STRATA_HEADER_ALIASES',
    fallback: ['Cortex'],
    description:
      'Further families of headers (`X-<name>-…`), accepted on input and sent beside `X-Strata-…`. None: `header_aliases = []` in the file; an empty variable counts as not set.',
  }),
  tenants: setting(list(TENANT_ID, 'tenant ids'), {
    env: 'STRATA_TENANTS',
    fallback: [],
    description: 'Tenants known beside `default`.',
  }),
  deployment_preset: setting(choice(DEPLOYMENT_PRESETS), {
    env: 'STRATA_DEPLOYMENT_PRESET',
    fallbackText: 'dev_local; auth_disabled with insecure_no_auth',
    description: 'Policy preset.',
  }),
  allowed_scope_types: setting(list(SCOPE_TYPE, 'segment types'), {
    env: 'STRATA_ALLOWED_SCOPE_TYPES',
    fallbackText: 'by preset',
    description: 'Segment types that the first write into a new scope may name.',
  }),
  vocabulary: setting(text(ANYTHING, 'a path that ends in .json or .toml'), {
    env: 'STRATA_VOCABULARY',
    fallbackText: 'none: what the service knows by itself',
    description:
      'File of predicates with cardinality and synonyms; goes before what the service knows by itself. The process that starts last says what holds for all on the database, from then on.',
  }),
  'log.level': setting(choice(LOG_LEVELS), {
    env: 'STRATA_LOG_LEVEL',
    fallback: 'info',
    description: 'Least severe lines that are logged.',
  }),
} as const;

const graphql = {
  'graphql.introspection': setting(toggle(), {
    env: 'STRATA_GRAPHQL_INTROSPECTION',
    fallbackText: 'on under dev_local and auth_disabled',
    description: 'Whether GraphQL tells its schema to callers; tools and the IDE need it.',
  }),
} as const;

/** Writes a minute under the presets for strangers. */
export const CLOUD_WRITES = 600;
/** Reads a minute under the presets for strangers. */
export const CLOUD_READS = 1200;

const rate = {
  'rate_limit.write': setting(integer({ min: 0, max: 1_000_000 }), {
    env: 'STRATA_RATE_LIMIT_WRITE',
    fallbackText: `${CLOUD_WRITES} under cloud_shared_saas and cloud_strict, else 0`,
    unit: 'requests a minute',
    description:
      'Writes of one token (of one actor with the operator key) that this process takes in a minute; then 429 `RATE_LIMITED`. 0: no limit. Each process counts for itself.',
  }),
  'rate_limit.read': setting(integer({ min: 0, max: 1_000_000 }), {
    env: 'STRATA_RATE_LIMIT_READ',
    fallbackText: `${CLOUD_READS} under cloud_shared_saas and cloud_strict, else 0`,
    unit: 'requests a minute',
    description: 'The same for reads; the opening of a stream is one.',
  }),
  'rate_limit.signup': setting(integer({ min: 0, max: 1_000_000 }), {
    env: 'STRATA_RATE_LIMIT_SIGNUP',
    fallback: 20,
    unit: 'sign-ups an hour',
    description:
      'Sign-ups that this process takes from one address (of IPv6 a network of 64 bits) in an hour; 0: nobody signs up, 503 `NOT_CONFIGURED`.',
  }),
  'rate_limit.wrong_keys': setting(integer({ min: 0, max: 1_000_000 }), {
    env: 'STRATA_RATE_LIMIT_WRONG_KEYS',
    fallback: 20,
    unit: 'bearers a minute',
    description:
      'Bearers that are neither the key nor a token that verifies, from one address (of IPv6 a network of 64 bits) in a minute; then it gets 429 `RATE_LIMITED` until that is over, but for what was good from there before. 0: no limit, and no row in the audit log.',
  }),
} as const;

const work = {
  'audit.captures': setting(toggle(), {
    env: 'STRATA_AUDIT_CAPTURES',
    fallback: true,
    description:
      'Whether each capture leaves a row in the audit log. Without it captures leave none; refusals and every other change still do.',
  }),
  'audit.retention_days': setting(integer({ min: 0, max: 36_500 }), {
    env: 'STRATA_AUDIT_RETENTION_DAYS',
    fallback: 0,
    unit: 'days',
    description:
      'How long rows of the audit log are kept; 0: for ever. The hash of the last row removed stays, so that the chain of the others is verified as before.',
  }),
  'capture.queue_max_events': setting(integer({ min: 1, max: 1_000_000 }), {
    env: 'STRATA_CAPTURE_QUEUE_MAX_EVENTS',
    fallback: 10_000,
    unit: 'events',
    description: 'Captures waiting for their transaction; beyond it 503 `SERVER_BUSY`.',
  }),
  'capture.queue_max_bytes': setting(integer({ min: 1_048_576, max: 17_179_869_184 }), {
    env: 'STRATA_CAPTURE_QUEUE_MAX_BYTES',
    fallback: 268_435_456,
    unit: 'bytes',
    description: 'Bytes of captures waiting for their transaction; beyond it 503 `SERVER_BUSY`.',
  }),
  'capture.wait_budget_ms': setting(integer({ min: 1, max: 600_000 }), {
    env: 'STRATA_CAPTURE_WAIT_BUDGET_MS',
    fallback: 30_000,
    unit: 'ms',
    description:
      'Longest `wait` of a single capture; a bulk adds one second an item, up to 600 s; then 408 `WAIT_TIMEOUT`.',
  }),
  'forget.lease_wait_seconds': setting(integer({ min: 0, max: 600 }), {
    env: 'STRATA_DESTRUCTIVE_LEASE_WAIT_SECS',
    fallback: 10,
    unit: 's',
    description:
      'How long a forget waits for another one of the same scope; then 409 `DESTRUCTIVE_OPERATION_IN_PROGRESS`.',
  }),
  'pipeline.lease_ms': setting(integer({ min: 1000, max: 600_000 }), {
    env: 'STRATA_PIPELINE_LEASE_MS',
    fallback: 10_000,
    unit: 'ms',
    description: 'Life of a lease on a shard of derivation work: how long work rests when a process dies.',
  }),
  'pipeline.poll_ms': setting(integer({ min: 10, max: 600_000 }), {
    env: 'STRATA_PIPELINE_POLL_MS',
    fallback: 1000,
    unit: 'ms',
    description: 'How often work captured by other processes is looked for.',
  }),
  'pipeline.batch_events': setting(integer({ min: 1, max: 1000 }), {
    env: 'STRATA_PIPELINE_BATCH_EVENTS',
    fallback: 500,
    unit: 'events',
    description:
      'Events that one transaction of a stage takes on at most; fewer while the same process writes captures.',
  }),
  'pipeline.consolidation_interval_seconds': setting(integer({ min: 1, max: 31_536_000 }), {
    env: 'STRATA_CONSOLIDATION_INTERVAL_SECONDS',
    fallback: CONSOLIDATION_INTERVAL_MS / 1000,
    unit: 's',
    description:
      'Time after which events of a scope with the policy `consolidation: periodic` are consolidated together, from the first that waits on.',
  }),
} as const;

const lifecycle = {
  'lifecycle.poll_ms': setting(integer({ min: 10, max: 60_000 }), {
    env: 'STRATA_LIFECYCLE_POLL_MS',
    fallback: 50,
    unit: 'ms',
    description: 'How often frames of other processes are looked for while somebody reads a stream.',
  }),
  'lifecycle.max_readers': setting(integer({ min: 1, max: 100_000 }), {
    env: 'STRATA_LIFECYCLE_MAX_READERS',
    fallback: 1000,
    unit: 'streams',
    description:
      'Streams and subscriptions open at once in this process, a quarter of them of one tenant; beyond it 503 `SERVER_BUSY`.',
  }),
  'lifecycle.stall_ms': setting(integer({ min: 100, max: 600_000 }), {
    env: 'STRATA_LIFECYCLE_STALL_MS',
    fallback: 30_000,
    unit: 'ms',
    description:
      'Time for a reader of a stream to take what it was sent; then it is told `lagging` and where to resume, and after as long again it is cut off.',
  }),
  'lifecycle.heartbeat_ms': setting(integer({ min: 100, max: 600_000 }), {
    env: 'STRATA_LIFECYCLE_HEARTBEAT_MS',
    fallback: 15_000,
    unit: 'ms',
    description: 'Time between the comments that keep a quiet stream open.',
  }),
  'lifecycle.retention_days': setting(integer({ min: 1, max: 36_500 }), {
    env: 'STRATA_LIFECYCLE_RETENTION_DAYS',
    fallback: 30,
    unit: 'days',
    description:
      'How long lifecycle frames are kept; those of events that are not yet consolidated stay longer.',
  }),
} as const;

const database = {
  'neo4j.uri': setting(text(DATABASE_URI, 'a URI of neo4j, neo4j+s, neo4j+ssc, bolt, bolt+s or bolt+ssc'), {
    env: 'NEO4J_URI',
    fallbackText: 'none: a managed server is started',
    description: 'An existing Neo4j 5.26 or newer.',
  }),
  'neo4j.user': setting(text(ANYTHING, 'a user name'), {
    env: 'NEO4J_USER',
    fallback: 'neo4j',
    description: 'User of the existing server.',
  }),
  'neo4j.password': setting(text(ANYTHING, 'a text'), {
    env: 'NEO4J_PASSWORD',
    fallback: '',
    fallbackText: 'empty',
    secret: true,
    description: 'Password of the existing server.',
  }),
  'neo4j.database': setting(text(DATABASE, 'a database name'), {
    env: 'NEO4J_DATABASE',
    fallback: 'neo4j',
    description: 'Database of the existing server.',
  }),
  'neo4j.statement_timeout_ms': setting(integer({ min: 1000, max: 600_000 }), {
    env: 'STRATA_NEO4J_STATEMENT_TIMEOUT_MS',
    fallback: 10_000,
    unit: 'ms',
    description:
      'Longest wait for the answer to one statement, of either server; then 503 `DATABASE_UNAVAILABLE`. A database that takes a connection and says nothing must not hold a request. Large captures get more, by their bytes.',
  }),
  'neo4j.heap': setting(memory(), {
    env: 'STRATA_NEO4J_HEAP',
    fallback: PRODUCTION_MEMORY.heap,
    description: 'Heap of the managed server.',
  }),
  'neo4j.page_cache': setting(memory(), {
    env: 'STRATA_NEO4J_PAGE_CACHE',
    fallback: PRODUCTION_MEMORY.pageCache,
    description: 'Page cache of the managed server.',
  }),
  'neo4j.transaction_memory': setting(memory(), {
    env: 'STRATA_NEO4J_TRANSACTION_MEMORY',
    fallback: PRODUCTION_MEMORY.transactionTotal,
    description: 'Memory that all transactions together may take of the heap of the managed server.',
  }),
  'neo4j.line': setting(choice(RELEASES.map(({ line }) => line)), {
    env: 'STRATA_NEO4J_LINE',
    fallbackText: '2026 with Java 21 or newer, else 5.26',
    description: 'Line of the managed server.',
  }),
  'neo4j.java_home': setting(text(ANYTHING, 'a path'), {
    env: 'STRATA_JAVA_HOME',
    fallbackText: 'JAVA_HOME, PATH and the usual folders',
    description: 'Java of the managed server.',
  }),
  'neo4j.cache_dir': setting(text(ANYTHING, 'a path'), {
    env: 'STRATA_CACHE_DIR',
    fallbackText: '$XDG_CACHE_HOME/strata or ~/.cache/strata',
    description: 'Where the jars of the managed server and the local embedding model are kept.',
  }),
} as const;

/** Every setting by its key in `strata.toml` (a part before a dot is a section), in the order of the documentation. */
export const SETTINGS = {
  ...service,
  ...HTTP_SETTINGS,
  ...graphql,
  ...rate,
  ...work,
  ...BELIEF_SETTINGS,
  ...RETENTION_SETTINGS,
  ...lifecycle,
  ...MODEL_SETTINGS,
  ...EMBEDDING_SETTINGS,
  ...database,
  ...CONTRACT_SETTINGS,
};

/** The key of a setting. */
export type SettingKey = keyof typeof SETTINGS;

/** The value of a setting; `undefined` where it may be given nowhere and nothing stands in. */
export type SettingValue<Key extends SettingKey> = (typeof SETTINGS)[Key] extends {
  readonly kind: Kind<infer Value>;
}
  ? (typeof SETTINGS)[Key] extends { readonly fallback: unknown }
    ? Value
    : Value | undefined
  : never;

/** Values of all settings by key. */
export type SettingValues = { readonly [Key in SettingKey]: SettingValue<Key> };

/** The keys of all settings, in order. */
export const SETTING_KEYS = Object.keys(SETTINGS) as SettingKey[];

/** The setting of a key, without its value type. */
export function settingOf(key: SettingKey): Setting {
  return SETTINGS[key];
}

/** The flag of a setting, without dashes in front; `null` for secrets, which have none. */
export function flagOf(key: SettingKey): string | null {
  return settingOf(key).secret ? null : key.replaceAll(/[._]/g, '-');
}
