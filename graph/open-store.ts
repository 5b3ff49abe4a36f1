import { errorText, StartupError, StrataError } from '../src/errors.ts';
import type { Database, Writer } from './driver.ts';
import { failureOf, isAway, isForbidden } from './errors.ts';
import { migrate } from './migrate.ts';

/** Exit code of a start whose database does not answer. */
const NO_DATABASE = 1;

/**
 * The version of the server, once its store is the one that this code needs ({@link migrate}). Throws a `StartupError` that names the
 * settings where the database cannot be used, or the right that its user has not.
 */
export async function openStore(
  database: Writer & Pick<Database, 'serverVersion'>,
  uri: string,
): Promise<string> {
  const version = await database.serverVersion().catch((error: unknown) => {
    throw unusable(error, uri);
  });
  try {
    await migrate(database, version);
  } catch (error) {
    if (isForbidden(error)) throw forbidden(error, uri);
    // One server, spoken to by bolt://, does not say before the first statement that there is no database of that name.
    throw isAway(failureOf(error)) ? unusable(error, uri) : error;
  }
  return version;
}

function unusable(error: unknown, uri: string): StartupError {
  return new StartupError(
    `Neo4j at ${uri} cannot be used: ${reasonOf(error)}. ` +
      'Check NEO4J_URI, NEO4J_USER, NEO4J_PASSWORD, NEO4J_DATABASE, and that the server is up.',
    { exitCode: NO_DATABASE, cause: error },
  );
}

function forbidden(error: unknown, uri: string): StartupError {
  return new StartupError(
    `Neo4j at ${uri} refuses what Strata needs: ${reasonOf(error)}. Let the user (NEO4J_USER) read and write, make new labels and ` +
      'property names, show, create and drop constraints and indexes, and call the procedures db.*: of the roles of a server, architect may.',
    { cause: error },
  );
}

function reasonOf(error: unknown): string {
  const cause = error instanceof StrataError && error.cause !== undefined ? error.cause : error;
  return errorText(cause).replace(/\.$/, '');
}
