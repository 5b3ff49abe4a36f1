import { linkTo } from '../../app/location.ts';
import { Instant } from '../../components/instant.tsx';
import { changesOf, finenessOf, type Fineness } from './changes.ts';
import type { Rectangle } from './rectangles.ts';

/** Rectangles in words; when a value is true to the day, or as finely as its changes need to be told apart. */
export function RectangleList({
  rectangles,
  first,
}: {
  readonly rectangles: readonly Rectangle[];
  /** The first instant that is drawn. */
  readonly first: number;
}) {
  const finenesses = finenessOf(changesOf(rectangles));
  return (
    <ul class="entity-list">
      {rectangles.map((rectangle) => {
        const { fact, value, from, to, since, until } = rectangle;
        return (
          <li key={`${fact} ${since ?? ''} ${from}`}>
            <a href={linkTo('why', [], { id: fact })}>{value}</a>
            <p class="small soft">
              true from <At at={from} precision={finenesses.get(from)} />{' '}
              <End at={to} precision={to === null ? undefined : finenesses.get(to)} />, as known from{' '}
              {since === null && 'before '}
              <At at={since ?? first} /> <End at={until} />
            </p>
          </li>
        );
      })}
    </ul>
  );
}

interface AtProps<Of> {
  readonly at: Of;
  readonly precision?: Fineness | undefined;
}

function End({ at, precision = 'minute' }: AtProps<number | null>) {
  return at === null ? (
    <>on</>
  ) : (
    <>
      until <At at={at} precision={precision} />
    </>
  );
}

function At({ at, precision = 'minute' }: AtProps<number>) {
  return <Instant at={new Date(at).toISOString()} precision={precision} />;
}
