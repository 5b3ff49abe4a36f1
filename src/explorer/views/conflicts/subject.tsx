import { useQuery } from '../../api/use-query.ts';
import { NAME, type Conflict } from './queries.ts';

/** What the entity is called that a conflict is about: its id until the name is there, and where there is none. */
export function useSubjectName({ subject, scope }: Pick<Conflict, 'subject' | 'scope'>): string {
  const { reading } = useQuery(NAME, { id: subject, scope });
  return reading.is === 'refused' ? subject : (reading.data?.entity?.name ?? subject);
}
