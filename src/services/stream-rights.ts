import { setTimeout as pause } from 'node:timers/promises';

import { errorText } from '../errors.ts';
import { ACCESS_POLL_MS } from '../limits.ts';
import type { Log } from '../log.ts';
import type { AccessService, Call, RuleDirectory } from './access.ts';
import type { AccessFeed } from './access-feed.ts';
import type { LostRight } from '../lifecycle/frame.ts';
import type { ScopeDirectory, ScopeName } from './scope-directory.ts';

/** What the rights rest on. */
export interface StreamRightsParts {
  readonly access: Pick<AccessService, 'mayFollow'>;
  readonly rules: Pick<RuleDirectory, 'placesNow'> & Pick<ScopeDirectory, 'lastChange'>;
  readonly feed: Pick<AccessFeed, 'listen' | 'version'>;
  readonly log: Log;
}

/** The scopes that a stream is about, as far as they are known: of one thing that may lie anywhere those that it has shown. */
export class StreamScopes {
  private readonly known: Set<string>;
  private onNew: () => void = () => undefined;

  constructor(paths: readonly string[] = []) {
    this.known = new Set(paths);
  }

  /** Says that the stream shows something of a scope. */
  show(path: string): void {
    if (this.known.has(path)) return;
    this.known.add(path);
    this.onNew();
  }

  /** Has `listener` told of each scope that is shown for the first time; instead of the one before. */
  listen(listener: () => void): void {
    this.onNew = listener;
  }

  /** Their paths. */
  get paths(): readonly string[] {
    return [...this.known];
  }
}

/** A stream whose caller may follow it now. */
export interface WatchedStream {
  readonly call: Pick<Call, 'principal'>;
  /** While there are none, nothing of it can be lost. */
  readonly scopes: StreamScopes;
  /** {@link AccessFeed.version} before it was decided that the caller may follow it. */
  readonly since: number;
  /** Called once, when the caller may not follow any of its scopes any more, with one of them and what took the right away. Must not throw. */
  readonly onLost: (lost: LostRight) => void;
}

/** Tells streams, which outlive the decision that opened them, when a change of rules takes the right to them away. */
export class StreamRights {
  private readonly parts: StreamRightsParts;
  private readonly watched = new Set<WatchedStream>();
  /** Those about which is to be decided again. */
  private readonly pending = new Set<WatchedStream>();
  private deciding = false;

  constructor(parts: StreamRightsParts) {
    this.parts = parts;
    parts.feed.listen(({ scopes }) => {
      for (const stream of this.watched) {
        if (scopes.some((changed) => concerns(changed, stream))) this.pending.add(stream);
      }
      void this.decide();
    });
  }

  /** {@link AccessFeed.version} now, for {@link WatchedStream.since}. */
  get version(): number {
    return this.parts.feed.version;
  }

  /** Watches a stream until the answered function is called or its right is lost. */
  watch(stream: WatchedStream): () => void {
    this.watched.add(stream);
    // What it shows for the first time may have been let through by rules of before a change that was told already.
    stream.scopes.listen(() => {
      this.decideAgain(stream);
    });
    if (stream.since !== this.version) this.decideAgain(stream);
    return () => {
      this.forget(stream);
    };
  }

  private decideAgain(stream: WatchedStream): void {
    if (!this.watched.has(stream)) return;
    this.pending.add(stream);
    void this.decide();
  }

  private forget(stream: WatchedStream): void {
    this.watched.delete(stream);
    this.pending.delete(stream);
  }

  /** Decides about those that wait, until none does; never rejects. While the rules cannot be read, it tries again. */
  private async decide(): Promise<void> {
    if (this.deciding) return;
    this.deciding = true;
    let away = false;
    while (this.pending.size > 0) {
      const streams = [...this.pending];
      this.pending.clear();
      try {
        await this.decideAbout(streams);
        away = false;
      } catch (error) {
        for (const stream of streams) if (this.watched.has(stream)) this.pending.add(stream);
        if (!away)
          this.parts.log.warn('streams wait for the rules of their scopes', { error: errorText(error) });
        away = true;
        await pause(ACCESS_POLL_MS, undefined, { ref: false });
      }
    }
    this.deciding = false;
  }

  private async decideAbout(streams: readonly WatchedStream[]): Promise<void> {
    const { access, rules } = this.parts;
    const names = streams.map(namesOf);
    const places = await rules.placesNow(names.flat());
    let next = 0;
    const losing = streams.flatMap((stream, i) => {
      const from = next;
      next += names[i]?.length ?? 0;
      const own = places.slice(from, next);
      const [lost] = own;
      const follows = own.some((place) => access.mayFollow(stream.call.principal, place));
      return lost === undefined || follows ? [] : [{ stream, path: lost.path }];
    });
    const changes = await Promise.all(
      losing.map(({ stream: { call }, path }) => rules.lastChange({ tenant: call.principal.tenant, path })),
    );
    losing.forEach(({ stream, path }, i) => {
      if (!this.watched.has(stream)) return;
      this.forget(stream);
      stream.onLost({ scope: path, by: changes[i]?.by ?? null, at: changes[i]?.at ?? null });
    });
  }
}

function namesOf({ call, scopes }: WatchedStream): ScopeName[] {
  return scopes.paths.map((path) => ({ tenant: call.principal.tenant, path }));
}

/** Whether a change of the rules of a scope may change who follows a stream. */
function concerns({ tenant, path }: ScopeName, { call, scopes }: WatchedStream): boolean {
  if (tenant !== call.principal.tenant) return false;
  return scopes.paths.some((scope) => scope === path || scope.startsWith(`${path}/`));
}
