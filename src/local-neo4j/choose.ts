import { StartupError } from '../errors.ts';
import type { Maven } from '../machine/maven.ts';
import { createDockerRunner, probeDocker } from './docker-runner.ts';
import { createJavaRunner } from './java-runner.ts';
import { cachedJars, ensureJars } from './jars.ts';
import { findJava, type Java } from './java.ts';
import { findOnPath } from './java-places.ts';
import { assertLineOpens, readDataLine } from './data-line.ts';

import type { LocalNeo4jOptions } from './options.ts';
import type { Runner } from './runner.ts';
import {
  ANY_JAVA,
  javaFor,
  releaseForJava,
  releaseOf,
  type Neo4jLine,
  type Neo4jRelease,
} from './versions.ts';

/** A runner and the line it writes the home with. */
export interface Choice {
  readonly runner: Runner;
  readonly line: Neo4jLine;
}

/**
 * Java where there is one and the jars are there or can be fetched; otherwise Docker.
 *
 * @throws StartupError when neither can be had, or the data is of a newer line.
 */
export async function chooseRunner(
  options: LocalNeo4jOptions,
  home: string,
  password: string,
): Promise<Choice> {
  const written = await readDataLine(home);
  const { environment, memory, profile, version, log } = options;
  const range = version === undefined ? ANY_JAVA : javaFor(releaseOf(version));
  const java = await findJava(options.javaHome, environment, range);
  const maven = await findMaven(options, java);
  const release = java === null ? null : releaseFor(java, version);
  if (java !== null && release !== null) {
    const obtainable = maven !== null || (await cachedJars(options.cacheDir, release)) !== null;
    if (obtainable) {
      assertLineOpens(home, written, release.line);
      const lib = await ensureJars(release, { ...options, maven });
      log.info('running Neo4j with Java', { version: release.version, java: java.feature, home: java.home });
      const runner = createJavaRunner({ home, java, release, lib, memory, profile, log });
      return { runner, line: release.line };
    }
  }
  const docker = version === '5.26' ? null : await probeDocker(await findOnPath('docker', environment.PATH));
  if (docker === null) throw nothingToRunWith(java, maven, range.oldest);
  log.info('running Neo4j with Docker', { rootless: docker.rootless });
  return { runner: createDockerRunner({ home, docker, password, memory, profile, log }), line: '2026' };
}

function releaseFor(java: Java, forced: Neo4jLine | undefined): Neo4jRelease | null {
  return forced === undefined ? releaseForJava(java.feature) : releaseOf(forced);
}

async function findMaven({ environment }: LocalNeo4jOptions, java: Java | null): Promise<Maven | null> {
  const executable = await findOnPath('mvn', environment.PATH);
  if (executable === null) return null;
  const hasJava =
    environment.JAVA_HOME !== undefined || (await findOnPath('java', environment.PATH)) !== null;
  return hasJava || java === null ? { executable } : { executable, javaHome: java.home };
}

/** What to say to a person who has neither Java and Maven nor Docker. */
export function nothingToRunWith(java: Java | null, maven: Maven | null, oldest: number): StartupError {
  const missing = [
    java === null ? `no Java ${oldest} or newer was found` : `Java ${java.feature} was found in ${java.home}`,
    maven === null ? 'no Maven (mvn) is on the PATH' : `Maven is ${maven.executable}`,
    'no Docker engine answers "docker info"',
  ];
  return new StartupError(
    `There is nothing to run Neo4j with: ${missing.join(', ')}. Do one of these and start again:\n` +
      '  - install Java 21 or newer and Maven 3.8 or newer ' +
      '(Debian, Ubuntu: apt install openjdk-21-jdk maven; macOS: brew install openjdk maven); ' +
      'a Java in an unusual place is named by STRATA_JAVA_HOME\n' +
      '  - install Docker and see that "docker info" works for this user\n' +
      '  - run a Neo4j 5.26 or newer elsewhere and name it by NEO4J_URI',
  );
}
