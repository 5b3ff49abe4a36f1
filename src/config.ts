import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

import type { DeploymentPreset } from '../schemas/policy.ts';
import type { IssuerSetting, TrustProxy } from './config/kinds.ts';
import { embeddingConfig, type LocalFolders } from './config/embedding.ts';
import { modelsConfig, type ModelsConfig } from './config/call-sites.ts';
import type { Policies } from './config/policies.ts';
import { isLoopback, refuseContradictions, resolveSettings, type Resolved } from './config/resolve.ts';
import { CLOUD_READS, CLOUD_WRITES, type SettingValues } from './config/settings.ts';
import { fromEnvironment, fromFile, fromFlags } from './config/sources.ts';
import { idleSettings, refuseUnsupported, type IdleSetting } from './config/unsupported.ts';
import { readVocabulary } from './config/vocabulary.ts';
import type { Predicates } from './derive/vocabulary.ts';
import type { RevisionPolicy } from './derive/belief/revise.ts';
import type { Neo4jMemory } from './local-neo4j/conf.ts';
import type { Neo4jLine } from './local-neo4j/versions.ts';
import type { LogLevel } from './log.ts';
import type { EmbeddingConfig } from './models/embedding.ts';

/** The database: an existing server, or one of our own. */
export type DatabaseConfig =
  | {
      readonly kind: 'external';
      readonly uri: string;
      readonly user: string;
      /** Empty when the server asks for none. */
      readonly password: string;
      readonly database: string;
    }
  | {
      readonly kind: 'managed';
      readonly memory: Neo4jMemory;
      /** Absolute path of the jar cache. */
      readonly cacheDir: string;
      /** Absolute; looked for when undefined. */
      readonly javaHome: string | undefined;
      /** By the Java that is found when undefined. */
      readonly line: Neo4jLine | undefined;
    };

/** Everything that can be set, checked and frozen. Times are milliseconds. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Absolute path. */
  readonly dataDir: string;
  readonly logLevel: LogLevel;
  readonly access: {
    /** True when no key is asked for. */
    readonly open: boolean;
    /** True when it is so for other machines too. */
    readonly bindAll: boolean;
    /** The operator key that was set; `null`: the one stored in the data directory. */
    readonly apiKey: string | null;
    readonly preset: DeploymentPreset;
    /** Tenants known beside `default`. */
    readonly tenants: readonly string[];
    /** What is said of tenants and actors beside the preset. */
    readonly policies: Policies;
  };
  /** The key that suppressed contents are hashed with, where it was set; `null`: the one stored in the data directory. */
  readonly suppressionKey: string | null;
  readonly tokens: {
    /** Signing keys that were set (`k4.secret.…`), the first signs; `null`: those stored in the data directory. */
    readonly secretKeys: readonly string[] | null;
    /** Whether tokens are minted. */
    readonly minter: boolean;
    /** Whether strangers may sign up. */
    readonly signup: boolean;
    readonly trustedIssuers: readonly IssuerSetting[];
  };
  readonly allowedScopeTypes: readonly string[];
  /** What the deployment says of predicates. */
  readonly vocabulary: Predicates;
  readonly http: {
    /** Families of headers accepted and sent beside `X-Strata-*`, without `X-`. */
    readonly headerAliases: readonly string[];
    /** As Express takes it for `trust proxy`. */
    readonly trustProxy: TrustProxy;
    readonly corsOrigins: readonly string[];
    readonly headerTimeoutMs: number;
    readonly requestTimeoutMs: number;
    readonly keepAliveMs: number;
    readonly shutdownGraceMs: number;
    /** Delay of the event loop beyond which new work is refused when it lasts; 0: it never is. */
    readonly maxEventLoopDelayMs: number;
  };
  readonly graphql: {
    /** Whether the schema is told to callers. */
    readonly introspection: boolean;
  };
  /** Requests that a caller may send to this process; 0: as many as it likes, but no sign-up. */
  readonly rateLimit: {
    /** Writes a minute. */
    readonly write: number;
    /** Reads a minute. */
    readonly read: number;
    /** Sign-ups an hour from one address. */
    readonly signup: number;
    /** Wrong keys a minute from one address. */
    readonly wrongKeys: number;
  };
  readonly audit: {
    /** Whether captures leave rows in the audit log. */
    readonly captures: boolean;
    /** Days that rows are kept; 0: for ever. */
    readonly retentionDays: number;
  };
  readonly capture: {
    readonly queueMaxEvents: number;
    readonly queueMaxBytes: number;
    readonly waitBudgetMs: number;
  };
  readonly forget: {
    /** Milliseconds that a forget waits for another one of the same scope. */
    readonly leaseWaitMs: number;
  };
  readonly retention: {
    /** Days that events are kept of which no scope says anything; null for ever. */
    readonly defaultDays: number | null;
    /** Milliseconds between two sweeps; 0: only when somebody asks. */
    readonly sweepIntervalMs: number;
    readonly maxEventsPerTick: number;
    readonly tickBudgetMs: number;
  };
  readonly pipeline: {
    readonly leaseMs: number;
    readonly pollMs: number;
    readonly batchEvents: number;
    /** Milliseconds after which events of a periodic scope are consolidated. */
    readonly consolidationIntervalMs: number;
  };
  /** When beliefs are revised. */
  readonly beliefs: RevisionPolicy;
  readonly lifecycle: {
    readonly pollMs: number;
    readonly maxReaders: number;
    readonly stallMs: number;
    readonly heartbeatMs: number;
    readonly retentionDays: number;
  };
  /** Call sites of language models. */
  readonly models: ModelsConfig;
  /** What makes vectors of texts. */
  readonly embedding: EmbeddingConfig;
  readonly database: DatabaseConfig;
  /** How long the answer to one statement is waited for, milliseconds. */
  readonly statementTimeoutMs: number;
  /** What was set and changes nothing. */
  readonly idle: readonly IdleSetting[];
}

