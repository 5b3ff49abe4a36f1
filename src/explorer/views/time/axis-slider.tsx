import { useEffect, useId, useMemo, useState } from 'preact/hooks';

import { Icon } from '../../components/icon.tsx';
import { Instant } from '../../components/instant.tsx';
import { barsOf, indexAt, stepAfter, stepBefore, type Step } from './steps.ts';

/** How long a slider has to rest before what it says is looked at. */
const REST_MS = 150;
const WIDTH = 1000;
const HEIGHT = 18;

/** What a slider is told. */
interface AxisProps {
  readonly title: string;
  readonly hint: string;
  readonly steps: readonly Step[];
  /** Null for now. */
  readonly at: string | null;
  readonly go: (at: string | null) => void;
  /** Begins to play, or stops; left out where nothing is played. */
  readonly play?: (() => void) | undefined;
  readonly isPlaying?: boolean | undefined;
  readonly isOff?: boolean | undefined;
}

/** One of the two times: a slider over the instants at which something changes, with steps and a way to play through them. */
export function AxisSlider({
  title,
  hint,
  steps,
  at,
  go,
  play,
  isPlaying = false,
  isOff = false,
}: AxisProps) {
  const id = useId();
  const [held, setHeld] = useState<Step | null>(null);
  const bars = useMemo(() => barsOf(steps, WIDTH, HEIGHT), [steps]);
  useEffect(() => {
    if (held === null) return undefined;
    const timer = setTimeout(() => {
      setHeld(null);
      if (held.at !== at) go(held.at);
    }, REST_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [held]);
  const shown = held === null ? at : held.at;
  return (
    <div class="axis">
      <div class="axis-head">
        <label for={id}>
          {title} <span class="axis-hint">{hint}</span>
        </label>
        <output for={id} class="axis-now">
          {shown === null ? 'now' : <Instant at={shown} />}
        </output>
      </div>
      <svg class="axis-bars" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <path d={bars} />
      </svg>
      <input
        id={id}
        type="range"
        min={0}
        max={Math.max(steps.length - 1, 0)}
        value={indexAt(steps, shown)}
        disabled={isOff || steps.length < 2}
        aria-valuetext={shown ?? 'now'}
        onInput={({ currentTarget }) => {
          setHeld(steps[currentTarget.valueAsNumber] ?? null);
        }}
      />
      <Steps title={title} steps={steps} at={at} go={go} play={play} isPlaying={isPlaying} isOff={isOff} />
    </div>
  );
}

/** The ways from one change to the next. */
function Steps({ title, steps, at, go, play, isPlaying, isOff }: Omit<AxisProps, 'hint'>) {
  const before = stepBefore(steps, at);
  const after = stepAfter(steps, at);
  return (
    <div class="axis-steps">
      <StepButton title={title} step={isOff === true ? null : before} go={go} isForward={false} />
      {play && (
        <button type="button" class="button" disabled={isOff === true || steps.length < 2} onClick={play}>
          <Icon name={isPlaying === true ? 'pause' : 'play'} />
          {isPlaying === true ? 'Stop' : 'Play'}
          <span class="sr-only"> {title}</span>
        </button>
      )}
      <StepButton title={title} step={isOff === true ? null : after} go={go} isForward />
      {at !== null && (
        <button
          type="button"
          class="button button-quiet"
          onClick={() => {
            go(null);
          }}
        >
          Now<span class="sr-only">, {title}</span>
        </button>
      )}
    </div>
  );
}

function StepButton({
  title,
  step,
  go,
  isForward,
}: {
  readonly title: string;
  readonly step: Step | null;
  readonly go: (at: string | null) => void;
  readonly isForward: boolean;
}) {
  return (
    <button
      type="button"
      class="button"
      disabled={step === null}
      title={step === null ? '' : (step.at ?? 'now')}
      onClick={() => {
        if (step !== null) go(step.at);
      }}
    >
      {!isForward && <Icon name="left" />}
      {isForward ? 'Next' : 'Previous'}
      <span class="sr-only"> change, {title}</span>
      {isForward && <Icon name="right" />}
    </button>
  );
}
