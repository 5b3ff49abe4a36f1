import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';

import { now } from '../../clock.ts';
import { ErrorNotice } from '../../components/notice.tsx';
import { AxisSlider } from './axis-slider.tsx';
import { PAGE_SIZE, type Chosen } from './choice.ts';
import { choose, moveTo } from './chosen.ts';
import { TIMES, type Axis, type TimesPage } from './queries.ts';
import { stepAfter, stepsOf, type Step } from './steps.ts';
import { useWantedPages, wholePage } from './use-wanted-pages.ts';

/** How long each instant is shown while time is played. */
const BEAT_MS = 1400;

/** The sliders of both times, what is compared with, and whether the picture follows what happens. */
export function TimeControls({
  scope,
  chosen,
  isReading,
  children,
}: {
  readonly scope: string;
  readonly chosen: Chosen;
  /** Whether the graph is still being read: playing waits for it. */
  readonly isReading: boolean;
  /** What stands beside the buttons. */
  readonly children: ComponentChildren;
}) {
  const { types, entity, q, pages: wanted, isLive, against } = chosen;
  const times = useWantedPages(
    TIMES,
    { scope, types, entity, q, first: PAGE_SIZE },
    { pageOf: ({ graph }) => wholePage(graph), wanted, groupKey: scope },
  );
  const steps = useMemo(() => stepsOfPages(times.items), [times.items]);
  const player = usePlayer(steps, chosen, isReading);
  const slider = (of: Axis) => ({
    steps: steps[of],
    at: chosen[of],
    go: (at: string | null) => {
      player.stop();
      moveTo({ [of]: at ?? '' });
    },
    play: () => {
      player.toggle(of);
    },
    isPlaying: player.playing === of,
    isOff: isLive,
  });
  return (
    <div class="time-controls">
      {times.refusal !== null && <ErrorNotice refusal={times.refusal} retry={times.reload} />}
      <div class="axes">
        <AxisSlider title="Valid time" hint="when it is true" {...slider('valid')} />
        <AxisSlider title="Recorded time" hint="when it was known" {...slider('recorded')} />
      </div>
      <div class="time-modes">
        <Modes chosen={chosen} steps={steps} stop={player.stop} />
        {children}
      </div>
      {against !== null && <Against chosen={chosen} against={against} steps={steps} />}
    </div>
  );
}

function stepsOfPages(pages: readonly TimesPage[]): Record<Axis, readonly Step[]> {
  const at = now();
  const of = (axis: Axis): Step[] =>
    stepsOf(
      pages.map(({ times }) => times[axis]),
      at,
    );
  return { valid: of('valid'), recorded: of('recorded') };
}

/** Whether it follows what happens, and whether two instants are compared. */
function Modes({
  chosen: { isLive, against, axis },
  steps,
  stop,
}: {
  readonly chosen: Chosen;
  readonly steps: Readonly<Record<Axis, readonly Step[]>>;
  readonly stop: () => void;
}) {
  return (
    <>
      <button
        type="button"
        class="button"
        aria-pressed={isLive}
        onClick={() => {
          stop();
          choose(isLive ? { live: '' } : { live: '1', valid: '', recorded: '', against: '' });
        }}
      >
        Follow live
      </button>
      <button
        type="button"
        class="button"
        aria-pressed={against !== null}
        disabled={isLive}
        onClick={() => {
          choose(against === null ? { against: earliest(steps[axis]), axis } : { against: '' });
        }}
      >
        Compare two instants
      </button>
    </>
  );
}

/** The instant that is compared with, and on which of the two times. */
function Against({
  chosen: { axis },
  against,
  steps,
}: {
  readonly chosen: Chosen;
  readonly against: string;
  readonly steps: Readonly<Record<Axis, readonly Step[]>>;
}) {
  return (
    <div class="against">
      <fieldset class="choices">
        <legend>Compare</legend>
        {(['recorded', 'valid'] as const).map((of) => (
          <label key={of}>
            <input
              type="radio"
              name="axis"
              checked={axis === of}
              onChange={() => {
                choose({ axis: of, against: earliest(steps[of]) });
              }}
            />
            {of === 'recorded' ? 'what was learned' : 'what came true'}
          </label>
        ))}
      </fieldset>
      <AxisSlider
        title="Compared with"
        hint={axis === 'recorded' ? 'what was known then' : 'what was true then'}
        steps={steps[axis]}
        at={against}
        go={(at) => {
          moveTo({ against: at ?? new Date(now()).toISOString() });
        }}
      />
    </div>
  );
}

/** The instant before anything is there. */
function earliest(steps: readonly Step[]): string {
  const [first] = steps;
  return new Date((first?.ms ?? now()) - 1).toISOString();
}

/** Goes from change to change on one axis, a beat after each is read, until now or the last one. */
function usePlayer(
  steps: Readonly<Record<Axis, readonly Step[]>>,
  chosen: Chosen,
  isReading: boolean,
): {
  readonly playing: Axis | null;
  readonly toggle: (axis: Axis) => void;
  readonly stop: () => void;
} {
  const [playing, setPlaying] = useState<Axis | null>(null);
  const at = playing === null ? null : chosen[playing];
  useEffect(() => {
    if (playing === null || isReading) return undefined;
    const next = stepAfter(steps[playing], at);
    if (next === null || at === null) {
      setPlaying(null);
      return undefined;
    }
    const timer = setTimeout(() => {
      moveTo({ [playing]: next.at ?? '' });
    }, BEAT_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [playing, at, isReading, steps]);
  const toggle = (axis: Axis): void => {
    if (playing === axis) {
      setPlaying(null);
      return;
    }
    // From now there is nothing to play but what lies ahead: it begins anew.
    if (chosen[axis] === null) moveTo({ [axis]: steps[axis][0]?.at ?? '' });
    setPlaying(axis);
  };
  const stop = (): void => {
    setPlaying(null);
  };
  return { playing, toggle, stop };
}
