import type { SynthesisWriter } from '../../graph/synthesis.ts';
import { synthesizeRequest, type SynthesizeResponse } from '../../schemas/concept.ts';
import { scopeRef, shardOf } from '../capture/scope-key.ts';
import type { Clock } from '../clock.ts';
import type { AmbiguousName } from '../derive/known-names.ts';
import { StrataError } from '../errors.ts';
import type { Ids } from '../ids.ts';
import { KNOWN_NOW } from '../time/as-of.ts';
import { parseInput } from '../validation.ts';
import type { AccessService, Call } from './access.ts';
import { ambiguityOf } from './ambiguous-names.ts';
import type { AskedEntity, NamedEntities } from './named-entities.ts';

/** What asking for a synthesis needs. */
export interface ConceptSynthesisParts {
  readonly access: AccessService;
  readonly named: NamedEntities;
  readonly syntheses: SynthesisWriter;
  readonly ids: Ids;
  readonly clock: Clock;
  /** Told once a synthesis stands in the log. */
  readonly onSynthesis: () => void;
}

/** Has concepts brought up to date. */
export class ConceptSynthesis {
  private readonly parts: ConceptSynthesisParts;

  constructor(parts: ConceptSynthesisParts) {
    this.parts = parts;
  }

  /**
   * Enters a synthesis into the log; names of topics stand for what they mean there now. Throws `INVALID_BODY`, `POLICY_DENIED`,
   * `NOT_A_MEMBER`, and `NOT_FOUND` for a scope into which nobody has written.
   */
  async ask(call: Call, body: unknown): Promise<SynthesizeResponse> {
    const { scope, topics, force } = parseInput(synthesizeRequest, body, 'INVALID_BODY');
    const { access, syntheses, ids, clock, onSynthesis } = this.parts;
    await access.authorizeWhole(call, 'understanding.synthesize', scope);
    const { tenant, actor } = call.principal;
    const ref = scopeRef(tenant, scope);
    const asked = topics === undefined ? null : await this.entitiesOf(call, ref, topics);
    const id = ids.synthesis();
    const entry = {
      id,
      tenant,
      scope,
      scope_ref: ref,
      shard: shardOf(ref),
      actor,
      topics: asked === null ? null : [...new Set(asked.flatMap((one) => one.ids))].sort(),
      force,
    };
    if (!(await syntheses.enter(entry, clock.now()))) throw new StrataError('NOT_FOUND', 'scope not found');
    onSynthesis();
    return {
      job_id: id,
      status: 'queued',
      lifecycle_stream: `/v1/lifecycle/stream?job_id=${id}`,
      ...ambiguityOf(await this.outcomeOf(call, scope, asked ?? [])),
    };
  }

  /** Topics that are names of several entities, as far as the caller may know these: who has a scope synthesised may not have the right to read it. */
  private async outcomeOf(
    call: Call,
    path: string,
    asked: readonly AskedEntity[],
  ): Promise<readonly AmbiguousName[]> {
    const names = asked.flatMap(({ ambiguous }) => ambiguous);
    if (names.length === 0) return [];
    const place = { tenant: call.principal.tenant, path };
    return (await this.parts.access.readableNow(call, [place]))(place) ? names : [];
  }

  private entitiesOf(call: Call, ref: string, topics: readonly string[]): Promise<AskedEntity[]> {
    const selection = { scopes: [ref], subtrees: [], paths: [], withheld: 0, check: null };
    return this.parts.named.of(call, selection, topics, KNOWN_NOW);
  }
}
