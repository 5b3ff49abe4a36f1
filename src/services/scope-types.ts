import type { ScopeReader } from '../../graph/scope.ts';
import { levelPaths, segmentTypes } from '../../schemas/scope.ts';
import { scopeRef } from '../capture/scope-key.ts';
import { StrataError } from '../errors.ts';

/** Keeps to the segment types that new scopes may have. */
export class ScopeTypes {
  private readonly scopes: ScopeReader;
  private readonly allowed: ReadonlySet<string>;

  constructor(scopes: ScopeReader, allowed: readonly string[]) {
    this.scopes = scopes;
    this.allowed = new Set(allowed);
  }

  /**
   * Refuses a scope that would bring a segment of another type into being; one that is there, or has something below it,
   * stays usable. `field` is where the path stands in the request. Throws `UNREGISTERED_SCOPE_TYPE`.
   */
  async check(tenant: string, scope: string, field: string): Promise<void> {
    const paths = levelPaths(scope);
    for (const [level, type] of segmentTypes(scope).entries()) {
      const path = paths[level] ?? scope;
      if (this.allowed.has(type)) continue;
      if (await this.scopes.existsAtOrBelow(tenant, path, scopeRef(tenant, path))) continue;
      throw new StrataError(
        'UNREGISTERED_SCOPE_TYPE',
        `${field}: the segment type "${type}" is not allowed for new scopes.`,
        { details: { field_path: field, reason: `segment type ${type}`, allowed: [...this.allowed] } },
      );
    }
  }
}
