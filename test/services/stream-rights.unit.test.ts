import type { AccessChanges } from '../../graph/access.ts';
import type { ScopeWithRules } from '../../src/access/rules.ts';
import { StrataError } from '../../src/errors.ts';
import { silentLog } from '../../src/log.ts';
import { AccessService } from '../../src/services/access.ts';
import type { AccessListener } from '../../src/services/access-feed.ts';
import type { ScopeName } from '../../src/services/scope-directory.ts';
import { StreamRights, StreamScopes } from '../../src/services/stream-rights.ts';
import { holder, NO_RULES } from '../support/principals.ts';
import { eventually } from '../support/wait.ts';

const SCOPE = 'org:a/project:x';
const OTHERS = {
  members: new Map([['user:other', 'owner' as const]]),
  allow: ['*' as const],
  deny: [],
};

/** Rights over rules that the test sets, as a database would hold them. */
class World {
  readonly lost: string[] = [];
  readonly asked: string[][] = [];
  closed = false;
  away = false;
  version = 1;
  private listener: AccessListener = () => undefined;
  private readonly rights = new StreamRights({
    access: new AccessService({
      posture: { kind: 'keyed', key: 'k'.repeat(24) },
      preset: 'dev_local',
      tenants: [],
      rules: NO_RULES,
    }),
    rules: {
      placesNow: (scopes) => this.placesNow(scopes),
      lastChange: () => Promise.resolve({ by: 'user:boss', at: 7 }),
    },
    feed: this.feed(),
    log: silentLog,
  });

  /** Watches a stream about the scopes, opened at a version of the rules; answers what lets go of it. */
  watch(scopes: readonly string[] | StreamScopes, since = this.version): () => void {
    const call = { principal: holder('user:a') };
    return this.rights.watch({
      call,
      scopes: scopes instanceof StreamScopes ? scopes : new StreamScopes(scopes),
      since,
      onLost: ({ scope, by, at }) => {
        expect([by, at]).toEqual(['user:boss', 7]);
        this.lost.push(scope);
      },
    });
  }

  tell(path: string, tenant = 'default'): void {
    const changes: AccessChanges = { version: 2, scopes: [{ tenant, path }], revoked: [], keys: [] };
    this.listener(changes);
    this.version = 2;
  }

  private feed(): { listen: (listener: AccessListener) => void; readonly version: number } {
    const versionNow = (): number => this.version;
    return {
      listen: (listener) => {
        this.listener = listener;
      },
      get version() {
        return versionNow();
      },
    };
  }

  private placesNow(scopes: readonly ScopeName[]): Promise<ScopeWithRules[]> {
    this.asked.push(scopes.map(({ path }) => path));
    if (this.away) return Promise.reject(new StrataError('DATABASE_UNAVAILABLE', 'The database is away.'));
    const level = this.closed ? OTHERS : null;
    return Promise.resolve(scopes.map(({ path }) => ({ path, levels: path.split('/').map(() => level) })));
  }
}

describe('the right to a stream', () => {
  it('is asked after only where a change concerns it, and kept while the rules leave it', async () => {
    const world = new World();
    world.watch([SCOPE]);
    world.tell('org:a/project:xy');
    world.tell('org:a', 'elsewhere');
    world.tell(`${SCOPE}/user:b`);
    expect(world.asked).toEqual([]);
    world.tell('org:a');
    await eventually('a decision', () => world.asked.length === 1);
    expect(world.lost).toEqual([]);
  });

  it('is lost by a change that came between the decision that opened the stream and its watching', async () => {
    const world = new World();
    const since = world.version;
    world.closed = true;
    world.tell('org:a');
    world.watch([SCOPE], since);
    await eventually('the loss', () => world.lost.length === 1);
    expect(world.lost).toEqual([SCOPE]);
  });

  it('is lost where a scope is shown for the first time by rules of before a change that was told already', async () => {
    const world = new World();
    const shown = new StreamScopes();
    world.watch(shown);
    world.closed = true;
    world.tell('org:a');
    expect(world.asked).toEqual([]);
    shown.show(SCOPE);
    shown.show(SCOPE);
    await eventually('the loss', () => world.lost.length === 1);
    expect([world.lost, world.asked]).toEqual([[SCOPE], [[SCOPE]]]);
  });

  it('is kept, and asked after once, where the rules leave what is shown for the first time', async () => {
    const world = new World();
    const shown = new StreamScopes();
    const unwatch = world.watch(shown);
    shown.show(SCOPE);
    shown.show(SCOPE);
    await eventually('a decision', () => world.asked.length === 1);
    unwatch();
    shown.show('org:a/project:y');
    expect([world.lost, world.asked]).toEqual([[], [[SCOPE]]]);
  });

  it('is lost once the rules can be read again', async () => {
    const world = new World();
    world.watch([SCOPE]);
    world.closed = true;
    world.away = true;
    world.tell(SCOPE);
    await eventually('another try', () => world.asked.length > 1);
    world.away = false;
    await eventually('the loss', () => world.lost.length === 1);
  });

  it('is not asked after once the stream has ended', async () => {
    const world = new World();
    const unwatch = world.watch([SCOPE]);
    world.watch(['org:a/project:y']);
    world.closed = true;
    world.tell('org:a');
    unwatch();
    await eventually('the loss of the other', () => world.lost.length === 1);
    world.tell('org:a');
    expect(world.lost).toEqual(['org:a/project:y']);
  });
});
