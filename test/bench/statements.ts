import { Random } from '../drill/random.ts';

/** What the statements of a load are about. */
export interface World {
  /** People that are spoken of; 0 for one pump of which only the state is told, a new one every time. */
  readonly people: number;
}

/** One predicate in three has many values; the others have one, which changes when it is replayed. */
const PREDICATES = ['works_at', 'lives_in', 'has_role', 'reports_to', 'likes', 'knows'];
const PLACES = 40;
const DAY_MS = 86_400_000;

/** Structured statements as people and agents make them, observed one millisecond apart, from yesterday on. */
export class Statements {
  private readonly random: Random;
  private readonly tag: string;
  private readonly world: World;
  private readonly began = Date.now() - DAY_MS;
  private made = 0;

  /** `tag` makes the keys of this source its own. */
  constructor(tag: string, world: World, seed = 1) {
    this.tag = tag;
    this.world = world;
    this.random = new Random(seed);
  }

  /** The next statement. */
  next(scope = 'org:derived/project:one'): Record<string, unknown> {
    this.made += 1;
    return {
      scope,
      modality: 'observation',
      content: { kind: 'triple', triple: this.world.people === 0 ? this.state() : this.aboutPeople() },
      context: { observed_at: new Date(this.began + this.made).toISOString() },
      idempotency_key: `${this.tag}-${this.made}`,
    };
  }

  private state(): Record<string, unknown> {
    const value = `state ${this.tag} ${this.made}`;
    return {
      subject: { type: 'entity', id: pump() },
      predicate: 'status',
      object: { type: 'literal', datatype: 'string', value },
    };
  }

  private aboutPeople(): Record<string, unknown> {
    const predicate = this.random.pick(PREDICATES);
    const ofPerson = predicate === 'reports_to' || predicate === 'knows';
    const object = ofPerson
      ? person(this.random.below(this.world.people))
      : `place-${this.random.below(PLACES)}`;
    return {
      subject: { type: 'entity', id: person(this.random.below(this.world.people)) },
      predicate,
      object: { type: 'entity', id: object },
      confidence: 0.5 + this.random.below(50) / 100,
    };
  }
}

/** The id of a person of the load. */
export function person(number: number): string {
  return `person-${number}`;
}

/** The id of the pump whose state is told. */
export function pump(): string {
  return 'pump-1';
}