/** Where settings may be given, weakest first: `strata.toml`, environment, flags. */
export interface ConfigInput {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Flags by name without dashes. */
  readonly flags?: Readonly<Record<string, string | boolean | undefined>>;
  /** File named by the caller; without it `strata.toml` is read where it exists. */
  readonly file?: string | undefined;
  /** Directory that relative paths start from. */
  readonly directory: string;
}

/**
 * Reads, checks and freezes the configuration.
 *
 * @throws StartupError (exit code 78) on an unknown key or `STRATA_*` variable, a value that is not allowed, or
 * settings at odds; the message names them and what is allowed.
 */
export function loadConfig(input: ConfigInput): Config {
  const { values, policies } = loadSettings(input);
  return buildConfig(values, policies, input);
}

/** The settings behind {@link loadConfig}, each with its origin, and the policies. Throws as it does. */
export function loadSettings(input: ConfigInput): Resolved & { readonly policies: Policies } {
  const environment = fromEnvironment(input.environment);
  const { settings, policies } = fromFile(input.file, input.directory);
  const resolved = resolveSettings([settings, environment, fromFlags(input.flags ?? {})]);
  refuseContradictions(resolved.values);
  refuseUnsupported(resolved.values);
  return { ...resolved, policies };
}

/** Under presets for a machine of one's own the schema is told unless it is forbidden. */
function tellsSchema(preset: DeploymentPreset = 'dev_local'): boolean {
  return preset === 'dev_local' || preset === 'auth_disabled';
}

/** Under presets for strangers callers have a rate unless it is set. */
function isCloud(preset: DeploymentPreset = 'dev_local'): boolean {
  return preset === 'cloud_shared_saas' || preset === 'cloud_strict';
}

/** On an address that others can reach, who lets strangers in says so by name. */
function takesSignups(values: SettingValues): boolean {
  if (values['rate_limit.signup'] === 0) return false;
  const follows = values.insecure_no_auth || (values.v1_minter_enable && isLoopback(values.host));
  return values.signup_enable ?? follows;
}

