import type { ScopeReader, WalkedScope } from '../../graph/scope.ts';
import {
  MAX_COUNTED_EVENTS,
  scopeListQuery,
  type ScopeListItem,
  type ScopePage,
} from '../../schemas/scope-record.ts';
import { toRfc3339 } from '../../schemas/time.ts';
import type { ScopeWithRules } from '../access/rules.ts';
import { scopeRef } from '../capture/scope-key.ts';
import { StrataError } from '../errors.ts';
import { MAX_SCANNED_ROWS, SCOPE_WALK_ROWS } from '../limits.ts';
import type { AccessService, Call } from './access.ts';
import { parseQuery } from './query-input.ts';
import type { ScopeDirectory } from './scope-directory.ts';
import type { CursorSeal } from './sealed-cursor.ts';

/** Cursors of a list of scopes hold a multiple of so many characters, so that their length tells little of the path in them. */
const SCOPE_CURSOR_STEP = 512;

/** What the listing needs. */
export interface ScopeListingParts {
  readonly access: AccessService;
  readonly directory: ScopeDirectory;
  readonly scopes: ScopeReader;
  readonly seal: CursorSeal;
}

interface Page {
  readonly items: WalkedScope[];
  withheld: number;
  /** Path of the last scope that was looked at; null at the end. */
  position: string | null;
}

/** Pages through the scopes of a tenant in the order of their paths, as far as the caller may read them. */
export class ScopeListing {
  private readonly parts: ScopeListingParts;

  constructor(parts: ScopeListingParts) {
    this.parts = parts;
  }

  /**
   * A page of scopes. It may be short, where many are withheld or filtered out: `has_more` and `next_cursor` then go on.
   * Throws `INVALID_QUERY`, `POLICY_DENIED`.
   */
  async page(call: Call, query: unknown): Promise<ScopePage> {
    const { prefix = null, auto_provisioned, limit, cursor } = parseQuery(scopeListQuery, query);
    const { access } = this.parts;
    if (prefix === null) await access.authorize(call, 'scope.read', null);
    const tellsWithheld = prefix !== null && (await access.sees(call, 'scope.read', prefix));
    const after = this.positionOf(call, cursor);
    const page = await this.walk(call, { prefix, auto_provisioned, limit, after });
    return {
      items: await this.items(page.items),
      has_more: page.position !== null,
      ...(page.position === null ? {} : { next_cursor: this.cursorOf(call, page.position) }),
      ...(tellsWithheld && page.withheld > 0 ? { withheld_scopes: page.withheld } : {}),
    };
  }

  /** The cursor that continues a list behind a path. */
  cursorOf({ principal }: Call, path: string): string {
    const text = `${principal.tenant}\n${path}`;
    // Its length must not tell that of the path.
    const length = Math.ceil(text.length / SCOPE_CURSOR_STEP) * SCOPE_CURSOR_STEP;
    return `s${this.parts.seal.seal(text.padEnd(length))}`;
  }

  private positionOf({ principal }: Call, cursor: string | undefined): string | null {
    if (cursor === undefined) return null;
    const [tenant, path] =
      (cursor.startsWith('s') ? this.parts.seal.open(cursor.slice(1)) : null)?.split('\n') ?? [];
    if (tenant === principal.tenant && path !== undefined) return path.trimEnd();
    throw new StrataError('INVALID_QUERY', 'cursor: is not a cursor of this listing.', {
      details: { field_path: 'cursor', reason: 'malformed' },
    });
  }

  private async walk(
    { principal }: Call,
    asked: {
      prefix: string | null;
      auto_provisioned: boolean | undefined;
      limit: number;
      after: string | null;
    },
  ): Promise<Page> {
    const page: Page = { items: [], withheld: 0, position: asked.after };
    const rows = Math.min(asked.limit + 1, SCOPE_WALK_ROWS);
    for (let scanned = 0; scanned < MAX_SCANNED_ROWS;) {
      const found = await this.next(principal.tenant, asked.prefix, page.position, rows);
      const places = await this.parts.directory.places(
        found.scopes.map(({ path }) => ({ tenant: principal.tenant, path })),
      );
      for (const [i, scope] of found.scopes.entries()) {
        const place = places[i];
        const wanted =
          asked.auto_provisioned === undefined || asked.auto_provisioned === scope.auto_provisioned;
        if (place !== undefined && wanted) {
          const readable = this.parts.access.mayRead(principal, place);
          // A full page ends at its last scope: what lies behind it may be nothing that the caller may know of.
          if (readable && page.items.length === asked.limit)
            return { ...page, position: page.items.at(-1)?.path ?? null };
          if (readable) page.items.push(scope);
          else if (this.parts.access.mayRead(principal, above(place))) page.withheld += 1;
        }
        page.position = scope.path;
      }
      if (found.last) return { ...page, position: null };
      scanned += found.scopes.length;
    }
    return page;
  }

  /** The next scopes behind a path, the prefix itself first of all. */
  private async next(
    tenant: string,
    prefix: string | null,
    after: string | null,
    rows: number,
  ): Promise<{ scopes: WalkedScope[]; last: boolean }> {
    const { scopes } = this.parts;
    const first = prefix !== null && after === null ? scopes.one(scopeRef(tenant, prefix)) : null;
    const [own, below] = await Promise.all([first, scopes.walk(tenant, prefix, after ?? '', rows)]);
    return { scopes: own === null ? below : [own, ...below], last: below.length < rows };
  }

  private async items(scopes: readonly WalkedScope[]): Promise<ScopeListItem[]> {
    const details = await this.parts.scopes.details(
      scopes.map(({ ref }) => ref),
      MAX_COUNTED_EVENTS + 1,
    );
    // A scope that was removed between the two readings is left out, as it would be a moment later.
    return scopes.flatMap(({ ref, path, auto_provisioned }) => {
      const found = details.get(ref);
      if (found === undefined) return [];
      const { created_at, events, owner, member_count } = found;
      return {
        path,
        auto_provisioned,
        created_at: toRfc3339(created_at),
        event_count: Math.min(events, MAX_COUNTED_EVENTS),
        event_count_capped: events > MAX_COUNTED_EVENTS,
        owner,
        member_count,
      };
    });
  }
}

/** The place right above: where it may be read, the scope below it is where something withheld begins. */
function above({ path, levels }: ScopeWithRules): ScopeWithRules {
  return { path: path.slice(0, Math.max(0, path.lastIndexOf('/'))), levels: levels.slice(0, -1) };
}
