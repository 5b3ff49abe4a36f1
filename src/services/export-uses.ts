import type { ExportUses } from '../../graph/export-use.ts';
import { scopeRef } from '../capture/scope-key.ts';
import type { Clock } from '../clock.ts';
import { StrataError } from '../errors.ts';
import { MAX_GRAPH_EXPORTS, MAX_GRAPH_EXPORTS_OF_TENANT } from '../limits/reading.ts';
import type { Call } from './access.ts';

/** Exports that are under way in this process, by tenant. */
export class ExportSlots {
  private readonly open = new Map<string, number>();

  /** Throws `SERVER_BUSY` where one more is too many, for the process or for the tenant. */
  requireRoom(tenant: string): void {
    const all = [...this.open.values()].reduce((sum, count) => sum + count, 0);
    if (all < MAX_GRAPH_EXPORTS && this.of(tenant) < MAX_GRAPH_EXPORTS_OF_TENANT) return;
    throw new StrataError('SERVER_BUSY', 'as many graphs are being exported as may be at once; try again');
  }

  /** Takes room for one; answers what gives it back. Throws as {@link ExportSlots.requireRoom} does. */
  take(tenant: string): () => void {
    this.requireRoom(tenant);
    this.open.set(tenant, this.of(tenant) + 1);
    return () => {
      const left = this.of(tenant) - 1;
      if (left === 0) this.open.delete(tenant);
      else this.open.set(tenant, left);
    };
  }

  private of(tenant: string): number {
    return this.open.get(tenant) ?? 0;
  }
}

/** Notes of one export who is handed what lies in which scopes. */
export class ExportNotes {
  private readonly parts: { readonly uses: ExportUses; readonly clock: Clock };
  private readonly call: Call;
  private readonly noted = new Set<string>();

  constructor(parts: ExportNotes['parts'], call: Call) {
    this.parts = parts;
    this.call = call;
  }

  /** Notes scopes by their paths, `/*` behind one with all that lies below it, each once; before anything of them is sent. */
  async note(paths: Iterable<string>): Promise<void> {
    const { tenant, actor } = this.call.principal;
    const fresh = [...new Set(paths)].filter((path) => !this.noted.has(path));
    if (fresh.length === 0) return;
    const uses = fresh.map((path) => {
      const subtree = path.endsWith('/*');
      return { ref: scopeRef(tenant, subtree ? path.slice(0, -2) : path), subtree, actor };
    });
    await this.parts.uses.note(uses, this.parts.clock.now());
    for (const path of fresh) this.noted.add(path);
  }
}
