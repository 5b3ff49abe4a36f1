import type { Driver } from 'neo4j-driver';

import { ERASURE_PHASES, type ErasurePhase } from '../../schemas/erasure.ts';
import { scopeRef } from '../../src/capture/scope-key.ts';
import { clientOf, type Client } from '../support/client.ts';
import { query, testDriver } from '../support/database.ts';
import { unlike } from '../support/derived-dump.ts';
import { DERIVING_PATIENCE_MS } from '../support/patience.ts';
import { eventually } from '../support/wait.ts';
import type { Deployment, Victim } from './deployment.ts';
import { checkErased } from './erasure-check.ts';
import { answersOf, fill } from './erasure-scope.ts';
import { answerOrNull, patientClient } from './patient.ts';
import { Random } from './random.ts';

/** Scopes above and beside those that are erased. */
const BYSTANDERS = ['org:drill', 'org:drill/ws:stays'];
const BYSTANDER_EVENTS = 40;

/** When a round kills, and what. */
export interface Target {
  readonly phase: ErasurePhase;
  readonly victim: Victim;
}

/** Every phase that an erasure has before its end, with every part of a deployment that may be killed. */
export const TARGETS: readonly Target[] = ERASURE_PHASES.filter((phase) => phase !== 'done').flatMap(
  (phase) => (['service', 'database'] as const).map((victim) => ({ phase, victim })),
);

/** What one round did and found. */
export interface ErasureRound {
  readonly round: number;
  readonly target: Target;
  /** The phase that it was in when it was killed; null where it was over before, and the round does not count. */
  readonly killedIn: ErasurePhase | null;
  /** From the kill to the end of the erasure, milliseconds. */
  readonly endedAfterMs: number;
  readonly violations: readonly string[];
}

/** How large the erasures are. */
export interface ErasureDrillOptions {
  readonly seed: number;
  /** Events of one erasure, at least so many that it goes on beside its request. */
  readonly events: number;
}

/** An erasure as it stands in the store. */
interface Found {
  readonly id: string;
  readonly phase: ErasurePhase;
  readonly events_done: number;
  /** When somebody worked on it last, and when it ended; null for neither. */
  readonly touched_at: number | null;
  readonly completed_at: number | null;
}

/** Kills parts of a deployment while it erases, round after round, and looks at what came of it. */
export class ErasureDrill {
  private readonly deployment: Deployment;
  private readonly options: ErasureDrillOptions;
  private readonly random: Random;
  private readonly met = new Set<string>();

  constructor(deployment: Deployment, options: ErasureDrillOptions) {
    this.deployment = deployment;
    this.options = options;
    this.random = new Random(options.seed);
  }

  /** Captures what no erasure may touch. */
  async begin(): Promise<void> {
    for (const scope of BYSTANDERS)
      await fill(this.client, scope, { word: 'bystander', events: BYSTANDER_EVENTS });
  }

  /** Phases in which nothing was killed yet, with what was not. */
  get unmet(): Target[] {
    return TARGETS.filter((target) => !this.met.has(nameOf(target)));
  }

  /** One round: fills a scope, has it erased, kills in the middle, starts again, waits for the end, and then every check. */
  async round(round: number, target = this.next(round)): Promise<ErasureRound> {
    const { deployment, options } = this;
    const scope = `org:drill/ws:round-${round}`;
    const word = `zq${options.seed}round${round}x`;
    await fill(this.client, scope, { word, events: options.events });
    const before = await this.bystanders();
    const start = { scope, confirm_all: true, audit_note: 'A drill.', idempotency_key: `round-${round}` };
    const started = answerOrNull(clientOf(deployment.url).post('/v1/erasures', start));
    const seen = await this.reached(scope, target.phase);
    const killedAt = Date.now();
    await deployment.kill(target.victim);
    const first = await started;
    await deployment.restart(target.victim);
    const found = await this.afterKill(scope);
    const isExact = found.touched_at !== null && found.touched_at <= killedAt;
    const again = first?.status === 202 ? null : await this.client.post('/v1/erasures', start);
    const { completed_at } = await this.ended(found.id);
    const killedIn = completed_at > killedAt ? (isExact ? found.phase : seen.phase) : null;
    if (killedIn !== null) this.met.add(nameOf({ ...target, phase: killedIn }));
    const erased = { id: found.id, scope, word, events: options.events, replayed: again === null ? 0 : 1 };
    return {
      round,
      target,
      killedIn,
      endedAfterMs: Math.max(0, completed_at - killedAt),
      violations: [
        ...((again ?? first)?.json?.erasure_id === found.id
          ? []
          : ['another erasure was begun by the same request']),
        ...(await this.withDriver((driver) => checkErased(this.client, driver, erased))),
        ...changesBeside(before, await this.bystanders()),
      ],
    };
  }

