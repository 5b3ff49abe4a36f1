import { openStore } from '../../graph/open-store.ts';
import { StartupError } from '../../src/errors.ts';

const URI = 'neo4j://db.example.com';

/** A database that answers with its version, and every statement with a failure of this code. */
function failing(code: string, text: string): Parameters<typeof openStore>[0] {
  const fails = (): Promise<never> => Promise.reject(Object.assign(new Error(text), { code }));
  return {
    serverVersion: () => Promise.resolve('2026.09.0'),
    read: fails,
    write: fails,
    writeRepeatable: fails,
    transaction: fails,
  };
}

describe('a store that cannot be opened', () => {
  it('for want of a right is refused with that right and what the user needs', async () => {
    const text = "Create constraint is not allowed for user 'reader' with roles [PUBLIC, reader].";
    const opened = openStore(failing('Neo.ClientError.Security.Forbidden', text), URI);
    await expect(opened).rejects.toThrow(StartupError);
    await expect(opened).rejects.toMatchObject({
      exitCode: 78,
      message: expect.stringMatching(
        /refuses what Strata needs: Create constraint .* reader\]\. Let the user/,
      ),
    });
  });

  it('because it is not there is refused with the settings that say where it is', async () => {
    const text = 'Database does not exist.';
    const opened = openStore(failing('Neo.ClientError.Database.DatabaseNotFound', text), URI);
    await expect(opened).rejects.toMatchObject({
      name: 'StartupError',
      exitCode: 1,
      message: expect.stringMatching(/cannot be used: Database does not exist\. Check .* NEO4J_DATABASE/),
    });
  });

  it('for a fault of ours is no matter of settings', async () => {
    const opened = openStore(failing('Neo.ClientError.Statement.SyntaxError', 'Invalid input'), URI);
    await expect(opened).rejects.not.toThrow(StartupError);
  });
});
