/** One of the two release lines of Neo4j this service can run by itself. */
export type Neo4jLine = '2026' | '5.26';

/** What is known of the pinned release of a line. */
export interface Neo4jRelease {
  readonly line: Neo4jLine;
  readonly version: string;
  /** Oldest Java that runs it. */
  readonly minimumJava: number;
  /** Newest Java its vendor names; a newer one is taken only where there is no other. */
  readonly newestJava: number;
  /** Files of the runtime class path, for showing progress; the truth is what Maven resolves. */
  readonly jars: number;
  /** Their size in MB (10^6 bytes). */
  readonly megabytes: number;
  /** Maven descriptors read to resolve them. */
  readonly descriptors: number;
  /**
   * The class Java starts, as named by the release's own services file. A constant because the release is
   * pinned too; that the fetched jar holds it is checked after each fetch.
   */
  readonly mainClass: string;
}

/** The pinned releases, newest line first. */
export const RELEASES: readonly Neo4jRelease[] = [
  {
    line: '2026',
    version: '2026.09.0',
    minimumJava: 21,
    newestJava: 25,
    jars: 230,
    megabytes: 155,
    descriptors: 372,
    mainClass: 'org.neo4j.server.Neo4jCommunity',
  },
  {
    line: '5.26',
    version: '5.26.31',
    minimumJava: 17,
    newestJava: 21,
    jars: 213,
    megabytes: 123,
    descriptors: 360,
    mainClass: 'org.neo4j.server.CommunityEntryPoint',
  },
];

/** A span of Java feature versions. */
export interface JavaRange {
  /** Older ones cannot be used. */
  readonly oldest: number;
  /** Newer ones are used only where there is no other. */
  readonly newest: number;
}

/** The Javas with which some release can be run. */
export const ANY_JAVA: JavaRange = { oldest: 17, newest: 25 };

/** The Javas that run a release. */
export function javaFor(release: Neo4jRelease): JavaRange {
  return { oldest: release.minimumJava, newest: release.newestJava };
}

/** The pinned release of a line. */
export function releaseOf(line: Neo4jLine): Neo4jRelease {
  const release = RELEASES.find((candidate) => candidate.line === line);
  if (release === undefined) throw new RangeError(`no release of line ${line}`);
  return release;
}

/** The newest release a Java of this feature version runs, or null when it is too old for all. */
export function releaseForJava(feature: number): Neo4jRelease | null {
  return RELEASES.find((release) => feature >= release.minimumJava) ?? null;
}