function buildConfig(
  values: SettingValues,
  policies: Policies,
  { directory, environment }: ConfigInput,
): Config {
  return deepFreeze({
    host: values.host,
    port: values.port,
    dataDir: resolve(directory, values.data_dir),
    logLevel: values['log.level'],
    access: {
      open: values.insecure_no_auth,
      bindAll: values.insecure_bind_all,
      apiKey: values.api_key ?? null,
      preset: values.deployment_preset ?? 'dev_local',
      tenants: values.tenants,
      policies,
    },
    suppressionKey: values.suppression_key ?? null,
    tokens: {
      secretKeys: values.token_secret_key ?? null,
      minter: values.v1_minter_enable || values.insecure_no_auth,
      signup: takesSignups(values),
      trustedIssuers: values.trusted_issuers,
    },
    allowedScopeTypes: values.allowed_scope_types ?? [],
    vocabulary: readVocabulary(values.vocabulary, directory).predicates,
    http: {
      headerAliases: values.header_aliases,
      trustProxy: values['http.trust_proxy'],
      corsOrigins: values['http.cors_origins'],
      headerTimeoutMs: values['http.header_timeout_ms'],
      requestTimeoutMs: values['http.request_timeout_ms'],
      keepAliveMs: values['http.keep_alive_ms'],
      shutdownGraceMs: values['http.shutdown_grace_ms'],
      maxEventLoopDelayMs: values['http.max_event_loop_delay_ms'],
    },
    graphql: { introspection: values['graphql.introspection'] ?? tellsSchema(values.deployment_preset) },
    rateLimit: {
      write: values['rate_limit.write'] ?? (isCloud(values.deployment_preset) ? CLOUD_WRITES : 0),
      read: values['rate_limit.read'] ?? (isCloud(values.deployment_preset) ? CLOUD_READS : 0),
      signup: values['rate_limit.signup'],
      wrongKeys: values['rate_limit.wrong_keys'],
    },
    audit: { captures: values['audit.captures'], retentionDays: values['audit.retention_days'] },
    ...workConfig(values),
    models: modelsConfig(values),
    embedding: embeddingConfig(values, localPlaces(values, { directory, environment })),
    database: databaseConfig(values, { directory, environment }),
    statementTimeoutMs: values['neo4j.statement_timeout_ms'],
    idle: idleSettings(values),
  });
}

function workConfig(
  values: SettingValues,
): Pick<Config, 'capture' | 'forget' | 'retention' | 'pipeline' | 'beliefs' | 'lifecycle'> {
  return {
    capture: {
      queueMaxEvents: values['capture.queue_max_events'],
      queueMaxBytes: values['capture.queue_max_bytes'],
      waitBudgetMs: values['capture.wait_budget_ms'],
    },
    forget: { leaseWaitMs: values['forget.lease_wait_seconds'] * 1000 },
    retention: {
      defaultDays: values['retention.default_days'] ?? null,
      sweepIntervalMs: values['retention.sweep_interval_seconds'] * 1000,
      maxEventsPerTick: values['retention.max_events_per_tick'],
      tickBudgetMs: values['retention.tick_budget_seconds'] * 1000,
    },
    pipeline: {
      leaseMs: values['pipeline.lease_ms'],
      pollMs: values['pipeline.poll_ms'],
      batchEvents: values['pipeline.batch_events'],
      consolidationIntervalMs: values['pipeline.consolidation_interval_seconds'] * 1000,
    },
    beliefs: {
      minChange: values['beliefs.min_change'],
      cooldownMs: values['beliefs.cooldown_ms'],
    },
    lifecycle: lifecycleConfig(values),
  };
}

function lifecycleConfig(values: SettingValues): Config['lifecycle'] {
  return {
    pollMs: values['lifecycle.poll_ms'],
    maxReaders: values['lifecycle.max_readers'],
    stallMs: values['lifecycle.stall_ms'],
    heartbeatMs: values['lifecycle.heartbeat_ms'],
    retentionDays: values['lifecycle.retention_days'],
  };
}

function databaseConfig(
  values: SettingValues,
  { directory, environment }: Pick<ConfigInput, 'directory' | 'environment'>,
): DatabaseConfig {
  const uri = values['neo4j.uri'];
  if (uri !== undefined) {
    return {
      kind: 'external',
      uri,
      user: values['neo4j.user'],
      password: values['neo4j.password'],
      database: values['neo4j.database'],
    };
  }
  return {
    kind: 'managed',
    memory: {
      heap: values['neo4j.heap'],
      pageCache: values['neo4j.page_cache'],
      transactionTotal: values['neo4j.transaction_memory'],
    },
    ...localPlaces(values, { directory, environment }),
    line: values['neo4j.line'],
  };
}

function localPlaces(
  values: SettingValues,
  { directory, environment }: Pick<ConfigInput, 'directory' | 'environment'>,
): LocalFolders {
  const javaHome = values['neo4j.java_home'];
  return {
    cacheDir: resolve(directory, values['neo4j.cache_dir'] ?? defaultCacheDir(environment)),
    javaHome: javaHome === undefined ? undefined : resolve(directory, javaHome),
  };
}

/** The cache of this user where no setting names one: `strata` in `XDG_CACHE_HOME`, or where that is not set or empty in `~/.cache`. */
export function defaultCacheDir(environment: ConfigInput['environment']): string {
  const base = environment.XDG_CACHE_HOME;
  return join(base === undefined || base === '' ? join(homedir(), '.cache') : base, 'strata');
}

function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value)) {
    if (typeof inner === 'object' && inner !== null) deepFreeze(inner as object);
  }
  return Object.freeze(value);
}
