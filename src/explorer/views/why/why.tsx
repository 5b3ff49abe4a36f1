import { useQuery } from '../../api/use-query.ts';
import { address, asOf, linkWith } from '../../app/location.ts';
import { Empty } from '../../components/notice.tsx';
import { Shown } from '../../components/shown.tsx';
import { PROVENANCE } from './queries.ts';
import './why.css';
import { WhyStart } from './why-start.tsx';
import { WhyView } from './why-view.tsx';

/** Steps that are gone where the address does not say how many. */
const STEPS = 4;

/** What a record rests on, down to the quoted words, and what rests on it. */
export function Why() {
  const { id = '', depth } = address.value.parameters;
  return (
    <div class="view">
      <header class="view-head">
        <h1>Why</h1>
        <p class="soft">What a record rests on, down to the words in its events, and what rests on it.</p>
      </header>
      {id === '' ? <WhyStart /> : <WhyOf id={id} depth={Number(depth ?? STEPS)} key={id} />}
    </div>
  );
}

function WhyOf({ id, depth }: { readonly id: string; readonly depth: number }) {
  const query = useQuery(PROVENANCE, { id, depth, asOf: asOf.value });
  const { reading } = query;
  if (reading.is === 'refused' && reading.refusal.code === 'NOT_FOUND')
    return (
      <Empty title="There is no such record.">
        <p>
          Nothing that you may read has the id <code>{id}</code>
          {asOf.value !== null && ' at the instants that you look at'}.
        </p>
        <p>
          {asOf.value !== null && <a href={linkWith({ valid: '', recorded: '' })}>Look as of now</a>}{' '}
          <a href={linkWith({ id: '', at: '', open: '' })}>Choose another one</a>
        </p>
      </Empty>
    );
  return (
    <Shown query={query} lines={8}>
      {({ down, up }) => down && up && <WhyView id={id} depth={depth} down={down} up={up} />}
    </Shown>
  );
}
