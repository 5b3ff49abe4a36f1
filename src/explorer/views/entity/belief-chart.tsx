import { asOf } from '../../app/location.ts';
import { now } from '../../clock.ts';
import { recordedPace } from './pace.tsx';
import type { BeliefVersion } from './queries.ts';
import { placesOf, thinned, writerOf } from './scales.ts';
import { useWidth } from './use-width.ts';

const HEIGHT = 96;
const [LEFT, TOP, BOTTOM] = [38, 8, 22];
const LABEL = 120;
const SHARES = [0, 0.5, 1];
const SIGNS: Readonly<Record<string, string>> = {
  supported: '✓',
  contradicted: '✗',
  uncertain: '?',
  deprecated: '–',
};

/** Confidence over recorded time, with the interval that it lies in; a sign where the stance becomes another one. */
export function BeliefChart({ versions }: { readonly versions: readonly BeliefVersion[] }) {
  const [frame, outer] = useWidth<HTMLDivElement>(480);
  const width = Math.max(1, outer - LEFT - 8);
  const instants = versions.map(({ revisedAt }) => Date.parse(revisedAt));
  const end = lookedAt();
  const places = placesOf([...instants, end], recordedPace(), width);
  const text = writerOf(instants.length > 1 ? instants : [...instants, end]);
  const ticks = thinned(
    instants.map((instant, i) => ({ at: places[i] ?? 0, text: text(instant) })),
    LABEL,
  );
  const whole = HEIGHT + TOP + BOTTOM;
  return (
    <div ref={frame}>
      <svg
        class="entity-picture"
        width={outer}
        height={whole}
        viewBox={`0 0 ${outer} ${whole}`}
        focusable="false"
      >
        <g transform={`translate(${LEFT} ${TOP})`}>
          <Shares width={width} />
          {versions.map((version, i) => (
            <Step
              key={version.revision}
              version={version}
              before={versions[i - 1]}
              from={places[i] ?? 0}
              to={places[i + 1] ?? width}
            />
          ))}
          {versions.map(({ revision, stance, confidence }, i) =>
            stance === versions[i - 1]?.stance ? null : (
              <text
                class="entity-value"
                key={revision}
                x={(places[i] ?? 0) + 6}
                y={placeOf(confidence) + (confidence > 0.5 ? 16 : -6)}
              >
                {SIGNS[stance] ?? ''} {stance}
              </text>
            ),
          )}
          {ticks.map(({ at, text: says }) => (
            <text
              class="entity-tick"
              key={at}
              x={at}
              y={HEIGHT + 16}
              text-anchor={at > width - LABEL ? 'end' : 'start'}
            >
              {says}
            </text>
          ))}
        </g>
      </svg>
    </div>
  );
}

/** The recorded instant that is looked at. */
function lookedAt(): number {
  const recorded = asOf.value?.recorded;
  return recorded === undefined ? now() : Date.parse(recorded);
}

/** How high a share stands. */
function placeOf(share: number): number {
  return (1 - share) * HEIGHT;
}

/** One revision, until the next. */
function Step({
  version: { confidence, confidenceInterval },
  before,
  from,
  to,
}: {
  readonly version: BeliefVersion;
  readonly before: BeliefVersion | undefined;
  readonly from: number;
  readonly to: number;
}) {
  const [low, high] = [placeOf(confidenceInterval.lower), placeOf(confidenceInterval.upper)];
  const y = placeOf(confidence);
  return (
    <>
      <rect class="belief-interval" x={from} y={high} width={Math.max(1, to - from)} height={low - high} />
      <path class="belief-line" d={`M${from} ${placeOf(before?.confidence ?? confidence)}V${y}H${to}`} />
      <circle class="belief-dot" cx={from} cy={y} r="3" />
    </>
  );
}

function Shares({ width }: { readonly width: number }) {
  return (
    <>
      {SHARES.map((share) => (
        <g key={share}>
          <line class="entity-grid" x2={width} y1={placeOf(share)} y2={placeOf(share)} />
          <text class="entity-tick" x={-6} y={placeOf(share) + 4} text-anchor="end">
            {share * 100} %
          </text>
        </g>
      ))}
    </>
  );
}
