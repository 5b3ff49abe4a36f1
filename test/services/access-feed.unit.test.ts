import type { AccessChanges, AccessReader } from '../../graph/access.ts';
import { AccessFeed } from '../../src/services/access-feed.ts';

/** A feed over a log of changes, one for each number up to `newest`. */
function feedOf(state: { newest: number }): AccessFeed {
  const reader: Pick<AccessReader, 'changes'> = {
    changes: (since) => {
      const changes: AccessChanges = { version: state.newest, scopes: [], revoked: [], keys: [] };
      return Promise.resolve(state.newest > since ? changes : null);
    },
  };
  return new AccessFeed(reader as AccessReader);
}

describe('the feed of changes of access', () => {
  it('tells every listener though one fails, and all of them again until none does', async () => {
    const state = { newest: 7 };
    const feed = feedOf(state);
    const heard: string[] = [];
    let broken = true;
    feed.listen(({ version }) => void heard.push(`first ${version}`));
    feed.listen(() => {
      if (broken) throw new Error('broken');
    });
    feed.listen(({ version }) => void heard.push(`last ${version}`));
    await expect(feed.refresh()).rejects.toThrow('broken');
    expect(heard).toEqual(['first 7', 'last 7']);
    expect(feed.version).toBe(0);
    // Nothing counts as known meanwhile.
    await expect(feed.fresh()).rejects.toThrow('broken');
    broken = false;
    await feed.fresh();
    expect(heard.slice(-2)).toEqual(['first 7', 'last 7']);
    expect(feed.version).toBe(7);
    await feed.refresh();
    expect(heard).toHaveLength(6);
  });
});
