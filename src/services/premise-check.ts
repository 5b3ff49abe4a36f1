import type { PremiseKey, PremiseReader } from '../../graph/premise.ts';
import type { Envelope } from '../../schemas/event.ts';
import { scopeRef } from '../capture/scope-key.ts';
import type { Clock } from '../clock.ts';
import { circularPremise } from '../derive/circle.ts';
import { tripleOfBelief } from '../derive/belief/declared.ts';
import { normalisedName } from '../derive/entity.ts';
import { KnownNames, NEXT_PLACE } from '../derive/known-names.ts';
import type { DerivationRules } from '../derive/policy-log.ts';
import { calledBy, claimed, tripleOf } from '../derive/statement.ts';
import { StrataError } from '../errors.ts';
import { MAX_CASCADE_ROUNDS, MAX_PREMISE_WALK } from '../limits.ts';
import { inTurnsOver } from '../wakeup.ts';
import type { AccessService, Call } from './access.ts';

/** What the check rests on. */
export interface PremiseCheckParts {
  readonly access: Pick<AccessService, 'readableNow'>;
  readonly premises: Pick<PremiseReader, 'visibleAmong' | 'restingOn' | 'rulesAt' | 'namedForms'>;
  readonly clock: Clock;
}

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
        if (place === undefined || !mayRead(place)) return true;
        return envelope.content.kind === 'declared_belief' && place.path !== envelope.scope;
      });
      return index < 0 ? null : unknownPremise(envelope, index);
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
    found: ReadonlyMap<string, PremiseKey>,
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
      // A declaration stands without its reasons, and a value of its own claim is none.
      const isOwn = (premise: string | null): boolean =>
        one.envelope?.content.kind === 'declared_belief' && premise === claim;
      const premises = one.premises.map((premise) => (isOwn(premise) ? null : premise));
      const index = circularPremise(claim, premises, conclusions);
      if (index >= 0 && one.envelope) return circular(one.envelope, index);
      for (const premise of premises)
        if (premise !== null) conclusions.set(premise, (conclusions.get(premise) ?? new Set()).add(claim));
      return null;
    });
  }

  /** What the envelopes are about, as far as the log says by now what their predicates and names mean. */
  private async claimsOf(
    { principal: { tenant } }: Call,
    envelopes: readonly (Envelope | null)[],
  ): Promise<(string | null)[]> {
    const scopes = [...new Set(envelopes.flatMap((envelope) => envelope?.scope ?? []))];
    const rules = await this.parts.premises.rulesAt(
      scopes.map((scope) => ({ tenant, scope, position: NEXT_PLACE, recorded_at: this.parts.clock.now() })),
    );
    const names = envelopes.flatMap((envelope) =>
      envelope === null
        ? []
        : namesIn(envelope).map((name) => ({
            scope_ref: scopeRef(tenant, envelope.scope),
            normalised_name: normalisedName(name),
            before: NEXT_PLACE,
          })),
    );
    const known = new KnownNames([]);
    await inTurnsOver(await this.parts.premises.namedForms(names), (form) => {
      known.learn(form);
    });
    return envelopes.map((envelope) => {
      const rule = envelope && rules[scopes.indexOf(envelope.scope)];
      if (!rule) return null;
      const ref = scopeRef(tenant, envelope.scope);
      return claimOf(
        ref,
        withSubject(envelope, (name) => known.resolve(ref, name, NEXT_PLACE).id),
        rule,
      );
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

/** An envelope with the entity that it is about, where it names that by its name alone. */
function withSubject(envelope: Envelope, idOf: (name: string) => string): Envelope {
  const { content } = envelope;
  if (content.kind === 'declared_belief') {
    const { declared_belief: belief } = content;
    const subject = calledBy(belief.subject, idOf);
    return { ...envelope, content: { ...content, declared_belief: { ...belief, subject } } };
  }
  if (content.kind !== 'triple' || content.triple.subject.type === 'entity') return envelope;
  const subject = calledBy(content.triple.subject, idOf);
  return { ...envelope, content: { ...content, triple: { ...content.triple, subject } } };
}

/** The name by which alone an envelope names what it is about, if it does. */
function namesIn(envelope: Envelope): string[] {
  const names: string[] = [];
  withSubject(envelope, (name) => {
    names.push(name);
    return name;
  });
  return names;
}

function claimOf(ref: string, envelope: Envelope, rule: DerivationRules): string | null {
  const { content } = envelope;
  const triple =
    content.kind === 'declared_belief' ? tripleOfBelief(content.declared_belief) : tripleOf(envelope);
  return triple && claimed(ref, triple, rule.cardinalityOf, rule.canonical).claim;
}

function premisesOf({ content }: Envelope): readonly string[] {
  if (content.kind === 'declared_belief') return content.declared_belief.supports;
  return content.kind === 'triple' ? (content.triple.derived_from ?? []) : [];
}

function unknownPremise(envelope: Envelope, index: number): StrataError {
  const id = premisesOf(envelope)[index] ?? '';
  return refusal(envelope, index, { message: `no such record: ${id}`, reason: 'unknown id' });
}

function circular(envelope: Envelope, index: number): StrataError {
  const reason = 'rests on what is concluded from it';
  return refusal(envelope, index, {
    message: `it ${reason}; a conclusion cannot rest on itself`,
    reason,
  });
}

/** A field is named as it was sent: what the service writes into envelopes of its own was sent beside the scope. */
function refusal(
  { content }: Envelope,
  index: number,
  { message, reason }: { message: string; reason: string },
): StrataError {
  const path = content.kind === 'triple' ? `content.triple.derived_from[${index}]` : `supports[${index}]`;
  return new StrataError('INVALID_BODY', `${path}: ${message}`, { details: { field_path: path, reason } });
}
