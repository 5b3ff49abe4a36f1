import { Instant } from '../../components/instant.tsx';
import { Picture } from '../../components/picture.tsx';
import { FactDrawing, letterOf, toneOf, type Drawn } from './fact-drawing.tsx';
import { chosenPace, PACE_TITLES, PaceChooser, recordedPace } from './pace.tsx';
import { RectangleList } from './rectangle-list.tsx';
import { valuesOf } from './rectangles.ts';
import type { Pace } from './scales.ts';
import { useWidth } from './use-width.ts';
import { seenPace, validAxis } from './valid-axis.ts';

const NARROW = 520;

/** Valid time across, recorded time down: each rectangle says when a value is true, and while that was known; and the same as a list. */
export function FactPicture({
  title,
  ...shown
}: Omit<Drawn, 'values'> & {
  readonly title: string;
}) {
  const [frame, outer] = useWidth<HTMLDivElement>(720);
  const left = outer < NARROW ? 84 : 120;
  const { rectangles, instants, end, looked } = shown;
  const room = { looked, width: Math.max(1, outer - left) };
  const values = valuesOf(rectangles);
  const chosen = chosenPace('valid');
  const pace = chosen ?? seenPace(rectangles, room);
  const first = instants[0] ?? end;
  return (
    <>
      <PaceChooser axis="valid" drawn={pace} />
      <Picture title={title} list={<RectangleList rectangles={rectangles} first={first} />}>
        <div ref={frame}>
          <FactDrawing
            drawn={{ ...shown, values }}
            axis={validAxis(rectangles, { ...room, pace })}
            pace={recordedPace()}
            left={left}
            width={room.width}
          />
          <Key
            values={values}
            since={first}
            isOpen={rectangles.some((one) => one.since === null)}
            pace={pace}
            isChosen={chosen !== null}
          />
        </div>
      </Picture>
    </>
  );
}

function Key({
  values,
  since,
  isOpen,
  pace,
  isChosen,
}: {
  readonly values: readonly string[];
  readonly since: number;
  /** Whether some of it was known before. */
  readonly isOpen: boolean;
  /** How valid time is drawn. */
  readonly pace: Pace;
  /** Whether somebody chose that. */
  readonly isChosen: boolean;
}) {
  return (
    <ul class="entity-key small">
      {values.map((value, i) => (
        <li key={value}>
          <span class={`entity-swatch ${toneOf(i)}`}>{letterOf(i)}</span> {value}
        </li>
      ))}
      <li class="soft">
        Across: when it is true, {PACE_TITLES[pace]}
        {pace === 'steps' && !isChosen && ', since to scale some of it would be too narrow to be seen'}. Down:
        since when it is known, from <Instant at={new Date(since).toISOString()} precision="day" /> on,{' '}
        {PACE_TITLES[recordedPace()]}.{isOpen && ' What is open at its upper side was known before.'}
      </li>
    </ul>
  );
}
