import { ask } from '../../api/ask.ts';
import { ServiceError } from '../../api/errors.ts';
import { NAME, NAMED, type Conflict, type NamedEntity, type Stated } from './queries.ts';
import { isAboutSubjects, type Filled } from './sides.ts';
import { entitiesCalled, literalOf } from './value-kind.ts';

/**
 * What holds instead, as it is sent: the subject where the sides are subjects, else the object; nothing where nothing is filled in. Throws
 * what the service refuses, and `AMBIGUOUS_NAME`.
 */
export async function statedBy(
  conflict: Conflict,
  { kind, value }: Pick<Filled, 'kind' | 'value'>,
  signal: AbortSignal,
): Promise<Stated> {
  if (value === '') return {};
  if (kind !== 'entity') return { object: literalOf(kind, value) };
  const { id, name } = await entityOf(value, conflict.scope, signal);
  const term = { entity: name === null ? { id } : { id, name } };
  return isAboutSubjects(conflict) ? { subject: term } : { object: term };
}

/** The entity with a name or an id; where none is known, a new one that has the text as both. */
async function entityOf(text: string, scope: string, signal: AbortSignal): Promise<NamedEntity> {
  const { entities } = await ask(NAMED, { scope, q: text }, signal);
  const called = entitiesCalled(text, entities?.nodes ?? []);
  if (called.length > 1) throw ambiguous(called);
  const [only] = called;
  if (only !== undefined) return only;
  const name = await nameOf(text, scope, signal);
  return { id: text, name: name === undefined ? text : name };
}

/** What the entity with an id is called; undefined where there is none. */
async function nameOf(id: string, scope: string, signal: AbortSignal): Promise<string | null | undefined> {
  try {
    return (await ask(NAME, { id, scope }, signal)).entity?.name ?? null;
  } catch (error) {
    if (error instanceof ServiceError && error.refusal.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

function ambiguous(called: readonly NamedEntity[]): ServiceError {
  return new ServiceError({
    code: 'AMBIGUOUS_NAME',
    message: `Several entities are called so: ${called.map(({ id }) => id).join(', ')}. Write the id of the one that you mean.`,
    field: 'value',
    requestId: null,
    retriable: false,
    retryAfterSeconds: null,
  });
}
