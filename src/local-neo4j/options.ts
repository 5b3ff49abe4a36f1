import type { Log } from '../log.ts';
import type { Neo4jMemory, Neo4jProfile } from './conf.ts';
import type { Environment } from './java-places.ts';
import type { ProgressListener } from './progress.ts';
import type { Neo4jLine } from './versions.ts';

/** The end of a server that was not asked to end. */
export interface UnexpectedExit {
  readonly code: number | null;
  readonly signal: string | null;
  /** Pause until it is started again, in ms; null when it will not be. */
  readonly restartInMs: number | null;
}

/** How the service's own Neo4j is to be run. */
export interface LocalNeo4jOptions {
  /** Holds the server's home (`neo4j/`) and password; created with mode 0700. Its lock is the caller's. */
  readonly dataDir: string;
  /** Holds `neo4j-<version>/lib`; may be shared by all services of a person. */
  readonly cacheDir: string;
  /** STRATA_JAVA_HOME: wins over every other Java. */
  readonly javaHome?: string | undefined;
  /** Where Java, Maven and Docker are looked for. */
  readonly environment: Environment;
  readonly memory: Neo4jMemory;
  readonly profile: Neo4jProfile;
  /** Forces a line; by default the newest that the Java found can run. */
  readonly version?: Neo4jLine | undefined;
  readonly log: Log;
  readonly progress: ProgressListener;
  /** Ends the start, wherever it is: Maven and what was started are stopped again. */
  readonly signal?: AbortSignal | undefined;
  /** Told of each end that was not asked for, beside the log. */
  readonly onExit?: ((info: UnexpectedExit) => void) | undefined;
}

/** A running Neo4j of our own. */
export interface LocalNeo4j {
  /** `neo4j://127.0.0.1:<port>`; keeps its port over restarts unless another program takes it between. */
  readonly uri: string;
  readonly user: string;
  readonly password: string;
  readonly database: 'neo4j';
  readonly version: string;
  /** The Java process now; undefined between restarts and with Docker. */
  readonly pid: number | undefined;
  readonly runner: 'java' | 'docker';
  /** Ends the server (TERM, patience, KILL) and its watchdog; it is not started again. May be repeated. */
  stop(): Promise<void>;
}
