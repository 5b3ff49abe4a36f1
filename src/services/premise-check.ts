import type { PremisePlace, PremiseReader } from '../../graph/premise.ts';
import type { Envelope } from '../../schemas/event.ts';
import { scopeRef } from '../capture/scope-key.ts';
import { circularPremise } from '../derive/circle.ts';
import { claimed, tripleOf } from '../derive/statement.ts';
import { StrataError } from '../errors.ts';
import { MAX_CASCADE_ROUNDS, MAX_PREMISE_WALK } from '../limits.ts';
import type { AccessService, Call } from './access.ts';

/** What the check rests on. */
export interface PremiseCheckParts {
  readonly access: Pick<AccessService, 'readableNow'>;
  readonly premises: Pick<PremiseReader, 'visibleAmong' | 'restingOn' | 'rulesAt'>;
}

/** Behind whatever the log has by now. */
const NEXT_PLACE = Number.MAX_SAFE_INTEGER;

/** Decides what conclusions may rest on: on what is there and the caller may read, and not on themselves. */
export class PremiseCheck {
  private readonly parts: PremiseCheckParts;

  constructor(parts: PremiseCheckParts) {
    this.parts = parts;
  }

  /**
   * Why each of the envelopes is refused, null where it is not. Two round trips where something is concluded, and a few more where a
   * fact or belief is among the premises. Envelopes of one call count in their order: a later one may not close a circle with an earlier one.
   */
  async refusals(call: Call, envelopes: readonly Envelope[]): Promise<(StrataError | null)[]> {
    const ids = new Set(envelopes.flatMap(premisesOf));
    if (ids.size === 0) return envelopes.map(() => null);
    const found = await this.parts.premises.visibleAmong([...ids], call.principal.tenant);
    const mayRead = await this.parts.access.readableNow(call, [...found.values()]);
    const refused = envelopes.map((envelope) => {
      const premises = premisesOf(envelope);
      const index = premises.findIndex((id) => {
        const place = found.get(id);
        return place === undefined || !mayRead(place);
      });
      return index < 0 ? null : unknownPremise(index, premises[index] ?? '');
    });
    const circles = await this.circles(
      call,
      envelopes.map((envelope, i) => (refused[i] === null ? envelope : null)),
      found,
    );
    return refused.map((refusal, i) => refusal ?? circles[i] ?? null);
  }

  private async circles(
    call: Call,
    envelopes: readonly (Envelope | null)[],
    found: ReadonlyMap<string, PremisePlace>,
  ): Promise<(StrataError | null)[]> {
    const drawn = envelopes.map((envelope) => {
      const premises =
        envelope === null ? [] : premisesOf(envelope).map((id) => found.get(id)?.claim ?? null);
      return premises.some((claim) => claim !== null) ? { envelope, premises } : null;
    });
    const claims = await this.claimsOf(
      call,
      drawn.map((one) => one?.envelope ?? null),
    );
    const conclusions = await this.conclusionsFrom(claims.flatMap((claim) => claim ?? []));
    return drawn.map((one, i) => {
      const claim = claims[i] ?? null;
      if (one === null || claim === null) return null;
      const index = circularPremise(claim, one.premises, conclusions);
      if (index >= 0) return circular(index);
      for (const premise of one.premises)
        if (premise !== null) conclusions.set(premise, (conclusions.get(premise) ?? new Set()).add(claim));
      return null;
    });
  }

  /** What the envelopes are about, as far as the log says by now what their predicates mean. */
  private async claimsOf(
    { principal: { tenant } }: Call,
    envelopes: readonly (Envelope | null)[],
  ): Promise<(string | null)[]> {
    const stated = envelopes.map((envelope) => ({ envelope, triple: envelope && tripleOf(envelope) }));
    const scopes = [
      ...new Set(stated.flatMap(({ envelope, triple }) => (envelope && triple ? [envelope.scope] : []))),
    ];
    const rules = await this.parts.premises.rulesAt(
      scopes.map((scope) => ({ tenant, scope, position: NEXT_PLACE })),
    );
    return stated.map(({ envelope, triple }) => {
      const rule = envelope && rules[scopes.indexOf(envelope.scope)];
      if (!triple || !rule) return null;
      return claimed(scopeRef(tenant, envelope.scope), triple, rule.cardinalityOf, rule.canonical).claim;
    });
  }

  /** Walks from claims to what was concluded from them; what lies beyond the bounds is left to consolidation, which parks a circle. */
  private async conclusionsFrom(claims: readonly string[]): Promise<Map<string, Set<string>>> {
    const conclusions = new Map<string, Set<string>>();
    let next = [...new Set(claims)];
    const seen = new Set(next);
    for (
      let step = 0;
      next.length > 0 && step < MAX_CASCADE_ROUNDS && seen.size < MAX_PREMISE_WALK;
      step += 1
    ) {
      const pairs = await this.parts.premises.restingOn(next, MAX_PREMISE_WALK);
      for (const { on, claim } of pairs) conclusions.set(on, (conclusions.get(on) ?? new Set()).add(claim));
      next = [...new Set(pairs.map(({ claim }) => claim))].filter((claim) => !seen.has(claim));
      for (const claim of next) seen.add(claim);
    }
    return conclusions;
  }
}

function premisesOf({ content }: Envelope): readonly string[] {
  return content.kind === 'triple' ? (content.triple.derived_from ?? []) : [];
}

function unknownPremise(index: number, id: string): StrataError {
  return refusal(index, `no such record: ${id}`, 'unknown id');
}

function circular(index: number): StrataError {
  const reason = 'rests on what is concluded from it';
  return refusal(index, `it ${reason}; a conclusion cannot rest on itself`, reason);
}

function refusal(index: number, message: string, reason: string): StrataError {
  const path = `content.triple.derived_from[${index}]`;
  return new StrataError('INVALID_BODY', `${path}: ${message}`, { details: { field_path: path, reason } });
}
