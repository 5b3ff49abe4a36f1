import { join } from 'node:path';
import type { Neo4jMemory, Neo4jProfile } from './conf.ts';
import type { Java } from './java.ts';
import type { Neo4jRelease } from './versions.ts';

/** Newest Java whose vector module the server's Lucene knows. */
const NEWEST_VECTOR_JAVA = 25;

/**
 * A heap of 1 GiB has regions of 1 MiB by itself, and arrays from half a region on, which transactions make many of, never are young:
 * with these the server took an eighth less of the processor while statements were derived.
 */
const HEAP_REGION = '-XX:G1HeapRegionSize=4m';

/** The argument by which a server's process is known to belong to a home directory. */
export function homeArgument(home: string): string {
  return `--home-dir=${home}`;
}

/** The arguments with which Java runs the server. */
export function javaArguments(
  java: Java,
  release: Neo4jRelease,
  lib: string,
  home: string,
  memory: Neo4jMemory,
  profile: Neo4jProfile,
): string[] {
  const opened = ['java.nio', 'java.io', 'sun.nio.ch', 'java.util.concurrent'];
  return [
    ...(profile === 'production'
      ? [`-Xms${memory.heap}`, '-XX:+UseG1GC', HEAP_REGION, '-XX:+ExitOnOutOfMemoryError']
      : ['-XX:+UseSerialGC']),
    `-Xmx${memory.heap}`,
    '-XX:-OmitStackTraceInFastThrow',
    ...opened.map((name) => `--add-opens=java.base/${name}=ALL-UNNAMED`),
    '--enable-native-access=ALL-UNNAMED',
    ...vectorArguments(java, release),
    '-Dio.netty.tryReflectionSetAccessible=true',
    '-Dio.netty.leakDetection.level=DISABLED',
    '-Dlog4j2.disable.jmx=true',
    '-Djdk.nio.maxCachedBufferSize=1024',
    '-Dfile.encoding=UTF-8',
    '-cp',
    join(lib, '*'),
    release.mainClass,
    homeArgument(home),
    `--config-dir=${join(home, 'conf')}`,
    '--console-mode',
  ];
}

/** A Java without the module refuses to start when it is asked for, so an unknown one goes without. */
function vectorArguments(java: Java, release: Neo4jRelease): string[] {
  if (release.line !== '2026' || java.vectors !== true || java.feature > NEWEST_VECTOR_JAVA) return [];
  return [
    '--add-modules=jdk.incubator.vector',
    `-Dorg.neo4j.shaded.lucene9.vectorization.upperJavaFeatureVersion=${NEWEST_VECTOR_JAVA}`,
  ];
}