  private get client(): Client {
    return patientClient(this.deployment.url);
  }

  /** What was not met yet comes first. */
  private next(round: number): Target {
    const left = this.unmet.length === 0 ? TARGETS : this.unmet;
    const target = left[round % left.length];
    if (target === undefined) throw new Error('no target');
    return target;
  }

  private async bystanders(): Promise<string[]> {
    const answers = [];
    for (const scope of BYSTANDERS) answers.push(...(await answersOf(this.client, scope)));
    return answers;
  }

  /** Resolves as soon as an erasure is in a phase, in that of its steps after some of them; or where it has passed it. */
  private reached(scope: string, phase: ErasurePhase): Promise<Found> {
    const steps = phase === 'removing' ? this.random.below(this.options.events) : 0;
    const place = ERASURE_PHASES.indexOf(phase);
    return this.withDriver((driver) =>
      eventually(
        `the erasure of ${scope} to be ${phase}`,
        async () => {
          // The store refuses a question while its memory is used up by what is erased.
          const found = await foundIn(driver, scope).catch(() => null);
          const at = found === null ? -1 : ERASURE_PHASES.indexOf(found.phase);
          return (at > place || (at === place && (found?.events_done ?? 0) >= steps)) && found;
        },
        DERIVING_PATIENCE_MS,
        1,
      ),
    );
  }

  /** How an erasure is found as soon as its store answers again. */
  private async afterKill(scope: string): Promise<Found> {
    return eventually(
      'the store after the kill',
      () => this.withDriver((driver) => foundIn(driver, scope)).catch(() => null),
      DERIVING_PATIENCE_MS,
    );
  }

  private async ended(id: string): Promise<{ completed_at: number }> {
    const at = await eventually(
      `the end of ${id}`,
      async () => {
        const { json } = await this.client.get(`/v1/erasures/${id}`);
        return json.completed_at as string | null;
      },
      DERIVING_PATIENCE_MS + this.options.events * 30,
      500,
    );
    return { completed_at: Date.parse(at) };
  }

  private async withDriver<T>(work: (driver: Driver) => Promise<T>): Promise<T> {
    const driver = testDriver(this.deployment.address());
    try {
      return await work(driver);
    } finally {
      await driver.close();
    }
  }
}

/** The first records of scopes that were not erased which are not as they were. */
function changesBeside(before: readonly string[], after: readonly string[]): string[] {
  return Object.entries(unlike(before, after)).flatMap(([how, lines]) =>
    lines.map((line) => `a scope that was not erased answers otherwise, ${how}: ${line}`),
  );
}

/** The name of a target, for people. */
export function nameOf({ phase, victim }: Target): string {
  return `${victim} while ${phase}`;
}

async function foundIn(driver: Driver, scope: string): Promise<Found | null> {
  const [found] = await query<Found>(
    driver,
    `MATCH (r:Erasure {scope_ref: $ref})
     OPTIONAL MATCH (p:ForgetPlan {id: r.audit_id})
     RETURN r.id AS id, r.phase AS phase, r.events_done AS events_done, r.completed_at AS completed_at, p.touched_at AS touched_at`,
    { ref: scopeRef('default', scope) },
  );
  return found ?? null;
}
