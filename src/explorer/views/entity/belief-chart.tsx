import { now } from '../../clock.ts';
import { paceOf } from './pace.tsx';
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
  const places = placesOf([...instants, now()], paceOf(), width);
  const text = writerOf(instants.length > 1 ? instants : [...instants, now()]);
  const y = (share: number): number => (1 - share) * HEIGHT;
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
          {SHARES.map((share) => (
            <g key={share}>
              <line class="entity-grid" x2={width} y1={y(share)} y2={y(share)} />
              <text class="entity-tick" x={-6} y={y(share) + 4} text-anchor="end">
                {share * 100} %
              </text>
            </g>
          ))}
          {versions.map((version, i) => {
            const { revision, confidence, confidenceInterval, stance } = version;
            const [from, to] = [places[i] ?? 0, places[i + 1] ?? width];
            const { lower, upper } = confidenceInterval;
            const isNew = stance !== versions[i - 1]?.stance;
            return (
              <g key={revision}>
                <rect
                  class="belief-interval"
                  x={from}
                  y={y(upper)}
                  width={Math.max(1, to - from)}
                  height={y(lower) - y(upper)}
                />
                <path
                  class="belief-line"
                  d={`M${from} ${y(versions[i - 1]?.confidence ?? confidence)}V${y(confidence)}H${to}`}
                />
                <circle class="belief-dot" cx={from} cy={y(confidence)} r="3" />
                {isNew && (
                  <text class="entity-value" x={from + 6} y={y(confidence) + (confidence > 0.5 ? 16 : -6)}>
                    {SIGNS[stance] ?? ''} {stance}
                  </text>
                )}
              </g>
            );
          })}
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
